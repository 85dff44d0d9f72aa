//! Sums, differences and products that tell whether they overflow, as expressions.

use super::super::convention::Special;
use super::bits::{binary, target};
use crate::flow::{BinaryOp, Expr, ExprKind, Instruction};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::syntax::tree::{Expression, Node};
use crate::types::{Type, TypeId};

impl Context<'_> {
    /// `__builtin_add_overflow` and the like: stores the wrapped result, and says whether it is
    /// another one than the exact result.
    pub(in crate::parse::expression) fn overflowing(
        &mut self,
        op: BinaryOp,
        call: &Special,
    ) -> Typed<Called> {
        let &Special { name, arguments, span, .. } = call;
        let [first, second, third] = arguments else {
            return Err(self.wrong_count(3, arguments.len(), None, span));
        };
        // In `stdckdint.h`, the result comes first.
        let result_first = name.starts_with("ckd_");
        let named = self.named(name);
        let mut to = None;
        if result_first {
            to = Some(self.kept_pointer(first)?);
        }
        let [a, b] = if result_first { [second, third] } else { [first, second] };
        let (a, b) = (self.operand_of(a, named)?, self.operand_of(b, named)?);
        // `__builtin_add_overflow_p` stores nothing: of its last argument only the type matters.
        let predicate = name.ends_with("_p");
        let mut example = None;
        if predicate {
            let value = self.value(third)?;
            example = Some(value.ty);
        }
        let to = match to {
            Some(to) => to,
            None if predicate => a.clone(),
            None => self.kept_pointer(third)?,
        };
        let (to, ty) = match (example, self.types.get(to.ty)) {
            (Some(ty), _) => (to, ty),
            (None, &Type::Pointer(given)) => match named {
                // gcc warns of a pointer to another type, and writes as much as the name says.
                Some(ty) if self.holds(given, ty) => {
                    let pointer = self.types.intern(Type::Pointer(ty));
                    (self.convert(to, pointer), ty)
                }
                Some(_) => return Ok(self.undecided_call(name, span)),
                None => (to, given),
            },
            _ => return Ok(self.undecided_call(name, span)),
        };
        let (Some((bits, signed)), Some(left), Some(right)) =
            (self.types.bits(ty), self.types.bits(a.ty), self.types.bits(b.ty))
        else {
            return Ok(self.undecided_call(name, span));
        };
        let int = self.int();
        let is_number = |ty: &Type| matches!(ty, Type::Int { .. });
        if ![ty, a.ty, b.ty].iter().all(|&ty| is_number(self.types.get(ty))) {
            return Ok(self.undecided_call(name, span));
        }
        let (value, overflow) = if left.0 <= 32 && right.0 <= 32 {
            let wide_signed = op != BinaryOp::Multiply || left.1 || right.1;
            let wide = self.types.intern(Type::Int { bits: 64, signed: wide_signed, rank: 5 });
            let (a, b) = (self.convert(a, wide), self.convert(b, wide));
            let exact = self.same(op, &a, &b);
            let value = self.convert(exact.clone(), ty);
            let back = self.convert(value.clone(), wide);
            let mut overflow = binary(BinaryOp::NotEqual, &back, &exact, int);
            if bits == 64 && signed != wide_signed {
                let long = self.types.intern(Type::Int { bits: 64, signed: true, rank: 5 });
                let number = self.convert(exact, long);
                let zero = self.constant(0, long, span);
                overflow = binary(BinaryOp::Less, &number, &zero, int);
            }
            (value, overflow)
        } else {
            let fits = |e: &Expr, (width, sign): (u32, bool), wide: bool| {
                let positive =
                    matches!(e.kind, ExprKind::Constant(n) if n >> (width.min(64) - 1) & 1 == 0);
                sign == wide || !sign && width < 64 || positive
            };
            // A type of 64 bits in which nothing overflows that fits into the result's type.
            let all = |wide: bool| fits(&a, left, wide) && fits(&b, right, wide);
            let wide_signed = match (signed, bits) {
                (true, _) if all(true) => Some(true),
                (false, _) if all(false) => Some(false),
                (false, ..64) if all(true) => Some(true),
                _ => None,
            };
            let Some(wide_signed) = wide_signed else {
                let (value, overflow) = self.two_words(op, &[a, b], ty);
                return Ok(self.stored(value, overflow, (!predicate).then_some(&to), call));
            };
            let wide = self.types.intern(Type::Int { bits: 64, signed: wide_signed, rank: 5 });
            let (a, b) = (self.convert(a, wide), self.convert(b, wide));
            let (exact, overflow) = self.wide(op, wide_signed, a, b);
            let exact = self.convert(exact, wide);
            let value = self.convert(exact.clone(), ty);
            let back = self.convert(value.clone(), wide);
            let differs = binary(BinaryOp::NotEqual, &back, &exact, int);
            (value, binary(BinaryOp::Or, &overflow, &differs, int))
        };
        Ok(self.stored(value, overflow, (!predicate).then_some(&to), call))
    }

    /// Stores the result of an operation, where it is to be stored; the value of the call is whether it overflows.
    fn stored(&mut self, value: Expr, overflow: Expr, to: Option<&Expr>, call: &Special) -> Called {
        let overflow = self.keep(overflow);
        if let Some(to) = to {
            let place = target(to, value.ty, call.span);
            self.emit(Instruction::Assign(place, value), call.span);
        }
        if call.used { Called::Value(overflow) } else { Called::Nothing }
    }

    fn kept_pointer(&mut self, node: &Node<Expression>) -> Typed<Expr> {
        let pointer = self.value(node)?;
        Ok(self.keep(pointer))
    }

    /// Whether there is room for an integer of type `ty` in what a pointer to `given` points to.
    fn holds(&self, given: TypeId, ty: TypeId) -> bool {
        let bits = |ty| self.types.bits(ty).map_or(0, |(bits, _)| bits);
        matches!(self.types.get(given), Type::Int { .. }) && bits(given) >= bits(ty)
    }

    /// The wrapped result of an operation on integers of any types, and whether it overflows: computed with 128 bits,
    /// of which no product of two numbers of 64 bits needs more.
    fn two_words(&mut self, op: BinaryOp, operands: &[Expr; 2], ty: TypeId) -> (Expr, Expr) {
        let [a, b] = operands.each_ref().map(|x| self.halves_of_word(x.clone()));
        let found = self.on_halves(op, [&a, &b]);
        let found = found.map(|half| self.keep(half));
        let value = self.convert(found[0].clone(), ty);
        let value = self.keep(value);
        let back = self.halves_of_word(value.clone());
        let overflow = self.wide_compared(BinaryOp::NotEqual, [&back, &found], false, value.span);
        (value, overflow)
    }

    /// The type of everything that a built-in like `__builtin_sadd_overflow` names; the generic ones take any.
    fn named(&mut self, name: &str) -> Option<TypeId> {
        let kind = name
            .trim_start_matches("__builtin_")
            .trim_end_matches("_p")
            .trim_end_matches("_overflow");
        let signed = kind.starts_with('s') && !kind.starts_with("sub");
        let length = if signed || kind.starts_with('u') { kind.get(4..)? } else { return None };
        let (bits, rank) = match length {
            "" => (32, 3),
            "l" => (self.types.model.word(), 4),
            _ => (64, 5),
        };
        Some(self.types.intern(Type::Int { bits, signed, rank }))
    }

    /// An operand, in the type that the name of the built-in asks for.
    fn operand_of(&mut self, node: &Node<Expression>, named: Option<TypeId>) -> Typed<Expr> {
        let value = self.value(node)?;
        let value = self.promote(value);
        let value = match named {
            Some(ty) => self.convert(value, ty),
            None => value,
        };
        Ok(self.keep(value))
    }

    /// The wrapped result of an operation on 64 bits, and whether it overflows.
    fn wide(&mut self, op: BinaryOp, signed: bool, a: Expr, b: Expr) -> (Expr, Expr) {
        let (int, unsigned) = (self.int(), self.unsigned(64));
        let (x, y) = (self.convert(a, unsigned), self.convert(b, unsigned));
        let (x, y) = (self.keep(x), self.keep(y));
        let value = self.same(op, &x, &y);
        let zero = self.constant(0, unsigned, x.span);
        let overflow = match (op, signed) {
            (BinaryOp::Add, false) => binary(BinaryOp::Less, &value, &x, int),
            (BinaryOp::Subtract, false) => binary(BinaryOp::Less, &x, &y, int),
            (BinaryOp::Add | BinaryOp::Subtract, true) => {
                let other = if op == BinaryOp::Add { &value } else { &x };
                let first = self.same(BinaryOp::BitXor, &x, &value);
                let second = self.same(BinaryOp::BitXor, &y, other);
                let both = self.same(BinaryOp::BitAnd, &first, &second);
                let sign = self.with(BinaryOp::ShiftRight, &both, 63);
                binary(BinaryOp::NotEqual, &sign, &zero, int)
            }
            (_, false) => self.product_overflows(&x, &y, &value),
            (_, true) => {
                let (left, right) = (self.sign(&x), self.sign(&y));
                let (p, q) = (self.magnitude(&x, &left), self.magnitude(&y, &right));
                let product = self.same(BinaryOp::Multiply, &p, &q);
                let wraps = self.product_overflows(&p, &q, &product);
                let negative = self.same(BinaryOp::BitXor, &left, &right);
                let limit = self.with(BinaryOp::Add, &negative, i64::MAX as u64);
                let large = binary(BinaryOp::Greater, &product, &limit, int);
                binary(BinaryOp::Or, &wraps, &large, int)
            }
        };
        (value, overflow)
    }

    /// Whether a product of unsigned numbers is not the exact one.
    fn product_overflows(&mut self, x: &Expr, y: &Expr, product: &Expr) -> Expr {
        let int = self.int();
        let zero = self.constant(0, x.ty, x.span);
        let is_zero = binary(BinaryOp::Equal, x, &zero, int);
        let one = self.convert(is_zero, x.ty);
        let divisor = self.same(BinaryOp::Add, x, &one);
        let back = self.same(BinaryOp::Divide, product, &divisor);
        let differs = binary(BinaryOp::NotEqual, &back, y, int);
        let some = binary(BinaryOp::NotEqual, x, &zero, int);
        binary(BinaryOp::And, &some, &differs, int)
    }

    /// 1 for negative numbers, as an unsigned number.
    fn sign(&mut self, x: &Expr) -> Expr {
        self.with(BinaryOp::ShiftRight, x, 63)
    }

    fn magnitude(&mut self, x: &Expr, sign: &Expr) -> Expr {
        let zero = self.constant(0, x.ty, x.span);
        let all = self.same(BinaryOp::Subtract, &zero, sign);
        let flipped = self.same(BinaryOp::BitXor, x, &all);
        self.same(BinaryOp::Add, &flipped, sign)
    }
}
