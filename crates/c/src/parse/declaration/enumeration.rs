//! Enumerations, whose types are those that gcc chooses.

use crate::parse::context::{Context, Typed};
use crate::parse::scope::{Entity, Tag};
use crate::syntax::tree::{EnumType, Enumerator, Node};
use crate::types::{DataModel, Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    pub fn enum_type(&mut self, node: &Node<EnumType>) -> Typed<TypeId> {
        let span = self.span(node);
        let tag = node.node.identifier.as_ref().map(|i| i.node.name.as_str());
        if node.node.enumerators.is_empty() {
            return match tag.and_then(|tag| self.scopes.find_tag(tag)) {
                Some(Tag::Enum(ty)) => Ok(ty),
                Some(Tag::Record(_)) => {
                    let message = "this tag is not that of an enum".to_owned();
                    Err(self.type_error(span, message, "declared as struct or union"))
                }
                // Used before its definition, which gcc allows.
                None => Ok(self.types.intern(Type::Int { bits: 32, signed: false, rank: 3 })),
            };
        }
        if let Some(tag) = tag
            && let Some(known) = self.scopes.find_tag_here(tag)
        {
            let message = match known {
                Tag::Enum(_) => format!("'enum {tag}' is defined twice"),
                Tag::Record(_) => format!("the tag '{tag}' is not that of an enum"),
            };
            let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message);
            return Err(self.report(diagnostic.with_label("defined again")));
        }
        let values = self.enumerators(&node.node.enumerators)?;
        let (mut low, mut high) = (0, 0);
        for &(_, value, _) in &values {
            low = low.min(value);
            high = high.max(value);
        }
        let ty = self.type_for(low, high, span)?;
        let int = self.int();
        for (name, value, span) in values {
            // Those that fit into `int` have that type, whatever that of the enumeration.
            let own = if i32::try_from(value).is_ok() { int } else { ty };
            self.scopes.declare(name, Entity::Constant(value, own), span);
        }
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Enum(ty));
        }
        Ok(ty)
    }

    /// The names with their values. Until the end of the list, each has the type of the expression for it.
    fn enumerators<'t>(
        &mut self,
        items: &'t [Node<Enumerator>],
    ) -> Typed<Vec<(&'t str, i128, Span)>> {
        let int = self.int();
        let (mut next, mut next_type) = (0_i128, int);
        let mut overflow = false;
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let span = self.span(&item.node.identifier);
            let name = item.node.identifier.node.name.as_str();
            let (value, ty) = match &item.node.expression {
                Some(expression) => self.constant_expression(expression)?,
                None if overflow => {
                    let message = format!("the value of '{name}' would be beyond its type");
                    let diagnostic = Diagnostic::new(DiagnosticKind::Type, span, message)
                        .with_label("one more than the greatest number")
                        .with_hint("give it a value of a larger type, as in 'NAME = 2147483648L'");
                    return Err(self.report(diagnostic));
                }
                None => (next, next_type),
            };
            let ty = if i32::try_from(value).is_ok() { int } else { ty };
            self.declare_checked(name, Entity::Constant(value, ty), span)?;
            values.push((name, value, span));
            (next, next_type) = (value + 1, ty);
            overflow = self.types.bits(ty).is_some_and(|(bits, signed)| {
                let greatest = (1_i128 << (bits - u32::from(signed))) - 1;
                next > greatest
            });
        }
        Ok(values)
    }

    /// The narrowest type from `int` on that has all numbers of a range that includes 0.
    fn type_for(&mut self, low: i128, high: i128, span: Span) -> Typed<TypeId> {
        let signed = low < 0;
        let fits = |bits: u32| {
            let greatest = (1_i128 << (bits - u32::from(signed))) - 1;
            high <= greatest && low >= -greatest - 1
        };
        let (bits, rank) = match self.types.model {
            _ if fits(32) => (32, 3),
            _ if !fits(64) => {
                let what = "an enumeration whose values no integer type has";
                return Err(self.unsupported(span, what));
            }
            DataModel::Lp64 => (64, 4),
            DataModel::Ilp32 => (64, 5),
        };
        Ok(self.types.intern(Type::Int { bits, signed, rank }))
    }
}
