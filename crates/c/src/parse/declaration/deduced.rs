//! `__auto_type`: variables that have the type of their initial value.

use crate::parse::context::{Context, Typed};
use crate::syntax::tree::{Declaration, DeclarationSpecifier, Initializer, Node, TypeSpecifier};
use crate::types::TypeId;

/// The type of what has the type of its initial value.
pub(super) const AUTO: &str = "__auto_type";

impl Context<'_> {
    /// The type of the value behind `__auto_type x =`.
    pub(super) fn deduced(&mut self, node: &Node<Declaration>) -> Typed<Option<TypeId>> {
        let auto = node.node.specifiers.iter().any(|s| {
            matches!(&s.node, DeclarationSpecifier::TypeSpecifier(ty)
                if ty.node == TypeSpecifier::Auto)
        });
        if !auto {
            return Ok(None);
        }
        let span = self.span(node);
        let [only] = node.node.declarators.as_slice() else {
            return Err(self.unsupported(span, "'__auto_type' for more than one variable"));
        };
        match only.node.initializer.as_ref().map(|value| &value.node) {
            Some(Initializer::Expression(value))
                if only.node.declarator.node.derived.is_empty() =>
            {
                let (value, _) = self.dry(|context| context.value(value));
                value.map(|value| Some(value.ty))
            }
            _ => {
                let message = "'__auto_type' needs a plain name and a value".to_owned();
                Err(self.type_error(span, message, "its type cannot be told"))
            }
        }
    }
}
