//! The clauses of contracts in a syntax tree.

use std::collections::HashMap;

use super::meaning::Meaning;
use super::{ASSERTION, CONTRACT};
use crate::parse::kept::Clause;
use crate::syntax::tree::{
    BlockItem, Constant, DeclaratorKind, Expression, ExternalDeclaration, FunctionDefinition, Node,
    Statement, TranslationUnit,
};
use hardbop_base::source::Span;

/// Takes the clauses of contracts out of a file; they are found by the first place of what is declared behind them.
pub(in crate::parse) fn contracts(unit: &mut TranslationUnit) -> HashMap<u32, Vec<Clause>> {
    let mut all: HashMap<u32, Vec<Clause>> = HashMap::new();
    let mut open: Vec<Clause> = vec![];
    unit.0.retain(|item| {
        if let ExternalDeclaration::FunctionDefinition(node) = item
            && let Some(clause) = clause_of(node)
        {
            open.push(clause);
            return false;
        }
        if !open.is_empty() {
            all.entry(item.start()).or_default().append(&mut open);
        }
        true
    });
    all
}

/// The clause that such a function is.
fn clause_of(node: &Node<FunctionDefinition>) -> Option<Clause> {
    let DeclaratorKind::Identifier(name) = &node.node.declarator.node.kind.node else {
        return None;
    };
    if name.node.name != CONTRACT {
        return None;
    }
    let Statement::Compound(items) = &node.node.statement.node else { return None };
    let [Node { node: BlockItem::Statement(statement), .. }] = items.as_slice() else {
        return None;
    };
    let Statement::Expression(Some(expression)) = &statement.node else { return None };
    let Expression::Call(call) = &expression.node else { return None };
    let (number, parts) = call.node.arguments.split_first()?;
    let is_annotation = matches!(&call.node.callee.node,
        Expression::Identifier(name) if name.node.name == ASSERTION);
    let meaning = match &number.node {
        Expression::Constant(constant) if is_annotation => match &constant.node {
            Constant::Integer(integer) => Meaning::of(integer.number.parse().ok()?)?,
            _ => return None,
        },
        _ => return None,
    };
    let span = Span { end: expression.span.end, ..node.span };
    Some(Clause { meaning, parts: parts.to_vec(), span, names: vec![] })
}
