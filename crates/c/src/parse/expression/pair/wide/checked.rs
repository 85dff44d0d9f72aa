//! Errors of operations on integers of 128 bits, as far as they are asked for.

use super::Halves;
use super::convert::is_sign;
use crate::flow::{BinaryOp, Expr};
use crate::parse::context::Context;
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Context<'_> {
    /// Branches to the errors of a division, and of a product, which its operands show.
    pub(super) fn check_operands(
        &mut self,
        op: BinaryOp,
        [a, b]: [&Halves; 2],
        operands: &[Expr; 2],
        span: Span,
    ) {
        let signed = self.types.as_wide(operands[0].ty) == Some(true);
        match op {
            BinaryOp::Divide | BinaryOp::Remainder => {
                if self.asks(Check::Division, span) {
                    let is_zero = self.is_wide(b, 0, span);
                    self.refuse_where(is_zero, ErrorKind::DivisionByZero, span);
                }
                if signed && self.asks(Check::Overflow, span) {
                    let least = self.is_wide(a, 1 << 127, span);
                    let minus_one = self.is_wide(b, u128::MAX, span);
                    let overflows = self.combine(BinaryOp::And, least, minus_one, span);
                    self.refuse_where(overflows, ErrorKind::SignedOverflow, span);
                }
            }
            BinaryOp::Multiply => {
                let Some(kind) = self.kind_of_overflow(signed, span) else { return };
                // Products of words with sign fit; those of words without one do without sign.
                let are_words =
                    |is: &dyn Fn(&Self, &Expr) -> bool| is(self, &a[1]) && is(self, &b[1]);
                let is_zero = |context: &Self, high: &Expr| context.as_number(high) == Some(0);
                if signed && are_words(&|_, high| is_sign(high)) || !signed && are_words(&is_zero) {
                    return;
                }
                let name = match signed {
                    true => "__product_overflows_ti",
                    false => "__product_overflows_uti",
                };
                let int = self.int();
                let overflows = self.computed_by(name, operands.clone(), int, span);
                self.refuse_where(overflows, kind, span);
            }
            _ => {}
        }
    }

    /// Branches to the errors of a sum or a difference, which the signs or the carry show.
    pub(super) fn check_result(
        &mut self,
        op: BinaryOp,
        [a, b]: [&Halves; 2],
        result: &Halves,
        signed: bool,
        span: Span,
    ) {
        if !matches!(op, BinaryOp::Add | BinaryOp::Subtract) {
            return;
        }
        let Some(kind) = self.kind_of_overflow(signed, span) else { return };
        let overflows = match (op, signed) {
            (BinaryOp::Add, false) => self.wide_compared(BinaryOp::Less, [result, a], false, span),
            (_, false) => self.wide_compared(BinaryOp::Less, [a, b], false, span),
            // The sign of the result is another one than that of the first operand, and of the second one in a sum, or the
            // operands of a difference have other signs.
            (_, true) => {
                let other = if op == BinaryOp::Add { &result[1] } else { &a[1] };
                let first = self.on_words(BinaryOp::BitXor, &a[1], &result[1]);
                let second = self.on_words(BinaryOp::BitXor, &b[1], other);
                let both = self.on_words(BinaryOp::BitAnd, &first, &second);
                self.is_negative_word(&both)
            }
        };
        self.refuse_where(overflows, kind, span);
    }

    /// The error of an operation whose result does not fit, if it is looked for.
    fn kind_of_overflow(&self, signed: bool, span: Span) -> Option<ErrorKind> {
        let (check, kind) = match signed {
            true => (Check::Overflow, ErrorKind::SignedOverflow),
            false => (Check::UnsignedOverflow, ErrorKind::UnsignedOverflow),
        };
        self.asks(check, span).then_some(kind)
    }

    /// Branches to an error where a count of 128 bits is too large for a smaller number, as its upper half shows.
    pub(super) fn check_high_of_count(&mut self, count: &Expr, span: Span) {
        if self.types.as_wide(count.ty).is_some() && self.asks_for_shifts(span) {
            let [_, high] = self.halves(count.clone());
            let zero = self.zero(high.ty, span);
            let is_large = self.combine(BinaryOp::NotEqual, high, zero, span);
            self.refuse_where(is_large, ErrorKind::ShiftCount, span);
        }
    }

    /// Branches to the errors of a shift that its operands show.
    pub(super) fn check_count(
        &mut self,
        op: BinaryOp,
        (a, signed): (&Halves, bool),
        (given, count): (&Expr, &Expr),
        span: Span,
    ) {
        if !self.asks_for_shifts(span) {
            return;
        }
        let is_left = op == BinaryOp::ShiftLeft && signed;
        let kind = if is_left { self.kind_of_left_shift(span) } else { ErrorKind::ShiftCount };
        if self.types.as_wide(given.ty).is_some() {
            let [_, high] = self.halves(given.clone());
            let zero = self.zero(high.ty, span);
            let is_large = self.combine(BinaryOp::NotEqual, high, zero, span);
            self.refuse_where(is_large, kind, span);
        }
        let limit = self.constant(128, count.ty, span);
        let is_large = self.combine(BinaryOp::GreaterEqual, count.clone(), limit, span);
        self.refuse_where(is_large, kind, span);
        if is_left {
            let is_negative = self.is_negative_word(&a[1]);
            self.refuse_where(is_negative, kind, span);
        }
    }

    /// Branches to the error of a shift to the left that loses bits.
    pub(super) fn check_shifted(
        &mut self,
        op: BinaryOp,
        (a, signed): (&Halves, bool),
        (result, count): (&Halves, &Expr),
        span: Span,
    ) {
        let is_asked = match signed {
            true => self.asks_for_shifts(span),
            false => self.asks(Check::UnsignedOverflow, span),
        };
        if op != BinaryOp::ShiftLeft || !is_asked {
            return;
        }
        let kind = if signed { self.kind_of_left_shift(span) } else { ErrorKind::UnsignedOverflow };
        let back = self.wide_shifted(BinaryOp::ShiftRight, result, count, signed);
        let loses = self.wide_compared(BinaryOp::NotEqual, [&back, a], false, span);
        self.refuse_where(loses, kind, span);
    }

    /// The error of a signed number that is shifted to the left, of which there is one kind for each check.
    fn kind_of_left_shift(&self, span: Span) -> ErrorKind {
        match self.asks(Check::Overflow, span) {
            true => ErrorKind::SignedOverflow,
            false => ErrorKind::LeftShift,
        }
    }

    fn asks_for_shifts(&self, span: Span) -> bool {
        self.asks(Check::Overflow, span) || self.asks(Check::Shift, span)
    }

    /// Whether a number has these bits.
    fn is_wide(&mut self, number: &Halves, bits: u128, span: Span) -> Expr {
        let other = [bits as u64, (bits >> 64) as u64];
        let other = other.map(|half| self.constant(half, number[0].ty, span));
        self.wide_compared(BinaryOp::Equal, [number, &other], false, span)
    }

    fn is_negative_word(&mut self, word: &Expr) -> Expr {
        let signed = self.with_sign(word.clone());
        let zero = self.zero(signed.ty, word.span);
        self.combine(BinaryOp::Less, signed, zero, word.span)
    }
}
