//! `_Generic`, and comparisons of types.

use lang_c::ast::{Expression, GenericAssociation, GenericSelection};

use super::place::Operand;
use crate::base::source::Span;
use crate::program::c::parse::context::{Context, Typed};
use crate::program::c::parse::text::extension::{COMPATIBLE, SAME_TYPE};
use crate::program::c::types::{Type, TypeId};

impl Context<'_> {
    /// `_Generic(value, T: .., default: ..)`
    pub(super) fn selection(&mut self, node: &GenericSelection, span: Span) -> Typed<Operand> {
        let ty = self.type_of(&node.expression)?;
        let ty = self.adjusted(ty);
        let (mut chosen, mut otherwise) = (None, None);
        let mut fitting = 0;
        for association in &node.associations {
            match &association.node {
                GenericAssociation::Type(case) => {
                    let case_type = self.type_name(&case.node.type_name)?;
                    if let Expression::Identifier(name) = &case.node.expression.node
                        && matches!(name.node.name.as_str(), COMPATIBLE | SAME_TYPE)
                    {
                        let certain = name.node.name == SAME_TYPE;
                        return self.compatible(ty, case_type, certain, span);
                    }
                    if case_type == ty {
                        chosen = chosen.or(Some(&case.node.expression));
                        fitting += 1;
                    }
                }
                GenericAssociation::Default(expression) => otherwise = Some(expression),
            }
        }
        // Types have no qualifiers here, which make the difference between pointers.
        let text = matches!(node.expression.node, Expression::StringLiteral(_));
        let pointer = self.types.is_pointer(ty) && !text;
        if fitting > 1 || fitting == 1 && pointer && otherwise.is_some() {
            return Err(self.unsupported(span, "a selection by what a pointer points to"));
        }
        match chosen.or(otherwise) {
            Some(expression) => self.operand(expression),
            None => {
                let name = self.types.name(ty);
                let message = format!("no case of this selection is for '{name}'");
                Err(self.type_error(span, message, "nothing fits"))
            }
        }
    }

    /// `__builtin_types_compatible_p`, of the targets of two pointers. Types have no qualifiers here, and
    /// enumerations are integers, unless it is `certain` that one of the types is none.
    fn compatible(&mut self, a: TypeId, b: TypeId, certain: bool, span: Span) -> Typed<Operand> {
        let (Type::Pointer(a), Type::Pointer(b)) = (self.types.get(a), self.types.get(b)) else {
            return Err(self.unsupported(span, "a comparison of these types"));
        };
        let (a, b) = (*a, *b);
        let simple = |ty: TypeId| match self.types.get(ty) {
            Type::Int { rank: 3.., .. } => certain || !self.patched.text.contains("enum"),
            Type::Int { .. } | Type::Bool | Type::Float { .. } | Type::Void => true,
            // A type has a name of its own.
            Type::Record(_) => true,
            Type::Pointer(_) | Type::Array(..) | Type::Function { .. } => false,
        };
        let kind = |ty: TypeId| std::mem::discriminant(self.types.get(ty));
        let known = match a == b {
            true => simple(a),
            // Arrays of unknown length, and functions without a prototype, fit to others.
            false => {
                kind(a) != kind(b) || simple(a) || matches!(self.types.get(a), Type::Int { .. })
            }
        };
        if !known {
            return Err(self.unsupported(span, "a comparison of these types"));
        }
        let int = self.int();
        Ok(Operand::Value(self.constant(u64::from(a == b), int, span)))
    }
}
