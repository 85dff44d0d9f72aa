//! Declaration specifiers: storage class and base type.

use super::deduced::AUTO;
use super::record::defines_record;
use crate::parse::context::{Context, Failed, Typed};
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::known::plain;
use crate::syntax::tree::{
    Attribute, DeclarationSpecifier, Declarator, DerivedDeclarator, Expression, Extension, Node,
    SpecifierQualifier, StorageClassSpecifier, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use crate::types::{BIT_INT, DataModel, INT128, Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Types that headers declare and few programs use, as messages name them.
pub(super) const VECTOR: &str = "a vector type";

/// The meaning of a declaration's specifiers.
#[derive(Debug, Clone, Copy)]
pub(in crate::parse) struct Specified {
    pub ty: TypeId,
    pub storage: Option<Storage>,
    pub volatile: bool,
    pub constant: bool,
    pub atomic: bool,
    /// The alignment that `aligned` asks for, unless it belongs to a record that is defined here.
    pub aligned: Option<u64>,
    /// Whether it is a record without a tag that is defined here.
    pub untagged: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::parse) enum Storage {
    Typedef,
    Extern,
    Static,
    Other,
}

/// The message about a name of a type with more alignment, where that matters.
pub(super) const ALIGNED: &str = "a type whose 'typedef' is 'aligned' otherwise than the type is";

/// Does a declarator make a pointer of the type in front of it, whatever is made of that?
pub(super) fn is_pointer(declarator: &Node<Declarator>) -> bool {
    let derived = &declarator.node.derived;
    derived.iter().any(|d| matches!(d.node, DerivedDeclarator::Pointer(_)))
}

/// How often each basic type keyword occurs.
#[derive(Debug, Default, Clone, Copy)]
struct Words {
    void: u8,
    boolean: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
    wide: u8,
}

impl Context<'_> {
    pub fn specifiers(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        span: Span,
    ) -> Typed<Specified> {
        let (mut storage, mut volatile, mut atomic) = (None, false, false);
        let (mut constant, mut own) = (false, false);
        let mut types = Vec::new();
        let mut extensions = Vec::new();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => {
                    storage = Some(match class {
                        StorageClassSpecifier::Typedef => Storage::Typedef,
                        StorageClassSpecifier::Extern => Storage::Extern,
                        StorageClassSpecifier::Static => Storage::Static,
                        // A single thread sees only one copy of a thread-local variable.
                        StorageClassSpecifier::ThreadLocal => {
                            own = true;
                            storage.unwrap_or(Storage::Other)
                        }
                        _ => Storage::Other,
                    });
                }
                DeclarationSpecifier::TypeSpecifier(ty) => {
                    atomic |= self.is_atomic(&ty.node);
                    if let TypeSpecifier::TypedefName(name) = &ty.node {
                        volatile |= self.volatile_types.contains(&name.node.name);
                    }
                    types.push(ty);
                }
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    volatile |= *qualifier == TypeQualifier::Volatile;
                    constant |= *qualifier == TypeQualifier::Const;
                    atomic |= *qualifier == TypeQualifier::Atomic;
                }
                DeclarationSpecifier::Extension(list) => extensions.extend(list),
                DeclarationSpecifier::Function(_) => {}
            }
        }
        if own {
            self.rely(Reliance::OneThread, span);
        }
        if atomic && self.behind_pointer {
            self.rely_at(Reliance::OneThread, span);
        }
        let ty = self.base_type(&types, span)?;
        let defines = types
            .iter()
            .any(|t| matches!(&t.node, TypeSpecifier::Struct(s) if s.node.declarations.is_some()));
        let untagged = types.iter().any(|t| {
            matches!(&t.node, TypeSpecifier::Struct(s)
                if s.node.declarations.is_some() && s.node.identifier.is_none())
        });
        let aligned = if defines { None } else { self.alignment(&extensions)? };
        let ty = match aligned {
            None => self.attributes(ty, &extensions)?,
            // It is that of the name, not that of the record.
            Some(_) => ty,
        };
        Ok(Specified { ty, storage, volatile, constant, atomic, aligned, untagged })
    }

    fn is_atomic(&self, ty: &TypeSpecifier) -> bool {
        match ty {
            TypeSpecifier::Atomic(_) => true,
            TypeSpecifier::TypedefName(name) => self.atomic_types.contains(&name.node.name),
            _ => false,
        }
    }

    /// Whether these specifiers make a type atomic, or the elements of an array; not the target of a pointer.
    pub fn has_atomic(&self, specifiers: &[Node<SpecifierQualifier>], ty: TypeId) -> bool {
        self.are_atomic(specifiers) && !self.types.is_pointer(self.types.element(ty))
    }

    fn are_atomic(&self, specifiers: &[Node<SpecifierQualifier>]) -> bool {
        specifiers.iter().any(|specifier| match &specifier.node {
            SpecifierQualifier::TypeSpecifier(ty) => self.is_atomic(&ty.node),
            SpecifierQualifier::TypeQualifier(word) => *word == TypeQualifier::Atomic,
            SpecifierQualifier::Extension(_) => false,
        })
    }

    /// The alignment of an atomic type, or of an array of them: that of a machine word of its size, if there is one.
    pub fn atomic_align(&self, ty: TypeId) -> u64 {
        let natural = self.types.align(ty);
        match self.types.size(self.types.element(ty)) {
            Some(size @ (1 | 2 | 4 | 8 | 16)) => natural.max(size),
            _ => natural,
        }
    }

    pub fn qualifiers(
        &mut self,
        specifiers: &[Node<SpecifierQualifier>],
        span: Span,
    ) -> Typed<TypeId> {
        let mut types = Vec::new();
        let mut extensions = Vec::new();
        for specifier in specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => types.push(ty),
                SpecifierQualifier::Extension(list) => extensions.extend(list),
                // Of a member, or of the target of a pointer.
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    if *qualifier == TypeQualifier::Volatile {
                        self.reliances.insert((Reliance::VolatileMemory, None));
                    }
                }
            }
        }
        let ty = self.base_type(&types, span)?;
        if self.behind_pointer && self.are_atomic(specifiers) {
            self.rely_at(Reliance::OneThread, span);
        }
        if defines_record(specifiers) {
            return self.attributes(ty, &extensions);
        }
        // Alignments are those of a member, not of its type.
        self.modes(ty, &extensions)
    }

    pub fn type_name(&mut self, name: &Node<TypeName>) -> Typed<TypeId> {
        let span = self.span(name);
        let pointer = name.node.declarator.as_ref().is_some_and(is_pointer);
        let base = self.as_pointee(pointer, |c| c.qualifiers(&name.node.specifiers, span))?;
        match &name.node.declarator {
            None => Ok(base),
            Some(declarator) => Ok(self.declarator(base, declarator)?.ty),
        }
    }

    /// Reads a type to which only pointers are declared, or not.
    pub fn as_pointee<T>(&mut self, is_pointer: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.behind_pointer, is_pointer);
        let result = read(self);
        self.behind_pointer = before;
        result
    }

    /// The type after applying `__attribute__`s: `mode`, and `aligned` for a record that is being defined.
    pub fn attributes(&mut self, ty: TypeId, extensions: &[&Node<Extension>]) -> Typed<TypeId> {
        let ty = self.modes(ty, extensions)?;
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            let Type::Record(record) = *self.types.get(ty) else { continue };
            if plain(&attribute.name.node) == "aligned" {
                let align = self.asked_alignment(attribute)?;
                self.align_record(record, align);
            }
        }
        Ok(ty)
    }

    /// The type after applying `mode` and `vector_size`.
    pub fn modes(&mut self, mut ty: TypeId, extensions: &[&Node<Extension>]) -> Typed<TypeId> {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            match (plain(&attribute.name.node), attribute.arguments.first()) {
                ("mode", _) => ty = self.mode(ty, attribute)?,
                ("vector_size", Some(size)) => {
                    let (size, _) = self.constant_expression(size)?;
                    ty = self.sized_vector(ty, size, self.span(&attribute.name))?;
                }
                _ => {}
            }
        }
        Ok(ty)
    }

    /// The greatest alignment that attributes ask for.
    pub fn alignment(&mut self, extensions: &[&Node<Extension>]) -> Typed<Option<u64>> {
        let mut all = None;
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            if plain(&attribute.name.node) == "aligned" {
                all = all.max(Some(self.asked_alignment(attribute)?));
            }
        }
        Ok(all)
    }

    /// The type of a mode: an integer or a number of floating type of another size.
    fn mode(&mut self, ty: TypeId, attribute: &Attribute) -> Typed<TypeId> {
        let span = attribute.name.span;
        let name = match attribute.arguments.first().map(|a| &a.node) {
            Some(Expression::Identifier(name)) => plain(&name.node.name),
            _ => return Err(self.strange_mode("'mode' without the name of a mode", span)),
        };
        let lp64 = self.types.model == DataModel::Lp64;
        let word = (self.types.model.word(), if lp64 { 4 } else { 3 });
        let (bits, rank) = match name {
            "QI" | "byte" => (8, 1),
            "HI" => (16, 2),
            "SI" => (32, 3),
            "DI" if lp64 => (64, 4),
            "DI" => (64, 5),
            "word" | "pointer" | "unwind_word" => word,
            "SF" => (32, 0),
            "DF" => (64, 0),
            "TI" if let Type::Int { signed, .. } = *self.types.get(ty) => {
                let wide = self.wide_type(signed);
                return wide.ok_or_else(|| self.strange_mode("the mode 'TI'", span));
            }
            _ => return Err(self.strange_mode(&format!("the mode '{name}'"), span)),
        };
        match *self.types.get(ty) {
            Type::Int { signed, .. } if rank > 0 => {
                Ok(self.types.intern(Type::Int { bits, signed, rank }))
            }
            Type::Float { .. } if rank == 0 => Ok(self.types.intern(Type::Float { bits })),
            _ => {
                let shown = self.types.name(ty);
                let message = format!("the mode '{name}' does not fit to '{shown}'");
                Err(self.type_error(span, message, &format!("on '{shown}'")))
            }
        }
    }

    fn strange_mode(&mut self, what: &str, span: Span) -> Failed {
        let message = format!("{what} is not supported");
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
        let hint =
            "modes are QI, HI, SI, DI, byte, word and pointer for integers, SF and DF for others";
        self.report(diagnostic.with_label("not supported").with_hint(hint))
    }

    fn base_type(&mut self, types: &[&Node<TypeSpecifier>], span: Span) -> Typed<TypeId> {
        let mut words = Words::default();
        let mut other = None;
        let mut width = None;
        for ty in types {
            let count = match &ty.node {
                TypeSpecifier::Void => &mut words.void,
                TypeSpecifier::Char => &mut words.char,
                TypeSpecifier::Short => &mut words.short,
                TypeSpecifier::Int => &mut words.int,
                TypeSpecifier::Long => &mut words.long,
                TypeSpecifier::Float => &mut words.float,
                TypeSpecifier::Double => &mut words.double,
                TypeSpecifier::Signed => &mut words.signed,
                TypeSpecifier::Unsigned => &mut words.unsigned,
                TypeSpecifier::Bool => &mut words.boolean,
                TypeSpecifier::Complex => &mut words.complex,
                TypeSpecifier::Int128 => &mut words.wide,
                TypeSpecifier::BitInt(bits) if width.is_none() => {
                    let at = self.span(bits);
                    width = Some((self.constant_expression(bits)?.0, at));
                    continue;
                }
                special => {
                    other = Some(self.special_type(special, self.span(ty))?);
                    continue;
                }
            };
            *count = count.saturating_add(1);
        }
        if let Some((bits, at)) = width {
            let has_others = types.len() > 1 + usize::from(words.signed + words.unsigned);
            if has_others || words.signed + words.unsigned > 1 {
                return Err(self.type_words(span));
            }
            return self.bit_int(bits, words.unsigned == 0, at);
        }
        let complex = std::mem::take(&mut words.complex);
        let part = match other {
            Some(ty) => ty,
            // Without another word, it is one of `double`, as gcc has it.
            None if complex == 1 && types.len() == 1 => self.types.intern(Type::Float { bits: 64 }),
            None => self.basic_type(words, span)?,
        };
        match (complex, self.types.get(part)) {
            (0, _) => Ok(part),
            (1, Type::Int { .. } | Type::Float { .. }) => Ok(self.complex_type(part)),
            (1, _) if self.types.as_wide(part).is_some() => {
                Err(self.unsupported(span, "a complex number with parts of 128 bits"))
            }
            _ => Err(self.type_words(span)),
        }
    }

    fn basic_type(&mut self, words: Words, span: Span) -> Typed<TypeId> {
        let Words { long, .. } = words;
        let model = self.types.model;
        let signs = words.signed + words.unsigned;
        let plain = words.short + long + signs + words.int;
        if words.wide > 0 {
            let more = plain - signs + words.void + words.boolean + words.char + words.float;
            if words.wide > 1 || signs > 1 || more + words.double > 0 {
                return Err(self.type_words(span));
            }
            let wide = self.wide_type(words.unsigned == 0);
            return wide.ok_or_else(|| self.unsupported(span, INT128));
        }
        let float = |bits| Type::Float { bits };
        let integer = |bits, rank| Type::Int { bits, signed: words.unsigned == 0, rank };
        let ty = if signs > 1 || long > 2 || words.int > 1 || words.short > 1 {
            return Err(self.type_words(span));
        } else if words.void == 1 && plain == 0 {
            Type::Void
        } else if words.boolean == 1 && plain == 0 {
            Type::Bool
        } else if words.char == 1 && words.short + long + words.int == 0 {
            // Plain `char` is signed, and a type of its own.
            integer(8, if words.signed == 1 { 0 } else { 1 })
        } else if words.float == 1 && plain == 0 {
            float(32)
        } else if words.double == 1 && plain == long && long <= 1 {
            match (long, model) {
                (0, _) => float(64),
                (_, DataModel::Ilp32) => float(96),
                (_, DataModel::Lp64) => float(128),
            }
        } else if words.void + words.boolean + words.char + words.float + words.double > 0 {
            return Err(self.type_words(span));
        } else {
            match (words.short, long) {
                (1, 0) => integer(16, 2),
                (0, 0) => integer(32, 3),
                (0, 1) => integer(model.word(), 4),
                (0, 2) => integer(64, 5),
                _ => return Err(self.type_words(span)),
            }
        };
        Ok(self.types.intern(ty))
    }

    /// `_BitInt(bits)` (C23, 6.2.5), or one without sign.
    fn bit_int(&mut self, bits: i128, signed: bool, span: Span) -> Typed<TypeId> {
        let least = if signed { 2 } else { 1 };
        if bits < least {
            let message = format!("'_BitInt' has at least {least} bits here, not {bits}");
            return Err(self.type_error(span, message, "too few"));
        }
        let Some(bits) = u32::try_from(bits).ok().filter(|&bits| bits <= 64) else {
            return Err(self.unsupported(span, &format!("a '_BitInt' of {bits} bits")));
        };
        Ok(self.types.intern(Type::Int { bits, signed, rank: BIT_INT }))
    }

    fn type_words(&mut self, span: Span) -> Failed {
        self.type_error(span, "these words do not form a type".to_owned(), "not a type")
    }

    fn special_type(&mut self, ty: &TypeSpecifier, span: Span) -> Typed<TypeId> {
        match ty {
            TypeSpecifier::Struct(record) => self.record_type(record),
            TypeSpecifier::Enum(enumeration) => self.enum_type(enumeration),
            TypeSpecifier::TypedefName(name) => self.typedef(&name.node.name, span),
            TypeSpecifier::Atomic(name) => self.type_name(name),
            TypeSpecifier::TypeOf(TypeOf::Type(name)) => self.type_name(name),
            TypeSpecifier::TypeOf(TypeOf::Expression(expression)) => self.type_of(expression),
            TypeSpecifier::Auto => self.typedef(AUTO, span),
            TypeSpecifier::SizedFloat(float) if float.is_decimal => {
                Err(self.unsupported(span, "this floating type"))
            }
            TypeSpecifier::SizedFloat(float) => {
                // In gcc, an extended type has the next wider format.
                let bits = match (float.is_extended, float.width) {
                    (false, bits @ (32 | 64)) => bits,
                    (true, 32) => 64,
                    (false, 128) | (true, 64) => 128,
                    (false, bits) => {
                        let what = format!("a floating type of {bits} bits");
                        return Err(self.unsupported(span, &what));
                    }
                    _ => return Err(self.unsupported(span, "this floating type")),
                };
                Ok(self.types.intern(Type::Float { bits }))
            }
            _ => Err(self.type_words(span)),
        }
    }

    fn typedef(&mut self, name: &str, span: Span) -> Typed<TypeId> {
        match self.scopes.find(name) {
            Some((Entity::Typedef(ty), _)) => Ok(ty),
            Some((Entity::Aligned(ty), _))
                if self.behind_pointer && !self.options.property.checks.has(Check::Alignment) =>
            {
                Ok(ty)
            }
            Some((Entity::Aligned(_), _)) => Err(self.unsupported(span, ALIGNED)),
            Some((Entity::Strange(what), _)) => Err(self.unsupported(span, what)),
            Some((Entity::Refused, _)) => Err(self.refused_name(name, span)),
            Some((Entity::Reported, _)) => Err(Failed),
            _ if name == "__builtin_va_list" => Ok(self.list_type()),
            _ => {
                let near: Vec<String> = self.scopes.names().map(str::to_owned).collect();
                let near = self.suggestions.nearest(name, near.iter().map(String::as_str));
                let diagnostic = Diagnostic::new(
                    DiagnosticKind::Undeclared,
                    span,
                    format!("undeclared type '{name}'"),
                )
                .with_label("not declared");
                let diagnostic = match near {
                    Some(near) => diagnostic.with_hint(format!("did you mean '{near}'?")),
                    None => diagnostic,
                };
                Err(self.report(diagnostic))
            }
        }
    }
}
