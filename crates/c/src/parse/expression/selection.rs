//! `_Generic`, and comparisons of types.

use super::place::Operand;
use crate::flow::Expr;
use crate::parse::context::{Context, Typed};
use crate::syntax::tree::{
    Expression, GenericAssociation, GenericSelection, Node, SpecifierQualifier, TypeName,
    TypeSpecifier, TypesCompatible,
};
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// `_Generic(value, T: .., default: ..)`
    pub(super) fn selection(&mut self, node: &GenericSelection, span: Span) -> Typed<Operand> {
        let ty = self.type_of(&node.expression)?;
        let ty = self.adjusted(ty);
        let (mut chosen, mut otherwise) = (None, None);
        let mut fitting = 0;
        for association in &node.associations {
            match &association.node {
                GenericAssociation::Type(name, expression) => {
                    if self.type_name(name)? == ty {
                        chosen = chosen.or(Some(expression));
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

    /// `__builtin_types_compatible_p`. Types have no qualifiers here, and enumerations are integers, unless it is certain
    /// that one of the types is none.
    pub(super) fn types_compatible(&mut self, node: &TypesCompatible, span: Span) -> Typed<Expr> {
        let certain = is_basic(&node.first.node) || is_basic(&node.second.node);
        let (a, b) = (self.type_name(&node.first)?, self.type_name(&node.second)?);
        let simple = |ty: TypeId| match self.types.get(ty) {
            Type::Int { rank: 3.., .. } => certain || !self.file.text.contains("enum"),
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
        Ok(self.constant(u64::from(a == b), int, span))
    }
}

/// Whether a type name has nothing but words such as `int`.
fn is_basic(name: &TypeName) -> bool {
    let is_word = |specifier: &Node<SpecifierQualifier>| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(ty) => matches!(
            ty.node,
            TypeSpecifier::Void
                | TypeSpecifier::Char
                | TypeSpecifier::Short
                | TypeSpecifier::Int
                | TypeSpecifier::Long
                | TypeSpecifier::Float
                | TypeSpecifier::Double
                | TypeSpecifier::Signed
                | TypeSpecifier::Unsigned
                | TypeSpecifier::Bool
        ),
        _ => false,
    };
    name.declarator.is_none() && name.specifiers.iter().all(is_word)
}
