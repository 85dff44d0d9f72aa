//! Assertions in ACSL.  Their integers have no bounds: values are compared, and terms computed, in types that hold whatever
//! they can be; a term that may need more than 64 bits is refused.

mod call;
mod contract;
mod old;
mod predicate;
mod term;

pub(super) use call::Contracted;

use crate::parse::text::acsl::GROUP;
use crate::syntax::tree::{CallExpression, Expression, Node};

/// The expression between parentheses that the text has.
fn group(node: &Node<Expression>) -> Option<&Node<Expression>> {
    let Expression::Call(call) = &node.node else { return None };
    let CallExpression { callee, arguments } = &call.node;
    match (&callee.node, arguments.as_slice()) {
        (Expression::Identifier(name), [inner]) if name.node.name == GROUP => Some(inner),
        _ => None,
    }
}
