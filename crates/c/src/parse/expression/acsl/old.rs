//! `\old(E)`: the values that a contract needs where a function returns are kept where it begins.
//!
//! A target may not be there at the beginning, as in `p != \null ==> *p == \old(*p)`.  It is read where the conditions in front of
//! it hold, which therefore have to be known at the beginning.  Where all of them are claimed, as in `A && B`, the others do not
//! matter: `B` is claimed in any case.

use super::shape::{group, is_predicate, old};
use super::term::Term;
use crate::flow::Instruction;
use crate::parse::context::{Context, Typed};
use crate::parse::kept::{Clause, Old, Time};
use crate::parse::scope::Entity;
use crate::parse::text::acsl::RESULT;
use crate::syntax::tree::{BinaryOperator, Expression, MemberOperator, Node, UnaryOperator};

/// The expressions right in one of an annotation.
fn inner(node: &Node<Expression>) -> Vec<&Node<Expression>> {
    match &node.node {
        Expression::UnaryOperator(unary) => vec![&unary.node.operand],
        Expression::BinaryOperator(binary) => vec![&binary.node.lhs, &binary.node.rhs],
        Expression::Conditional(conditional) => {
            let then_expression = conditional.node.then_expression.as_deref();
            std::iter::once(&*conditional.node.condition).chain(then_expression).collect()
        }
        Expression::Member(member) => vec![&member.node.expression],
        Expression::Call(call) => call.node.arguments.iter().collect(),
        Expression::Cast(cast) => vec![&cast.node.expression],
        _ => vec![],
    }
}

/// The uses of `\old` in an expression, without those in others.
fn olds(node: &Node<Expression>) -> Vec<&Node<Expression>> {
    let mut found = vec![];
    let mut open = vec![node];
    while let Some(next) = open.pop() {
        if old(next).is_some() {
            found.push(next);
        } else {
            open.extend(inner(next));
        }
    }
    found
}

/// Whether an expression is a target or an element.
fn is_target(node: &Node<Expression>) -> bool {
    match &node.node {
        Expression::UnaryOperator(unary) => unary.node.operator.node == UnaryOperator::Indirection,
        Expression::BinaryOperator(binary) => binary.node.operator.node == BinaryOperator::Index,
        Expression::Member(member) => member.node.operator.node == MemberOperator::Indirect,
        _ => false,
    }
}

/// Whether some part of an expression is one.
fn has_target(node: &Node<Expression>) -> bool {
    is_target(node) || inner(node).into_iter().any(has_target)
}

/// Whether `\old` in an expression has such a value.
fn keeps_target(node: &Node<Expression>) -> bool {
    olds(node).into_iter().any(has_target)
}

/// How an operand of a connective counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
    Implies,
}

/// The operands of a connective.
fn connective(
    node: &Node<Expression>,
) -> Option<(Connective, &Node<Expression>, &Node<Expression>)> {
    match &node.node {
        Expression::BinaryOperator(binary) => {
            let connective = match binary.node.operator.node {
                BinaryOperator::LogicalAnd => Connective::And,
                BinaryOperator::LogicalOr => Connective::Or,
                _ => return None,
            };
            Some((connective, &binary.node.lhs, &binary.node.rhs))
        }
        Expression::Conditional(conditional) => {
            let then_expression = conditional.node.then_expression.as_deref()?;
            Some((Connective::Implies, &conditional.node.condition, then_expression))
        }
        _ => None,
    }
}

/// The predicates that a predicate joins by `&&`.
fn conjuncts(node: &Node<Expression>) -> Vec<&Node<Expression>> {
    if let Some(inner) = group(node) {
        return conjuncts(inner);
    }
    match connective(node) {
        Some((Connective::And, left, right)) => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        _ => vec![node],
    }
}

impl Context<'_> {
    /// Keeps what a clause needs at the end; whether that is possible.
    pub fn remember(&mut self, clause: &Clause) -> Typed<bool> {
        if !clause.parts.iter().all(|part| self.is_kept_safely(part, true)) {
            let kind = "'ensures' with '\\old' of a target behind a condition that is only known at the end";
            self.warn_annotation(kind, clause.span);
            return Ok(false);
        }
        self.annotated.time = Time::Begin;
        let kept = clause.parts.iter().try_for_each(|part| self.keep_olds(part));
        self.annotated.time = Time::End;
        kept.map(|()| true)
    }

    /// Whether the conditions in front of targets that are to be kept are known at the beginning, or do not matter where the
    /// predicate is `claimed`.
    fn is_kept_safely(&self, node: &Node<Expression>, claimed: bool) -> bool {
        if let Some(inner) = group(node) {
            return self.is_kept_safely(inner, claimed);
        }
        let Some((connective, left, right)) = connective(node) else {
            return inner(node).into_iter().all(|node| self.is_kept_safely(node, false));
        };
        let is_and = connective == Connective::And;
        self.is_kept_safely(left, claimed && is_and)
            && self.is_kept_safely(right, claimed)
            && (!keeps_target(right) || claimed && is_and || self.is_stable(left))
    }

    /// Whether an expression has the same value at the end as at the beginning.
    fn is_stable(&self, node: &Node<Expression>) -> bool {
        if old(node).is_some() {
            return true;
        }
        match &node.node {
            Expression::Identifier(name) => {
                let name = &name.node.name;
                // A parameter, or a constant.
                let is_constant = matches!(self.scopes.find(name), Some((Entity::Constant(..), _)));
                name != RESULT && (is_constant || self.scopes.find_here(name).is_some())
            }
            Expression::Constant(_) => true,
            Expression::Call(_) => group(node).is_some_and(|inner| self.is_stable(inner)),
            _ => {
                let parts = inner(node);
                let is_made_of_values = !parts.is_empty() && !is_target(node);
                is_made_of_values && parts.into_iter().all(|part| self.is_stable(part))
            }
        }
    }

    /// Keeps the values of the uses of `\old` in a predicate.
    fn keep_olds(&mut self, node: &Node<Expression>) -> Typed<()> {
        if let Some(inner) = group(node) {
            return self.keep_olds(inner);
        }
        if let Some((connective, left, right)) = connective(node) {
            self.keep_olds(left)?;
            if !keeps_target(right) {
                return self.keep_olds(right);
            }
            let behind = self.fresh();
            let conditions = match connective {
                Connective::And => conjuncts(left),
                Connective::Or | Connective::Implies => vec![left],
            };
            let known = conditions.into_iter().filter(|part| self.is_stable(part));
            let known: Vec<_> = known.collect();
            for condition in known {
                let inside = self.fresh();
                match connective {
                    Connective::Or => self.predicate(condition, behind, inside)?,
                    _ => self.predicate(condition, inside, behind)?,
                }
                self.go_on_at(inside);
            }
            self.keep_olds(right)?;
            self.jump(behind, right.span);
            self.go_on_at(behind);
            return Ok(());
        }
        if old(node).is_none()
            && let Expression::UnaryOperator(unary) = &node.node
            && unary.node.operator.node == UnaryOperator::Negate
        {
            return self.keep_olds(&unary.node.operand);
        }
        olds(node).into_iter().try_for_each(|node| self.keep_old(node))
    }

    fn keep_old(&mut self, node: &Node<Expression>) -> Typed<()> {
        let Some(inner) = old(node) else { return Ok(()) };
        let span = self.span(node);
        let (value, range) = if is_predicate(inner) {
            let int = self.int();
            let place = self.temporary(int, span);
            let (yes, no, behind) = (self.fresh(), self.fresh(), self.fresh());
            self.predicate(inner, yes, no)?;
            for (location, value) in [(yes, 1), (no, 0)] {
                self.go_on_at(location);
                let value = self.constant(value, int, span);
                self.emit(Instruction::Assign(place.clone(), value), span);
                self.jump(behind, span);
            }
            self.go_on_at(behind);
            (place.load(), Some((0, 1)))
        } else {
            match self.term(inner)? {
                Term::Number(number) => (self.keep(number.value), Some((number.low, number.high))),
                Term::Pointer(value) => (self.keep(value), None),
            }
        };
        self.annotated.old.insert(span.start, Old { value, range });
        Ok(())
    }
}
