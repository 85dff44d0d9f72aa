//! Structures, unions and enumerations.

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::syntax::attributes::Refusal;
use crate::syntax::known::plain;
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    EnumType, Enumerator, Extension, Identifier, Node, StructDeclaration, StructDeclarator,
    StructField, StructType, TypeSpecifier,
};
use hardbop_base::source::Span;

/// A tag, if there is one, and the attributes around it.
type Tag = (Option<Node<Identifier>>, Vec<Node<Extension>>);

fn is_packed(attribute: &Node<Extension>) -> bool {
    matches!(&attribute.node, Extension::Attribute(a) if plain(&a.name.node) == "packed")
}

impl Parser<'_> {
    /// `struct tag { .. }` or `union tag { .. }`
    pub(super) fn record(&mut self) -> Parsed<TypeSpecifier> {
        let start = self.start();
        let is_union = self.is_word(Word::Union);
        self.bump();
        let (identifier, attributes) = self.tag()?;
        let mut packed = attributes.iter().any(is_packed);
        let mut declarations = None;
        if self.accept(Sign::OpenBrace) {
            declarations = Some(self.members()?);
        } else if identifier.is_none() {
            return Err(self.wrong("'{' or a name"));
        }
        let span = self.span_from(start);
        if declarations.is_some() {
            packed |= self.behind_attributes().1;
            self.behind_tag = attributes;
        }
        let base = self.surroundings.base;
        let packs = self.surroundings.packs;
        let first = packs.partition_point(|&(at, _)| at < start as usize - base);
        let limit = first.checked_sub(1).and_then(|i| packs[i].1);
        // Compilers differ in whether the limit is that at the beginning or at the end.
        let within = packs[first..].iter().take_while(|&&(at, _)| at < span.end as usize - base);
        if declarations.is_some()
            && let Some(&(at, _)) = within.clone().find(|&&(_, other)| other != limit)
        {
            let span = Span::new(base + at, base + at + 1);
            let hint = "write it in front of the structure";
            self.refusals.push(Refusal { span, what: "'#pragma pack' within a structure", hint });
        }
        let record = StructType { is_union, identifier, declarations, packed, limit };
        Ok(TypeSpecifier::Struct(Box::new(Node::new(record, span))))
    }

    /// The name behind `struct`, `union` or `enum`, with the attributes around it.
    fn tag(&mut self) -> Parsed<Tag> {
        let mut attributes = self.attributes()?;
        let identifier = match self.kind() {
            Kind::Name => Some(self.name()?.0),
            _ => None,
        };
        // In front of something else, they are not those of the type.
        let (behind, _) = self.behind_attributes();
        if self.token_at(behind).kind == Kind::Sign(Sign::OpenBrace) {
            attributes.append(&mut self.attributes()?);
        }
        Ok((identifier, attributes))
    }

    /// The members behind an opening brace, and the closing one.
    fn members(&mut self) -> Parsed<Vec<Node<StructDeclaration>>> {
        let mut members = Vec::new();
        loop {
            if self.accept(Sign::Semicolon) {
                continue;
            }
            if self.accept(Sign::CloseBrace) {
                return Ok(members);
            }
            if self.kind() == Kind::End {
                return Err(self.wrong("'}'"));
            }
            let start = self.start();
            let member = if self.begins_static_assert() {
                StructDeclaration::StaticAssert(self.static_assert()?)
            } else {
                while self.accept_word(Word::Extension) {}
                StructDeclaration::Field(self.field()?)
            };
            members.push(self.node(member, start));
        }
    }

    /// Members of one type, up to the semicolon.
    fn field(&mut self) -> Parsed<StructField> {
        let specifiers = self.qualified_type()?;
        let mut declarators = Vec::new();
        let promises = self.promises.len();
        while !self.is(Sign::Semicolon) && !self.is(Sign::CloseBrace) {
            let start = self.start();
            let mut declarator = match self.is(Sign::Colon) {
                true => None,
                false => Some(self.declarator(Naming::Required)?.0),
            };
            let bit_width = match self.accept(Sign::Colon) {
                true => Some(Box::new(self.conditional()?)),
                false => None,
            };
            let mut extensions = self.attributes()?;
            if let Some(declarator) = &mut declarator {
                declarator.node.extensions.append(&mut extensions);
            }
            declarators.push(self.node(StructDeclarator { declarator, bit_width }, start));
            if !self.accept(Sign::Comma) {
                break;
            }
        }
        self.promises.truncate(promises);
        // gcc warns of a last member without a semicolon.
        if !self.is(Sign::CloseBrace) {
            self.expect_semicolon("';', ',', ':' or '['")?;
        }
        Ok(StructField { specifiers, declarators })
    }

    /// `enum tag { .. }`
    pub(super) fn enumeration(&mut self) -> Parsed<TypeSpecifier> {
        let start = self.start();
        self.bump();
        let (identifier, mut attributes) = self.tag()?;
        let has_tag = identifier.is_some();
        let mut enumerators = Vec::new();
        if self.accept(Sign::OpenBrace) {
            loop {
                enumerators.push(self.enumerator()?);
                if !self.accept(Sign::Comma) || self.is(Sign::CloseBrace) {
                    break;
                }
            }
            self.expect(Sign::CloseBrace, "',', '}' or '='")?;
        } else if identifier.is_none() {
            return Err(self.wrong("'{' or a name"));
        }
        let enumeration = self.node(EnumType { identifier, enumerators }, start);
        if !enumeration.node.enumerators.is_empty() {
            let before = self.at;
            let behind = self.attributes()?;
            self.at = before;
            // Only what is declared has the type of an enumeration without a tag.
            let is_of_type = |e: &Node<Extension>| has_tag || is_packed(e);
            attributes.extend(behind.into_iter().filter(is_of_type));
            self.note_attributes_of_enum(&attributes);
        }
        Ok(TypeSpecifier::Enum(Box::new(enumeration)))
    }

    fn enumerator(&mut self) -> Parsed<Node<Enumerator>> {
        let start = self.start();
        let (identifier, name) = self.name()?;
        self.attributes()?;
        let expression = match self.accept(Sign::Assign) {
            true => Some(Box::new(self.conditional()?)),
            false => None,
        };
        self.names.declare(name, false);
        Ok(self.node(Enumerator { identifier, expression }, start))
    }
}
