//! Predicates: conditions that branch, and comparisons of mathematical integers.

use super::shape::{comparison, group, old};
use super::term::{Number, Term};
use crate::flow::{BinaryOp, Instruction, LocationId, Violation};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::{LoopInvariant, Time};
use crate::parse::text::acsl::{ASSERTION, Meaning, UNPLACED_INVARIANT};
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Expression, Node, Statement,
    UnaryOperator,
};
use crate::types::{Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Whether comparisons may follow each other: all of them have one direction.
fn is_chain(operators: &[BinaryOp]) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual};
    let all = |these: &[BinaryOp]| operators.iter().all(|op| these.contains(op));
    operators.len() == 1
        || all(&[Less, LessEqual])
        || all(&[Greater, GreaterEqual])
        || all(&[Equal])
}

impl Context<'_> {
    /// `/*@ assert E; */`, where the second argument is `E`.
    pub fn annotation(
        &mut self,
        arguments: &[Node<Expression>],
        used: bool,
        span: Span,
    ) -> Typed<()> {
        let [kind, predicate] = arguments else {
            return Err(self.refused(span, "this assertion"));
        };
        if used {
            // What follows the last statement of `({ a; b; })` would be its value.
            return Err(self.refused(span, "an assertion at the end of an expression"));
        }
        let (kind, _) = self.constant_expression(kind)?;
        if Meaning::of(kind) == Some(Meaning::Loop) {
            self.annotated.invariants.push(LoopInvariant { predicate: predicate.clone(), span });
            return Ok(());
        }
        self.error_unless(predicate, span)
    }

    /// The invariants of the loop that is about to be processed.
    pub fn take_invariants(&mut self) -> Vec<LoopInvariant> {
        std::mem::take(&mut self.annotated.invariants)
    }

    /// Says that invariants are not checked, unless the statement is a loop or another annotation.
    pub fn drop_invariants(&mut self, next: Option<&Statement>) {
        let is_annotation = |e: &Expression| match e {
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => name.node.name == ASSERTION,
                _ => false,
            },
            _ => false,
        };
        let goes_on = match next {
            Some(Statement::While(_) | Statement::DoWhile(_) | Statement::For(_)) => true,
            Some(Statement::Expression(Some(e))) => is_annotation(&e.node),
            _ => false,
        };
        if !goes_on {
            for invariant in self.take_invariants() {
                self.warn_annotation(UNPLACED_INVARIANT, invariant.span);
            }
        }
    }

    /// Says that an annotation of this kind is not checked.
    pub fn warn_annotation(&mut self, kind: &str, span: Span) {
        let is_lost = ["'requires' with ", "'requires' that "].iter().any(|k| kind.starts_with(k));
        let more =
            if is_lost { ", nor assumed: errors may need values that it excludes" } else { "" };
        let message = format!("an annotation {kind} is not checked{more}");
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
        self.warn(&format!("acsl {kind}"), diagnostic.with_label("taken for a comment"));
    }

    /// Invariants are errors where they are false when the loop decides whether to go on.
    pub fn invariants_hold(&mut self, invariants: &[LoopInvariant]) -> Typed<()> {
        invariants.iter().try_for_each(|i| self.error_unless(&i.predicate, i.span))
    }

    /// An error where the predicate is false.
    pub fn error_unless(&mut self, predicate: &Node<Expression>, span: Span) -> Typed<()> {
        let (yes, no) = (self.fresh(), self.fresh());
        self.predicate(predicate, yes, no)?;
        self.go_on_at(no);
        self.stop(Instruction::Error(Violation::Reached), span);
        self.go_on_at(yes);
        Ok(())
    }

    /// Goes on only where the predicate is true.
    pub fn assume(&mut self, predicate: &Node<Expression>, span: Span) -> Typed<()> {
        let (yes, no) = (self.fresh(), self.fresh());
        self.predicate(predicate, yes, no)?;
        self.go_on_at(no);
        self.stop(Instruction::Halt, span);
        self.go_on_at(yes);
        Ok(())
    }

    /// Branches to `yes` if the predicate holds, and to `no` otherwise.
    pub(super) fn predicate(
        &mut self,
        node: &Node<Expression>,
        yes: LocationId,
        no: LocationId,
    ) -> Typed<()> {
        if let Some(inner) = group(node) {
            return self.predicate(inner, yes, no);
        }
        if let Some(inner) = old(node).filter(|_| self.annotated.time == Time::Begin) {
            return self.predicate(inner, yes, no);
        }
        match &node.node {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                self.predicate(&unary.node.operand, no, yes)
            }
            Expression::BinaryOperator(binary) => {
                let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
                let and = match operator.node {
                    BinaryOperator::LogicalAnd => true,
                    BinaryOperator::LogicalOr => false,
                    _ => return self.comparisons(node, yes, no),
                };
                let middle = self.fresh();
                let (first_yes, first_no) = if and { (middle, no) } else { (yes, middle) };
                self.predicate(lhs, first_yes, first_no)?;
                self.go_on_at(middle);
                self.predicate(rhs, yes, no)
            }
            // An implication.
            Expression::Conditional(conditional) => {
                let ConditionalExpression { condition, then_expression, .. } = &conditional.node;
                let Some(then_expression) = then_expression else {
                    return self.comparisons(node, yes, no);
                };
                let middle = self.fresh();
                self.predicate(condition, middle, yes)?;
                self.go_on_at(middle);
                self.predicate(then_expression, yes, no)
            }
            _ => self.comparisons(node, yes, no),
        }
    }

    /// `a < b <= c` is `a < b && b <= c`; a term alone is one that is not 0.
    fn comparisons(
        &mut self,
        node: &Node<Expression>,
        yes: LocationId,
        no: LocationId,
    ) -> Typed<()> {
        let (mut operators, mut operands) = (Vec::new(), Vec::new());
        let mut left = node;
        while let Some((op, lhs, rhs)) = comparison(left) {
            operators.push(op);
            operands.push(rhs);
            left = lhs;
        }
        operands.push(left);
        operators.reverse();
        operands.reverse();
        let within = operands.iter().any(|operand| comparison(operand).is_some());
        if !operators.is_empty() && (within || !is_chain(&operators)) {
            let span = self.span(node);
            return Err(self.refused(span, "this chain of comparisons"));
        }
        let mut terms = Vec::with_capacity(operands.len());
        for operand in &operands {
            let span = self.span(operand);
            terms.push((self.term(operand)?, span));
        }
        if operators.is_empty() {
            let (term, span) = terms.remove(0);
            let int = self.int();
            let zero = Number { value: self.constant(0, int, span), low: 0, high: 0 };
            return self.compare(BinaryOp::NotEqual, (term, Term::Number(zero)), yes, no, span);
        }
        let last = operators.len() - 1;
        for (i, (op, pair)) in operators.into_iter().zip(terms.windows(2)).enumerate() {
            let [(l, left), (r, right)] = pair else { break };
            let span = Span::new(left.start as usize, right.end as usize);
            let next = if i == last { yes } else { self.fresh() };
            self.compare(op, (l.clone(), r.clone()), next, no, span)?;
            if i != last {
                self.go_on_at(next);
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        op: BinaryOp,
        (left, right): (Term, Term),
        yes: LocationId,
        no: LocationId,
        span: Span,
    ) -> Typed<()> {
        let condition = match (left, right) {
            (Term::Number(l), Term::Number(r)) => return self.numbers(op, (l, r), yes, no, span),
            (l, r) => {
                let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
                let pointer = |context: &Self, term: Term, other: TypeId| match term {
                    Term::Pointer(value) => Some(value),
                    Term::Number(n) if (n.low, n.high) == (0, 0) => {
                        Some(context.constant(0, other, n.value.span))
                    }
                    Term::Number(_) => None,
                };
                let ty = match (&l, &r) {
                    (Term::Pointer(p), _) | (_, Term::Pointer(p)) => p.ty,
                    _ => self.int(),
                };
                match (pointer(self, l, ty), pointer(self, r, ty)) {
                    (Some(l), Some(r)) if equality => self.arithmetic(op, l, r, span)?,
                    _ => return Err(self.refused(span, "this comparison with a pointer")),
                }
            }
        };
        self.branch_on(condition, yes, no, span)
    }

    fn numbers(
        &mut self,
        op: BinaryOp,
        (l, r): (Number, Number),
        yes: LocationId,
        no: LocationId,
        span: Span,
    ) -> Typed<()> {
        let range = (l.low.min(r.low), l.high.max(r.high));
        if let Some(ty) = self.holder(range, [l.value.ty, r.value.ty]) {
            let (l, r) = (self.convert(l.value, ty), self.convert(r.value, ty));
            let condition = self.combine(op, l, r, span);
            return self.branch_on(condition, yes, no, span);
        }
        // One is too large for a signed type, the other may be negative, and is less if it is.
        let left_is_large = l.high > i128::from(i64::MAX);
        let other = if left_is_large { &r } else { &l };
        let Some(ty) = self.holder((other.low, other.high.max(0)), [other.value.ty; 2]) else {
            return Err(self.too_wide(span));
        };
        let value = self.convert(other.value.clone(), ty);
        let zero = self.constant(0, ty, span);
        let negative = self.combine(BinaryOp::Less, value, zero, span);
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let holds = match op {
            NotEqual => true,
            Greater | GreaterEqual => left_is_large,
            Less | LessEqual => !left_is_large,
            _ => false,
        };
        let middle = self.fresh();
        self.branch_on(negative, if holds { yes } else { no }, middle, span)?;
        self.go_on_at(middle);
        let wide = self.types.intern(Type::Int { bits: 64, signed: false, rank: 5 });
        let (l, r) = (self.convert(l.value, wide), self.convert(r.value, wide));
        let condition = self.combine(op, l, r, span);
        self.branch_on(condition, yes, no, span)
    }
}
