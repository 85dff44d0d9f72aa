//! What annotations are made of, in the words of C's grammar.

use crate::flow::BinaryOp;
use crate::parse::expression::convert::is_comparison;
use crate::parse::expression::operator::plain;
use crate::parse::text::acsl::{GROUP, OLD};
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Expression, Node, UnaryOperator,
};

/// The expression between parentheses that the text has.
pub(super) fn group(node: &Node<Expression>) -> Option<&Node<Expression>> {
    let Expression::Call(call) = &node.node else { return None };
    let CallExpression { callee, arguments } = &call.node;
    match (&callee.node, arguments.as_slice()) {
        (Expression::Identifier(name), [inner]) if name.node.name == GROUP => Some(inner),
        _ => None,
    }
}

/// The argument of `\old`.
pub(super) fn old(node: &Node<Expression>) -> Option<&Node<Expression>> {
    let Expression::Call(call) = &node.node else { return None };
    let CallExpression { callee, arguments } = &call.node;
    match (&callee.node, arguments.as_slice()) {
        (Expression::Identifier(name), [inner]) if name.node.name == OLD => Some(inner),
        _ => None,
    }
}

/// The operator and the operands of a comparison.
pub(super) fn comparison(
    node: &Node<Expression>,
) -> Option<(BinaryOp, &Node<Expression>, &Node<Expression>)> {
    let Expression::BinaryOperator(binary) = &node.node else { return None };
    let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
    let op = plain(operator.node).filter(|op| is_comparison(*op))?;
    Some((op, lhs, rhs))
}

/// Whether it is a predicate, and no term.
pub(super) fn is_predicate(node: &Node<Expression>) -> bool {
    if let Some(inner) = group(node) {
        return is_predicate(inner);
    }
    match &node.node {
        Expression::UnaryOperator(unary) => unary.node.operator.node == UnaryOperator::Negate,
        Expression::BinaryOperator(binary) => {
            let operator = binary.node.operator.node;
            let is_connective =
                matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr);
            is_connective || comparison(node).is_some()
        }
        Expression::Conditional(_) => true,
        _ => false,
    }
}
