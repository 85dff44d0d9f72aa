//! Operations on two integers of which one has 128 bits.

use super::Halves;
use super::convert::is_sign;
use crate::flow::{BinaryOp, Expr, ExprKind};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::convert::is_comparison;
use crate::types::{INT128, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// A binary operation of which an operand has 128 bits, and none is complex; `None` if there is no such operand.
    pub(in crate::parse::expression) fn wide_arithmetic(
        &mut self,
        op: BinaryOp,
        [left, right]: [&Expr; 2],
        span: Span,
    ) -> Typed<Option<Expr>> {
        let operands = [left.ty, right.ty];
        let is = |ok: &dyn Fn(TypeId) -> bool| operands.into_iter().any(ok);
        let types = &self.types;
        if !is(&|ty| types.as_wide(ty).is_some()) || is(&|ty| types.as_complex(ty).is_some()) {
            return Ok(None);
        }
        if is(&|ty| types.is_pointer(ty)) {
            if is_comparison(op) {
                return Err(
                    self.unsupported(span, &format!("a comparison of a pointer with {INT128}"))
                );
            }
            // As an index, it is cut off.
            let word = self.types.signed_word();
            let [left, right] = [left, right].map(|e| match self.types.as_wide(e.ty) {
                Some(_) => self.convert(e.clone(), word),
                None => e.clone(),
            });
            return self.arithmetic(op, left, right, span).map(Some);
        }
        let Some(common) = self.common_wide(operands) else {
            return Err(self.wrong_operands(op, left, right, span));
        };
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            if !is(&|ty| matches!(self.types.get(ty), Type::Float { .. })) {
                return self.wide_shift(op, left, right, span).map(Some);
            }
            return Err(self.wrong_operands(op, left, right, span));
        }
        let [left, right] = [left, right].map(|e| self.implicit(e.clone(), common));
        if self.types.as_wide(common).is_none() {
            return self.arithmetic(op, left, right, span).map(Some);
        }
        self.on_wide(op, [left, right], common, span).map(Some)
    }

    /// An operation on two numbers of a type of 128 bits, but for shifts.
    pub(super) fn on_wide(
        &mut self,
        op: BinaryOp,
        operands: [Expr; 2],
        ty: TypeId,
        span: Span,
    ) -> Typed<Expr> {
        let signed = self.types.as_wide(ty) == Some(true);
        let operands = operands.map(|e| self.once(e));
        let [a, b] = operands.clone().map(|e| self.halves(e));
        if is_comparison(op) {
            return Ok(self.wide_compared(op, [&a, &b], signed, span));
        }
        self.check_operands(op, [&a, &b], &operands, span);
        if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
            return Ok(self.quotient_of_wide(op, [&a, &b], operands, span));
        }
        let halves = self.on_halves(op, [&a, &b]);
        let result = self.joined(halves, ty, span);
        let found = self.halves(result.clone());
        self.check_result(op, [&a, &b], &found, signed, span);
        Ok(result)
    }

    /// An operation on numbers modulo 2 to the power of 128, but for divisions and shifts.
    pub(in crate::parse::expression) fn on_halves(
        &mut self,
        op: BinaryOp,
        [a, b]: [&Halves; 2],
    ) -> Halves {
        match op {
            BinaryOp::Add => self.sum(a, b),
            BinaryOp::Subtract => self.difference_of_halves(a, b),
            BinaryOp::Multiply => self.product_of_halves(a, b),
            _ => [0, 1].map(|at| self.on_words(op, &a[at], &b[at])),
        }
    }

    /// An operation on words, where 0 changes nothing.
    pub(super) fn on_words(&mut self, op: BinaryOp, x: &Expr, y: &Expr) -> Expr {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Multiply, ShiftLeft, ShiftRight, Subtract};
        let zeros = [x, y].map(|word| self.as_number(word) == Some(0));
        match (op, zeros) {
            (Add | Subtract | BitOr | BitXor | ShiftLeft | ShiftRight, [_, true]) => x.clone(),
            (Add | BitOr | BitXor, [true, _]) => y.clone(),
            (Multiply | BitAnd, [true, _]) | (ShiftLeft | ShiftRight, [true, _]) => x.clone(),
            (Multiply | BitAnd, [_, true]) => y.clone(),
            _ => self.combine(op, x.clone(), y.clone(), x.span),
        }
    }

    /// The same with a number on the right.
    fn with_word(&mut self, op: BinaryOp, x: &Expr, y: u64) -> Expr {
        let y = self.constant(y, x.ty, x.span);
        self.on_words(op, x, &y)
    }

    /// The sum with the carry of the lower halves, which is there where their sum is less than one of them.
    fn sum(&mut self, a: &Halves, b: &Halves) -> Halves {
        let low = self.on_words(BinaryOp::Add, &a[0], &b[0]);
        let low = self.once(low);
        let high = self.on_words(BinaryOp::Add, &a[1], &b[1]);
        let carries = ![a, b].iter().any(|number| self.as_number(&number[0]) == Some(0));
        let high = match carries {
            true => {
                let carry = self.combine(BinaryOp::Less, low.clone(), b[0].clone(), low.span);
                let carry = self.convert(carry, low.ty);
                self.on_words(BinaryOp::Add, &high, &carry)
            }
            false => high,
        };
        [low, high]
    }

    fn difference_of_halves(&mut self, a: &Halves, b: &Halves) -> Halves {
        let low = self.on_words(BinaryOp::Subtract, &a[0], &b[0]);
        let high = self.on_words(BinaryOp::Subtract, &a[1], &b[1]);
        if self.as_number(&b[0]) == Some(0) {
            return [low, high];
        }
        let borrow = self.combine(BinaryOp::Less, a[0].clone(), b[0].clone(), low.span);
        let borrow = self.convert(borrow, low.ty);
        [low, self.on_words(BinaryOp::Subtract, &high, &borrow)]
    }

    /// The product: that of the lower halves, and twice one of a lower and an upper half, of which the lower word counts.
    fn product_of_halves(&mut self, a: &Halves, b: &Halves) -> Halves {
        let [low, mut high] = self.product_of_words(&a[0], &b[0]);
        for (upper, word) in [(&a[1], &b[0]), (&b[1], &a[0])] {
            high = match is_sign(upper) {
                // It is 0 or -1.
                true => {
                    let part = self.on_words(BinaryOp::BitAnd, upper, word);
                    self.on_words(BinaryOp::Subtract, &high, &part)
                }
                false => {
                    let part = self.on_words(BinaryOp::Multiply, upper, word);
                    self.on_words(BinaryOp::Add, &high, &part)
                }
            };
        }
        [low, high]
    }

    /// All bits of the product of two words, of four products of halves of them.
    fn product_of_words(&mut self, x: &Expr, y: &Expr) -> Halves {
        const LOW: u64 = 0xFFFF_FFFF;
        use BinaryOp::{Add, BitAnd, BitOr, Multiply, ShiftLeft, ShiftRight};
        let parts = [x, y].map(|word| {
            let parts = [self.with_word(BitAnd, word, LOW), self.with_word(ShiftRight, word, 32)];
            parts.map(|part| self.once(part))
        });
        let [[a, b], [c, d]] = &parts;
        let [ac, ad, bc, bd] = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| {
            let product = self.on_words(Multiply, x, y);
            self.once(product)
        });
        // No sum is greater than a word.
        let carried = self.with_word(ShiftRight, &ac, 32);
        let first = self.on_words(Add, &bc, &carried);
        let first = self.once(first);
        let carried = self.with_word(BitAnd, &first, LOW);
        let second = self.on_words(Add, &ad, &carried);
        let second = self.once(second);
        let [first, upper] = [&first, &second].map(|sum| self.with_word(ShiftRight, sum, 32));
        let high = self.on_words(Add, &bd, &first);
        let high = self.on_words(Add, &high, &upper);
        let middle = self.with_word(ShiftLeft, &second, 32);
        let last = self.with_word(BitAnd, &ac, LOW);
        [self.on_words(BitOr, &middle, &last), high]
    }

    fn quotient_of_wide(
        &mut self,
        op: BinaryOp,
        [a, b]: [&Halves; 2],
        operands: [Expr; 2],
        span: Span,
    ) -> Expr {
        let ty = operands[0].ty;
        let signed = self.types.as_wide(ty) == Some(true);
        let is_quotient = op == BinaryOp::Divide;
        if let (Some(a), Some(b)) = (self.wide_bits(a), self.wide_bits(b))
            && b != 0
        {
            let found = match (signed, is_quotient) {
                (true, true) => (a as i128).wrapping_div(b as i128) as u128,
                (true, false) => (a as i128).wrapping_rem(b as i128) as u128,
                (false, true) => a / b,
                (false, false) => a % b,
            };
            return self.wide_constant(found, ty, span);
        }
        if [a, b].iter().all(|number| self.as_number(&number[1]) == Some(0)) {
            let low = self.combine(op, a[0].clone(), b[0].clone(), span);
            return self.extended(low, ty);
        }
        let name = match (signed, is_quotient) {
            (true, true) => "__divti3",
            (true, false) => "__modti3",
            (false, true) => "__udivti3",
            (false, false) => "__umodti3",
        };
        self.computed_by(name, operands, ty, span)
    }

    /// A comparison: that of the upper halves, or of the lower ones where these are equal.
    pub(in crate::parse::expression) fn wide_compared(
        &mut self,
        op: BinaryOp,
        [a, b]: [&Halves; 2],
        signed: bool,
        span: Span,
    ) -> Expr {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, NotEqual, Or};
        let low = self.combine(op, a[0].clone(), b[0].clone(), span);
        let strict = match op {
            Equal | NotEqual => {
                let high = self.combine(op, a[1].clone(), b[1].clone(), span);
                let join = if op == Equal { And } else { Or };
                return self.combine(join, high, low, span);
            }
            Greater | GreaterEqual => Greater,
            _ => Less,
        };
        let same = self.combine(Equal, a[1].clone(), b[1].clone(), span);
        let low = self.combine(And, same, low, span);
        let [x, y] = [a, b].map(|number| match signed {
            true => self.with_sign(number[1].clone()),
            false => number[1].clone(),
        });
        let high = self.combine(strict, x, y, span);
        self.combine(Or, high, low, span)
    }

    /// A shift of which an operand has 128 bits, and both are integers.
    fn wide_shift(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Typed<Expr> {
        let word = self.unsigned(64);
        let right = self.once(right.clone());
        // The processor uses the lowest bits only.
        let count = self.convert(right.clone(), word);
        let count = self.once(count);
        let Some(signed) = self.types.as_wide(left.ty) else {
            self.check_high_of_count(&right, span);
            return self.arithmetic(op, left.clone(), count, span);
        };
        let left = self.once(left.clone());
        let a = self.halves(left.clone());
        self.check_count(op, (&a, signed), (&right, &count), span);
        let halves = self.wide_shifted(op, &a, &count, signed);
        let result = self.joined(halves, left.ty, span);
        let found = self.halves(result.clone());
        self.check_shifted(op, (&a, signed), (&found, &count), span);
        Ok(result)
    }

    /// The halves of a number that is shifted by a count modulo 128; to the right, the sign may come in.
    pub(super) fn wide_shifted(
        &mut self,
        op: BinaryOp,
        a: &Halves,
        count: &Expr,
        signed: bool,
    ) -> Halves {
        use BinaryOp::{BitAnd, BitOr, ShiftLeft, ShiftRight, Subtract};
        let is_left = op == ShiftLeft;
        let back = if is_left { ShiftRight } else { ShiftLeft };
        // What is moved goes from one half to another one, which is the last one on its way.
        let (source, end) = if is_left { (&a[0], &a[1]) } else { (&a[1], &a[0]) };
        let signed_source = match signed && !is_left {
            true => self.with_sign(source.clone()),
            false => source.clone(),
        };
        let fill = match signed && !is_left {
            true => self.sign_of(source),
            false => self.zero(source.ty, source.span),
        };
        let near = self.with_word(BitAnd, count, 63);
        let moved = self.on_words(op, &signed_source, &near);
        let known = self.as_number(count).map(|count| count & 127);
        if known == Some(0) {
            return a.clone();
        }
        let pair = |end, source| if is_left { [source, end] } else { [end, source] };
        if known.is_some_and(|count| count >= 64) {
            return pair(moved, fill);
        }
        // The bits that go over are shifted the other way, by 64 in all.
        let over = self.with_word(back, source, 1);
        let most = self.constant(63, near.ty, near.span);
        let rest = self.on_words(Subtract, &most, &near);
        let over = self.on_words(back, &over, &rest);
        let joined = self.on_words(op, end, &near);
        let joined = self.on_words(BitOr, &joined, &over);
        if known.is_some() {
            return pair(joined, moved);
        }
        let moved = self.once(moved);
        let is_far = self.with_word(BitAnd, count, 64);
        let is_far = self.once(is_far);
        let [far, close] = [[moved.clone(), fill], [joined, moved]];
        let [end, source] = [0, 1].map(|at| {
            let word = source.ty;
            let [far, close] = [&far[at], &close[at]].map(|half| self.convert(half.clone(), word));
            let kind =
                ExprKind::Conditional(Box::new(is_far.clone()), Box::new(far), Box::new(close));
            Expr { kind, ty: word, span: count.span }
        });
        pair(end, source)
    }
}
