//! Conditions: branches and short circuits.

use crate::flow::{BinaryOp, Expr, ExprKind, Instruction, LocationId, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Constant, Expression,
    MemberOperator, Node, UnaryOperator,
};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// What counts as an error where an expression is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Care {
    /// What has no value here.
    Traps,
    /// Arithmetic errors, too.
    Arithmetic,
    /// What conversions and comparisons do, too.
    Operations,
}

/// Whether evaluation may have effects or fail, so that it must only happen where C demands it.
///
/// Reads of variables may fail where `reads` says so: those that were not written, or that other threads write.
fn is_careful(expression: &Expression, care: Care, reads: bool) -> bool {
    use UnaryOperator as U;
    let is = |node: &Node<Expression>| is_careful(&node.node, care, reads);
    let checked = care > Care::Traps;
    match expression {
        Expression::BinaryOperator(_) | Expression::Cast(_) | Expression::Conditional(_)
            if care >= Care::Operations =>
        {
            true
        }
        Expression::Identifier(_) => reads,
        Expression::Constant(_)
        | Expression::StringLiteral(_)
        | Expression::SizeOfTy(_)
        | Expression::SizeOfVal(_)
        | Expression::AlignOf(_)
        | Expression::OffsetOf(_) => false,
        Expression::Member(member) => {
            member.node.operator.node == MemberOperator::Indirect || is(&member.node.expression)
        }
        Expression::UnaryOperator(unary) => match unary.node.operator.node {
            U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement => true,
            U::Indirection => true,
            U::Minus => {
                let operand = &unary.node.operand;
                checked && !matches!(operand.node, Expression::Constant(_)) || is(operand)
            }
            _ => is(&unary.node.operand),
        },
        Expression::BinaryOperator(binary) => {
            use BinaryOperator as B;
            let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
            match operator.node {
                B::Divide | B::Modulo | B::ShiftLeft | B::ShiftRight => {
                    checked || is(lhs) || !is_nonzero_literal(&rhs.node)
                }
                B::Multiply | B::Plus | B::Minus => checked || is(lhs) || is(rhs),
                B::Less
                | B::Greater
                | B::LessOrEqual
                | B::GreaterOrEqual
                | B::Equals
                | B::NotEquals
                | B::BitwiseAnd
                | B::BitwiseXor
                | B::BitwiseOr
                | B::LogicalAnd
                | B::LogicalOr => is(lhs) || is(rhs),
                _ => true,
            }
        }
        Expression::Cast(cast) => is(&cast.node.expression),
        Expression::Conditional(conditional) => {
            let ConditionalExpression { condition, then_expression, else_expression } =
                &conditional.node;
            let middle = then_expression.as_deref().is_some_and(is);
            is(condition) || middle || is(else_expression)
        }
        Expression::Comma(all) => all.iter().any(is),
        _ => true,
    }
}

fn is_nonzero_literal(expression: &Expression) -> bool {
    match expression {
        Expression::Constant(constant) => match &constant.node {
            // The product of parts may be 0 where none of them is.
            Constant::Integer(integer) => {
                !integer.suffix.imaginary && integer.number.bytes().any(|b| b != b'0')
            }
            _ => false,
        },
        _ => false,
    }
}

/// The condition of `__builtin_expect(condition, likely)`.
pub(in crate::parse) fn expected(expression: &Expression) -> Option<&Node<Expression>> {
    let Expression::Call(call) = expression else { return None };
    let Expression::Identifier(name) = &call.node.callee.node else { return None };
    let known = ["__builtin_expect", "__builtin_expect_with_probability"];
    if known.contains(&name.node.name.as_str()) { call.node.arguments.first() } else { None }
}

/// Whether it is a call of plain constants, such as `__builtin_isinf(1.0)`, which may be a constant.
pub(super) fn is_plain_call(expression: &Expression) -> bool {
    let Expression::Call(call) = expression else { return false };
    let is_builtin = matches!(&call.node.callee.node, Expression::Identifier(name)
        if name.node.name.starts_with("__builtin_"));
    is_builtin && call.node.arguments.iter().all(|a| matches!(a.node, Expression::Constant(_)))
}

fn is_zero(expression: &Expression) -> bool {
    matches!(expression, Expression::Constant(c) if matches!(&c.node,
        Constant::Integer(i) if i.number.bytes().all(|b| b == b'0')))
}

/// Whether the value is 0 or 1, so that comparing it with 0 negates it.
fn is_logical(expression: &Expression) -> bool {
    match expression {
        Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Negate,
        Expression::BinaryOperator(b) => {
            matches!(b.node.operator.node, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
        }
        _ => false,
    }
}

impl Context<'_> {
    /// [`is_careful`], with the errors included that are checked here.
    pub(super) fn is_careful(&self, node: &Node<Expression>) -> bool {
        let asked = self.options.property.checks;
        let are_written = self.checked() && asked.has(Check::Uninitialised);
        let care = match self.checked() {
            true if asked.are_of_operations() || are_written => Care::Operations,
            true => Care::Arithmetic,
            false => Care::Traps,
        };
        is_careful(&node.node, care, are_written || asked.has(Check::Race))
    }

    pub fn here(&mut self) -> LocationId {
        self.flow(|b| b.here())
    }

    pub fn fresh(&mut self) -> LocationId {
        self.flow(|b| b.fresh())
    }

    pub fn go_on_at(&mut self, location: LocationId) {
        self.flow(|b| b.set_here(location));
    }

    pub fn jump(&mut self, target: LocationId, span: Span) {
        self.flow(|b| b.jump(target, span));
    }

    /// See [`Builder::loop_head`].
    pub fn loop_head(&mut self, span: Span) {
        self.flow(|b| b.loop_head(span));
    }

    /// Branches to `yes` if the condition holds and to `no` otherwise. Nothing can be appended at
    /// the current location afterwards.
    pub fn branch(
        &mut self,
        node: &Node<Expression>,
        yes: LocationId,
        no: LocationId,
    ) -> Typed<()> {
        if let Some(condition) = expected(&node.node) {
            return self.branch(condition, yes, no);
        }
        if let Some(condition) = self.class_of_character(node)? {
            let span = self.span(node);
            return self.branch_on(condition, yes, no, span);
        }
        match &node.node {
            Expression::BinaryOperator(binary) => {
                let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
                match operator.node {
                    BinaryOperator::LogicalAnd => {
                        let middle = self.fresh();
                        self.branch(lhs, middle, no)?;
                        self.go_on_at(middle);
                        return self.branch(rhs, yes, no);
                    }
                    BinaryOperator::LogicalOr => {
                        let middle = self.fresh();
                        self.branch(lhs, yes, middle)?;
                        self.go_on_at(middle);
                        return self.branch(rhs, yes, no);
                    }
                    BinaryOperator::Equals
                        if is_zero(&rhs.node)
                            && (is_logical(&lhs.node) || self.class_call(lhs).is_some()) =>
                    {
                        return self.branch(lhs, no, yes);
                    }
                    BinaryOperator::NotEquals
                        if is_zero(&rhs.node)
                            && (is_logical(&lhs.node) || self.class_call(lhs).is_some()) =>
                    {
                        return self.branch(lhs, yes, no);
                    }
                    _ => {}
                }
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                return self.branch(&unary.node.operand, no, yes);
            }
            Expression::Conditional(conditional) if self.is_careful(node) => {
                let ConditionalExpression { condition, then_expression, else_expression } =
                    &conditional.node;
                if let Some(then_expression) = then_expression {
                    let (first, second) = (self.fresh(), self.fresh());
                    self.branch(condition, first, second)?;
                    self.go_on_at(first);
                    self.branch(then_expression, yes, no)?;
                    self.go_on_at(second);
                    return self.branch(else_expression, yes, no);
                }
            }
            Expression::Comma(all) => {
                if let Some((last, before)) = all.split_last() {
                    for expression in before {
                        self.effect(expression)?;
                    }
                    return self.branch(last, yes, no);
                }
            }
            _ => {}
        }
        let condition = self.value(node)?;
        let span = self.span(node);
        self.branch_on(condition, yes, no, span)
    }

    /// As [`Context::branch`], for a value.
    pub fn branch_on(
        &mut self,
        condition: Expr,
        yes: LocationId,
        no: LocationId,
        span: Span,
    ) -> Typed<()> {
        let condition = self.scalar(condition)?;
        if let Some(value) = self.as_number(&condition) {
            self.jump(if value != 0 { yes } else { no }, span);
            return Ok(());
        }
        let (condition, yes, no) = match condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => (*inner, no, yes),
            kind => (Expr { kind, ..condition }, yes, no),
        };
        self.flow(|b| {
            b.branch(condition, yes, no, span);
            let next = b.fresh();
            b.set_here(next);
        });
        Ok(())
    }

    /// Leaves open what follows where a condition does not hold.
    pub(super) fn only_where(&mut self, condition: Expr, what: &str, span: Span) -> Typed<()> {
        match self.as_number(&condition) {
            Some(0) => self.not_modelled(span, what),
            Some(_) => {}
            None => {
                let (good, bad) = (self.fresh(), self.fresh());
                self.branch_on(condition, good, bad, span)?;
                self.go_on_at(bad);
                self.stop(Instruction::Unsupported(what.to_owned()), span);
                self.go_on_at(good);
            }
        }
        Ok(())
    }

    /// `a && b` or `a || b` as a value.
    pub fn logical(&mut self, node: &Node<Expression>, span: Span) -> Typed<Expr> {
        let Expression::BinaryOperator(binary) = &node.node else { return self.value(node) };
        let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
        let and = operator.node == BinaryOperator::LogicalAnd;
        if self.current.is_none() || !self.is_careful(node) {
            let left = self.value(lhs)?;
            let left = self.scalar(left)?;
            let left = self.truth(left);
            // The right operand is not evaluated, even if it is not constant.
            if let Some(value) = self.as_number(&left)
                && (value != 0) != and
            {
                self.left_out(|context| context.value(rhs))?;
                return Ok(left);
            }
            let right = self.value(rhs)?;
            let right = self.scalar(right)?;
            let right = self.truth(right);
            let op = if and { BinaryOp::And } else { BinaryOp::Or };
            return Ok(self.combine(op, left, right, span));
        }
        let (yes, no, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch(node, yes, no)?;
        let int = self.int();
        let place = self.temporary(int, span);
        for (location, value) in [(yes, 1), (no, 0)] {
            self.go_on_at(location);
            let value = self.constant(value, int, span);
            self.emit(Instruction::Assign(place.clone(), value), span);
            self.jump(join, span);
        }
        self.go_on_at(join);
        Ok(Expr { kind: ExprKind::Load(place), ty: int, span })
    }
}
