//! Structs and unions, with the layout of gcc on x86.

use super::specifier::is_pointer;
use crate::parse::context::{Context, Typed};
use crate::parse::scope::Tag;
use crate::reliance::Reliance;
use crate::syntax::known::plain;
use crate::syntax::tree::{
    Attribute, Extension, Node, SpecifierQualifier, StructDeclaration, StructField, StructType,
    TypeQualifier, TypeSpecifier,
};
use crate::types::{DataModel, Field, INT128, Record, RecordId, Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The layout of a record, member by member.
struct Layout {
    union: bool,
    packed: bool,
    /// The limit of `#pragma pack(n)`.
    limit: Option<u64>,
    fields: Vec<Field>,
    /// The first free bit.
    position: u64,
    /// The size of a union's largest member in bits.
    largest: u64,
    align: u64,
}

impl Layout {
    /// The alignment in bytes of a member that asks for at least so much; the limit of `#pragma pack` holds for both.
    fn align(&self, natural: u64, packed: bool, asked: u64) -> u64 {
        let natural = if self.packed || packed { 1 } else { natural };
        natural.max(asked).min(self.limit.unwrap_or(u64::MAX)).max(1)
    }

    fn start(&mut self) {
        if self.union {
            self.largest = self.largest.max(self.position);
            self.position = 0;
        }
    }

    fn place(&mut self, name: &str, ty: TypeId, (size, align): (u64, u64), atomic: bool) {
        self.start();
        self.position = self.position.next_multiple_of(align * 8);
        let offset = self.position / 8;
        self.fields.push(Field { name: name.to_owned(), ty, offset, bit_field: None, atomic });
        self.position += size * 8;
        self.align = self.align.max(align);
    }

    /// `int : 0`, which ends a storage unit.
    fn end_unit(&mut self, align: u64) {
        self.start();
        self.position = self.position.next_multiple_of(align * 8);
    }

    /// Places a bit-field of at least one bit.
    fn place_bits(
        &mut self,
        name: &str,
        ty: TypeId,
        (size, align): (u64, u64),
        width: u64,
        packed: bool,
    ) {
        self.start();
        let unit = align * 8;
        let straddles =
            (self.position + width).div_ceil(unit) - self.position / unit > size * 8 / unit;
        // Under `#pragma pack`, gcc lets bit-fields lie across storage units.
        let is_packed = packed || self.packed || self.limit.is_some();
        if straddles && !is_packed {
            self.position = self.position.next_multiple_of(unit);
        }
        let offset = self.position / unit * align;
        let first = self.position - offset * 8;
        self.position += width;
        if !name.is_empty() {
            let bit_field = Some((first as u32, width as u32));
            self.fields.push(Field { name: name.to_owned(), ty, offset, bit_field, atomic: false });
            self.align = self.align.max(align);
        }
    }

    fn finish(&mut self) -> (u64, u64) {
        let bits = self.position.max(self.largest);
        let size = bits.div_ceil(8).next_multiple_of(self.align);
        (size, self.align)
    }
}

impl Context<'_> {
    pub fn record_type(&mut self, node: &Node<StructType>) -> Typed<TypeId> {
        let union = node.node.is_union;
        let span = self.span(node);
        let tag = node.node.identifier.as_ref().map(|i| i.node.name.as_str());
        let defines = node.node.declarations.is_some();
        let mut again = None;
        let id = match tag {
            Some(tag) => match self.defined_here(tag, union).filter(|_| defines) {
                Some(first) => {
                    again = Some(first);
                    self.new_record(tag, union)
                }
                None => self.tagged(tag, union, span, defines)?,
            },
            None => {
                self.records += 1;
                let word = if union { "union" } else { "struct" };
                self.new_record(&format!("{word}@{}", self.records), union)
            }
        };
        if let Some(members) = &node.node.declarations {
            if self.open_records.contains(&id) {
                let message = format!("'{}' is defined within itself", self.types.record(id).name);
                let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message);
                return Err(self.report(diagnostic.with_label("its members are being declared")));
            }
            let outer = self.open_records.len();
            self.open_records.extend(tag.map(|_| id));
            let read = self.members(id, members, (node.node.packed, node.node.limit));
            self.open_records.truncate(outer);
            read?;
        }
        if let Some(first) = again {
            // The same members may be said again (C23, 6.7.3.4).
            let [old, new] = [first, id].map(|id| self.types.record(id));
            let what = if union { "union" } else { "struct" };
            let contents = |r: &Record| (r.fields.clone(), r.size, r.align);
            if contents(old) != contents(new) {
                let message = format!("'{what} {}' is defined twice", self.types.record(id).name);
                let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message);
                return Err(self.report(diagnostic.with_label("defined again, with other members")));
            }
            return Ok(self.types.intern(Type::Record(first)));
        }
        Ok(self.types.intern(Type::Record(id)))
    }

    /// The record that is defined with this tag in the innermost block.
    fn defined_here(&self, tag: &str, union: bool) -> Option<RecordId> {
        match self.scopes.find_tag_here(tag) {
            Some(Tag::Record(id)) if self.types.record(id).union == union => {
                let is_refused = self.refused_records.contains_key(&id);
                (is_refused || self.types.record(id).fields.is_some()).then_some(id)
            }
            _ => None,
        }
    }

    /// `struct s;` declares a type of the block, even where an outer one has the tag (C11 6.7.2.3).
    pub fn declare_record(&mut self, node: &StructType) {
        if let (Some(tag), None) = (&node.identifier, &node.declarations)
            && self.scopes.find_tag_here(&tag.node.name).is_none()
        {
            let id = self.new_record(&tag.node.name, node.is_union);
            self.scopes.declare_tag(&tag.node.name, Tag::Record(id));
        }
    }

    fn new_record(&mut self, name: &str, union: bool) -> RecordId {
        let record = Record { name: name.to_owned(), union, fields: None, size: 0, align: 1 };
        self.types.records.push(record);
        RecordId(self.types.records.len() as u32 - 1)
    }

    /// The record with this tag, found or made; `define` only looks in the innermost block.
    fn tagged(&mut self, tag: &str, union: bool, span: Span, define: bool) -> Typed<RecordId> {
        let known = if define { self.scopes.find_tag_here(tag) } else { self.scopes.find_tag(tag) };
        let what = if union { "union" } else { "struct" };
        match known {
            Some(Tag::Record(id)) if self.types.record(id).union == union => Ok(id),
            Some(_) => Err(self.report(
                Diagnostic::new(
                    DiagnosticKind::Duplicate,
                    span,
                    format!("the tag '{tag}' is not that of a {what}"),
                )
                .with_label("declared as another kind of type before"),
            )),
            None => {
                let id = self.new_record(tag, union);
                self.scopes.declare_tag(tag, Tag::Record(id));
                Ok(id)
            }
        }
    }

    fn members(
        &mut self,
        id: RecordId,
        members: &[Node<StructDeclaration>],
        (packed, limit): (bool, Option<u64>),
    ) -> Typed<()> {
        let union = self.types.record(id).union;
        let mut layout =
            Layout { union, packed, limit, fields: vec![], position: 0, largest: 0, align: 1 };
        let before = self.diagnostics.len();
        for member in members {
            if let StructDeclaration::Field(field) = &member.node {
                // A mistake in one member was reported; keep the others.
                let _ = self.add_member(&mut layout, field, self.span(member));
            }
        }
        if self.diagnostics.len() > before {
            self.broken.push(id);
        }
        let mut names = std::collections::HashSet::new();
        for field in layout.fields.iter().filter(|f| !f.name.is_empty()) {
            if !names.insert(field.name.as_str()) {
                let message = format!("member '{}' is declared twice", field.name);
                let span = members.first().map_or(Span::default(), |m| self.span(m));
                let all = members.last().map_or(span, |m| span.to(self.span(m)));
                return Err(self.report(
                    Diagnostic::new(DiagnosticKind::Duplicate, all, message)
                        .with_label("among these"),
                ));
            }
        }
        let (size, align) = layout.finish();
        if size > self.types.largest() {
            let span = members.first().map_or(Span::default(), |m| self.span(m));
            let message = "this record is larger than the memory".to_owned();
            return Err(self.type_error(span, message, "the first of its members"));
        }
        self.flexible_is_last(&layout, members)?;
        let record = &mut self.types.records[id.0 as usize];
        record.fields = Some(layout.fields);
        record.size = size;
        record.align = align;
        Ok(())
    }

    /// Checks that an array without a length is the last of several members.
    fn flexible_is_last(
        &mut self,
        layout: &Layout,
        members: &[Node<StructDeclaration>],
    ) -> Typed<()> {
        let flexible = |f: &Field| matches!(self.types.get(f.ty), Type::Array(_, None));
        let Some(at) = layout.fields.iter().position(flexible) else { return Ok(()) };
        let wrong = if layout.union {
            "a member of a union"
        } else if at + 1 < layout.fields.len() {
            "not the last member"
        } else if at == 0 {
            "the only member"
        } else {
            return Ok(());
        };
        let span = members.last().map_or(Span::default(), |m| self.span(m));
        let name = &layout.fields[at].name;
        let message = format!("the array '{name}' without a length is {wrong}");
        Err(self.type_error(span, message, "needs a length"))
    }

    fn add_member(&mut self, layout: &mut Layout, field: &StructField, span: Span) -> Typed<()> {
        let declarators = || field.declarators.iter().map(|d| d.node.declarator.as_ref());
        let pointers =
            declarators().count() > 0 && declarators().all(|d| d.is_some_and(is_pointer));
        let base = self.as_pointee(pointers, |c| c.qualifiers(&field.specifiers, span))?;
        let is_constant = |specifier: &Node<SpecifierQualifier>| {
            matches!(specifier.node, SpecifierQualifier::TypeQualifier(TypeQualifier::Const))
        };
        if self.options.property.checks.has(Check::Const)
            && field.specifiers.iter().any(is_constant)
        {
            self.rely(Reliance::ConstantMembers, span);
        }
        let (all_packed, asked) = self.asked_of_members(&field.specifiers)?;
        if field.declarators.is_empty() {
            // Only an anonymous struct or union declares something here.
            if let Some((_, record)) = self.types.as_record(base)
                && record.name.contains('@')
            {
                let size = self.complete_size(base, span)?;
                let align = layout.align(self.member_align(field, base), false, asked);
                layout.place("", base, (size, align), false);
            }
            return Ok(());
        }
        for item in &field.declarators {
            let span = self.span(item);
            let (name, ty, packed, aligned) = match &item.node.declarator {
                Some(declarator) => {
                    let declared = self.declarator(base, declarator)?;
                    if declared.length.is_some() {
                        return Err(self.unsupported(span, "a member of variable length"));
                    }
                    let (packed, aligned) = self.member_attributes(&declarator.node.extensions)?;
                    let (packed, aligned) = (packed || all_packed, aligned.max(asked));
                    (declared.name.map_or("", |(name, _)| name), declared.ty, packed, aligned)
                }
                None => ("", base, all_packed, asked),
            };
            match &item.node.bit_width {
                Some(_) if self.has_atomic(&field.specifiers, ty) => {
                    let message = "a bit-field cannot be atomic".to_owned();
                    return Err(self.type_error(span, message, "of an atomic type"));
                }
                Some(_) if aligned > 1 => {
                    return Err(self.unsupported(span, "an aligned bit-field"));
                }
                Some(_) if self.types.as_wide(ty).is_some() => {
                    return Err(self.unsupported(span, &format!("a bit-field of {INT128}")));
                }
                Some(width) => {
                    let (width, _) = self.constant_expression(width)?;
                    let bits = self.types.bits(ty).filter(|_| self.types.is_integer(ty));
                    let limit = match bits {
                        Some(_) if *self.types.get(ty) == Type::Bool => 1,
                        Some((bits, _)) => i128::from(bits),
                        None => -1,
                    };
                    if !(0..=limit).contains(&width) || width == 0 && !name.is_empty() {
                        let ty = self.types.name(ty);
                        let message = format!("a bit-field of '{ty}' cannot have {width} bits");
                        return Err(self.type_error(span, message, "this member"));
                    }
                    if width == 0 {
                        // Not limited by `#pragma pack`.
                        layout.end_unit(self.types.align(ty));
                        continue;
                    }
                    let size = self.complete_size(ty, span)?;
                    let align = layout.align(self.types.align(ty), packed, 1);
                    layout.place_bits(name, ty, (size, align), width as u64, packed);
                    if let Some(last) = layout.fields.last_mut().filter(|_| !name.is_empty())
                        && !self.widen_unit(last)
                    {
                        let what = "a packed bit-field across 9 bytes";
                        return Err(self.unsupported(span, what));
                    }
                }
                None => {
                    // A flexible array member has size 0.
                    let size = match *self.types.get(ty) {
                        Type::Array(element, None) => {
                            self.complete_size(element, span)?;
                            0
                        }
                        _ => self.complete_size(ty, span)?,
                    };
                    let atomic = self.has_atomic(&field.specifiers, ty);
                    let align = layout.align(self.member_align(field, ty), packed, aligned);
                    layout.place(name, ty, (size, align), atomic);
                }
            }
        }
        Ok(())
    }

    /// Gives a packed bit-field that lies across units of its type a wider one, which begins at its first byte: the value
    /// has the same bits, and promotions look at their number.  Whether there is one.
    fn widen_unit(&mut self, field: &mut Field) -> bool {
        let (Some((first, width)), Some((bits, signed))) =
            (field.bit_field, self.types.bits(field.ty))
        else {
            return true;
        };
        if first + width <= bits {
            return true;
        }
        field.offset += u64::from(first / 8);
        let first = first % 8;
        field.bit_field = Some((first, width));
        let long = if self.types.model == DataModel::Lp64 { 4 } else { 5 };
        let units = [(16, 2), (32, 3), (64, long)];
        let unit = units.into_iter().find(|&(unit, _)| unit >= bits.max(first + width));
        let Some((bits, rank)) = unit else { return false };
        field.ty = self.types.intern(Type::Int { bits, signed, rank });
        true
    }

    /// The alignment of the type of a member.
    fn member_align(&self, field: &StructField, ty: TypeId) -> u64 {
        match self.has_atomic(&field.specifiers, ty) {
            true => self.atomic_align(ty),
            false => self.types.align(ty),
        }
    }

    /// Whether members are packed by what is before their type, and the alignment that it asks for; none
    /// if that is about a record that is defined here.
    fn asked_of_members(&mut self, specifiers: &[Node<SpecifierQualifier>]) -> Typed<(bool, u64)> {
        let lists = specifiers.iter().filter_map(|s| match &s.node {
            SpecifierQualifier::Extension(list) if !defines_record(specifiers) => Some(list),
            _ => None,
        });
        let mut asked = (false, 1);
        for list in lists {
            let (packed, align) = self.member_attributes(list)?;
            asked = (asked.0 || packed, asked.1.max(align));
        }
        Ok(asked)
    }

    /// Whether a member is packed, and its minimal alignment.
    fn member_attributes(&mut self, extensions: &[Node<Extension>]) -> Typed<(bool, u64)> {
        let mut result = (false, 1);
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            match plain(&attribute.name.node) {
                "packed" => result.0 = true,
                "aligned" => {
                    result.1 = self.asked_alignment(attribute)?;
                }
                _ => {}
            }
        }
        Ok(result)
    }

    /// The number of `aligned(n)`.
    pub fn asked_alignment(&mut self, attribute: &Attribute) -> Typed<u64> {
        let Some(expression) = attribute.arguments.first() else { return Ok(16) };
        let (align, _) = self.constant_expression(expression)?;
        let fits = u64::try_from(align).ok().filter(|a| a.is_power_of_two() && *a <= 1 << 28);
        match fits {
            Some(align) => {
                self.types.alignment = self.types.alignment.max(align);
                Ok(align)
            }
            None => {
                let span = self.span(expression);
                let message = "an alignment is a power of two, at most 268435456".to_owned();
                Err(self.type_error(span, message, "no alignment"))
            }
        }
    }

    /// Applies `__attribute__((aligned(n)))` to a whole record.
    pub fn align_record(&mut self, id: RecordId, align: u64) {
        let record = &mut self.types.records[id.0 as usize];
        if record.fields.is_some() && align > record.align && align.is_power_of_two() {
            record.align = align;
            record.size = record.size.next_multiple_of(align);
        }
    }

    pub fn complete_size(&mut self, ty: TypeId, span: Span) -> Typed<u64> {
        match self.types.size(ty) {
            Some(size) => Ok(size),
            None => {
                if let Some(refused) = self.refused_record(ty, span) {
                    return Err(refused);
                }
                let name = self.types.name(ty);
                let message = format!("the type '{name}' is incomplete");
                Err(self.type_error(span, message, "its size is not known"))
            }
        }
    }
}

/// Whether one of the specifiers is a record with its members.
pub(super) fn defines_record(specifiers: &[Node<SpecifierQualifier>]) -> bool {
    specifiers.iter().any(|s| {
        matches!(&s.node, SpecifierQualifier::TypeSpecifier(ty)
            if matches!(&ty.node, TypeSpecifier::Struct(r) if r.node.declarations.is_some()))
    })
}
