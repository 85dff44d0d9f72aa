//! The words in front of what is declared: storage class, qualifiers and type.

use super::words::NewWord;
use super::{Parsed, Parser};
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    DeclarationSpecifier, FunctionSpecifier, Identifier, Node, SizedFloat, SpecifierQualifier,
    StorageClassSpecifier, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};

/// The specifiers of a declaration.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    pub list: Vec<Node<DeclarationSpecifier>>,
    pub is_typedef: bool,
    pub has_type: bool,
}

/// Which words of types have been seen: those of one kind may be several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    None,
    /// `int`, `long` and the like.
    Several,
    One,
}

/// The type specifier that a keyword is, if it may have others beside it.
fn basic(word: Word) -> Option<TypeSpecifier> {
    Some(match word {
        Word::Char => TypeSpecifier::Char,
        Word::Short => TypeSpecifier::Short,
        Word::Int => TypeSpecifier::Int,
        Word::Long => TypeSpecifier::Long,
        Word::Float => TypeSpecifier::Float,
        Word::Double => TypeSpecifier::Double,
        Word::Signed => TypeSpecifier::Signed,
        Word::Unsigned => TypeSpecifier::Unsigned,
        Word::Complex => TypeSpecifier::Complex,
        Word::Int128 => TypeSpecifier::Int128,
        _ => return None,
    })
}

fn storage(word: Word) -> Option<StorageClassSpecifier> {
    Some(match word {
        Word::TypeDef => StorageClassSpecifier::Typedef,
        Word::Extern => StorageClassSpecifier::Extern,
        Word::Static => StorageClassSpecifier::Static,
        Word::ThreadLocal => StorageClassSpecifier::ThreadLocal,
        Word::Auto => StorageClassSpecifier::Auto,
        Word::Register => StorageClassSpecifier::Register,
        _ => return None,
    })
}

/// The floating type of a name such as `_Float32x`.
fn sized_float(name: &str) -> SizedFloat {
    let is_extended = name.ends_with('x');
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    let width = digits.parse().unwrap_or(0);
    SizedFloat { is_decimal: name.starts_with("_D"), width, is_extended }
}

impl Parser<'_> {
    /// The specifiers of a declaration, which may be none.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let mut out = Specifiers::default();
        let mut seen = Seen::None;
        loop {
            let start = self.start();
            let specifier = match self.kind() {
                Kind::Word(word) => match self.specifier(word, &mut seen)? {
                    Some(specifier) => specifier,
                    None => break,
                },
                Kind::Name => match self.named_specifier(&mut seen)? {
                    Some(specifier) => specifier,
                    None => break,
                },
                _ => break,
            };
            match &specifier {
                DeclarationSpecifier::StorageClass(StorageClassSpecifier::Typedef) => {
                    out.is_typedef = true;
                }
                // `_Alignas(0)`
                DeclarationSpecifier::Extension(list) if list.is_empty() => continue,
                _ => {}
            }
            let node = self.node(specifier, start);
            let moved = std::mem::take(&mut self.behind_tag);
            out.list.push(node);
            if !moved.is_empty() {
                out.list.push(self.node(DeclarationSpecifier::Extension(moved), start));
            }
        }
        out.has_type = seen != Seen::None;
        Ok(out)
    }

    /// The specifier that begins with a keyword.
    fn specifier(&mut self, word: Word, seen: &mut Seen) -> Parsed<Option<DeclarationSpecifier>> {
        let start = self.start();
        if let Some(class) = storage(word) {
            self.bump();
            return Ok(Some(DeclarationSpecifier::StorageClass(class)));
        }
        if let Some(qualifier) = self.qualifier() {
            return Ok(Some(DeclarationSpecifier::TypeQualifier(qualifier)));
        }
        let specifier = match word {
            Word::Inline | Word::NoReturn => {
                self.bump();
                let word = match word {
                    Word::Inline => FunctionSpecifier::Inline,
                    _ => FunctionSpecifier::Noreturn,
                };
                return Ok(Some(DeclarationSpecifier::Function(word)));
            }
            Word::Attribute => {
                let mut list = Vec::new();
                self.attribute_list(&mut list)?;
                return Ok(Some(DeclarationSpecifier::Extension(list)));
            }
            Word::AlignAs => return Ok(Some(DeclarationSpecifier::Extension(self.align_as()?))),
            Word::SizedFloat if *seen != Seen::One => {
                let float = sized_float(self.here());
                self.bump();
                *seen = Seen::Several;
                TypeSpecifier::SizedFloat(float)
            }
            Word::BitInt if *seen != Seen::One => {
                self.bump();
                self.expect(Sign::OpenRound, "'('")?;
                let width = self.expression()?;
                self.expect(Sign::CloseRound, "')' or an operator")?;
                *seen = Seen::Several;
                TypeSpecifier::BitInt(Box::new(width))
            }
            _ => match basic(word) {
                Some(basic) if *seen != Seen::One => {
                    self.bump();
                    *seen = Seen::Several;
                    basic
                }
                Some(_) => return Ok(None),
                None if *seen != Seen::None => return Ok(None),
                None => match self.single_type(word)? {
                    Some(ty) => {
                        *seen = Seen::One;
                        ty
                    }
                    None => return Ok(None),
                },
            },
        };
        Ok(Some(DeclarationSpecifier::TypeSpecifier(self.node(specifier, start))))
    }

    /// A type that stands alone.
    fn single_type(&mut self, word: Word) -> Parsed<Option<TypeSpecifier>> {
        let plain = match word {
            Word::Void => TypeSpecifier::Void,
            Word::Bool => TypeSpecifier::Bool,
            Word::AutoType => TypeSpecifier::Auto,
            Word::Struct | Word::Union => return self.record().map(Some),
            Word::Enum => return self.enumeration().map(Some),
            Word::TypeOf => return self.type_of().map(Some),
            Word::Atomic => {
                self.bump();
                let name = self.type_in_parentheses()?;
                return Ok(Some(TypeSpecifier::Atomic(Box::new(name))));
            }
            _ => return Ok(None),
        };
        self.bump();
        Ok(Some(plain))
    }

    /// The specifier that a name is: that of a type, or a word of C23.
    fn named_specifier(&mut self, seen: &mut Seen) -> Parsed<Option<DeclarationSpecifier>> {
        let token = self.token();
        if *seen == Seen::None && self.names.is_type(self.here()) {
            let name = Identifier { name: self.here().to_owned() };
            self.bump();
            *seen = Seen::One;
            let ty = TypeSpecifier::TypedefName(Node::new(name, token.span));
            return Ok(Some(DeclarationSpecifier::TypeSpecifier(Node::new(ty, token.span))));
        }
        let ty = match self.new_word(self.at) {
            Some(NewWord::AlignAs) => {
                return Ok(Some(DeclarationSpecifier::Extension(self.align_as()?)));
            }
            Some(NewWord::Constexpr) if self.begins_declaration(self.at + 1) => {
                self.bump();
                return Ok(Some(DeclarationSpecifier::TypeQualifier(TypeQualifier::Const)));
            }
            Some(NewWord::ThreadLocal) if self.begins_declaration(self.at + 1) => {
                self.bump();
                let class = StorageClassSpecifier::ThreadLocal;
                return Ok(Some(DeclarationSpecifier::StorageClass(class)));
            }
            Some(NewWord::Bool) if *seen == Seen::None => {
                self.bump();
                TypeSpecifier::Bool
            }
            Some(NewWord::TypeOfUnqualified) if *seen == Seen::None => self.type_of()?,
            _ => return Ok(None),
        };
        *seen = Seen::One;
        let ty = self.node(ty, token.span.start);
        Ok(Some(DeclarationSpecifier::TypeSpecifier(ty)))
    }

    /// A qualifier, if one is next.
    pub(super) fn qualifier(&mut self) -> Option<TypeQualifier> {
        let qualifier = match self.kind() {
            Kind::Word(Word::Const) => TypeQualifier::Const,
            Kind::Word(Word::Volatile) => TypeQualifier::Volatile,
            Kind::Word(Word::Restrict) => TypeQualifier::Restrict,
            // In front of a parenthesis, it makes a type (C11, 6.7.2.4).
            Kind::Word(Word::Atomic) if self.ahead(1) != Kind::Sign(Sign::OpenRound) => {
                TypeQualifier::Atomic
            }
            _ => return None,
        };
        self.bump();
        Some(qualifier)
    }

    /// `typeof (T)` or `typeof (e)`
    fn type_of(&mut self) -> Parsed<TypeSpecifier> {
        self.bump();
        self.expect(Sign::OpenRound, "'('")?;
        let of = if self.begins_type(self.at) {
            TypeOf::Type(Box::new(self.type_name()?))
        } else {
            TypeOf::Expression(Box::new(self.expression()?))
        };
        self.expect(Sign::CloseRound, "')' or an operator")?;
        Ok(TypeSpecifier::TypeOf(of))
    }

    /// The words of a type name or of members.
    pub(super) fn qualified_type(&mut self) -> Parsed<Vec<Node<SpecifierQualifier>>> {
        let start = self.at;
        let Specifiers { list, has_type, .. } = self.specifiers()?;
        // `const *` is a pointer to an `int`.
        let is_int = !list.is_empty()
            && list.iter().all(|s| matches!(s.node, DeclarationSpecifier::TypeQualifier(_)))
            && matches!(self.kind(), Kind::Sign(Sign::Star | Sign::CloseRound));
        if !has_type && !is_int {
            self.at = start;
            return Err(self.not_a_type());
        }
        let mut words = Vec::with_capacity(list.len());
        for Node { node, span } in list {
            let word = match node {
                DeclarationSpecifier::TypeSpecifier(ty) => SpecifierQualifier::TypeSpecifier(ty),
                DeclarationSpecifier::TypeQualifier(word) => {
                    SpecifierQualifier::TypeQualifier(word)
                }
                DeclarationSpecifier::Extension(list) => SpecifierQualifier::Extension(list),
                DeclarationSpecifier::StorageClass(_) | DeclarationSpecifier::Function(_) => {
                    return Err(self.storage_here(span));
                }
            };
            words.push(Node::new(word, span));
        }
        Ok(words)
    }

    /// The name of a type.
    pub(super) fn type_name(&mut self) -> Parsed<Node<TypeName>> {
        let start = self.start();
        let specifiers = self.qualified_type()?;
        let declarator = self.abstract_declarator()?;
        Ok(self.node(TypeName { specifiers, declarator }, start))
    }
}
