//! gcc's built-ins on integers, as expressions.

use super::super::call::Called;
use super::super::convention::Special;
use crate::base::source::Span;
use crate::program::c::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp};
use crate::program::c::library::BitFunction;
use crate::program::c::parse::context::{Context, Typed};
use crate::program::c::types::{Type, TypeId};

/// A binary operation; comparisons have type `int`.
pub(in crate::program::c::parse::expression) fn binary(
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    ty: TypeId,
) -> Expr {
    let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, left, right), ty, span }
}

/// What a pointer points to.
pub(super) fn target(pointer: &Expr, ty: TypeId, span: Span) -> Place {
    Place { base: Base::Pointer(Box::new(pointer.clone())), path: Vec::new(), ty, span }
}

impl Context<'_> {
    /// An unsigned type of 16, 32 or 64 bits.
    pub(in crate::program::c::parse::expression) fn unsigned(&mut self, bits: u32) -> TypeId {
        let rank = match bits {
            16 => 2,
            32 => 3,
            _ => 5,
        };
        self.types.intern(Type::Int { bits, signed: false, rank })
    }

    fn same(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Expr {
        let value = binary(op, left, right, left.ty);
        self.keep(value)
    }

    fn with(&mut self, op: BinaryOp, left: &Expr, right: u64) -> Expr {
        let bits = self.types.bits(left.ty).map_or(64, |(bits, _)| bits);
        let right = if bits < 64 { right & ((1 << bits) - 1) } else { right };
        let right = self.constant(right, left.ty, left.span);
        self.same(op, left, &right)
    }

    fn inverse(&mut self, value: &Expr) -> Expr {
        let kind = ExprKind::Unary(UnaryOp::BitNot, Box::new(value.clone()));
        Expr { kind, ty: value.ty, span: value.span }
    }

    /// `__builtin_popcount` and the like.
    pub(in crate::program::c::parse::expression) fn bit_function(
        &mut self,
        what: BitFunction,
        call: &Special,
    ) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let [argument] = arguments else {
            return Err(self.wrong_count(1, arguments.len(), None, span));
        };
        let bits = match (what, name) {
            (BitFunction::Swap, _) if name.ends_with("16") => 16,
            (BitFunction::Swap, _) if name.ends_with("32") => 32,
            (BitFunction::Swap, _) => 64,
            _ if name.ends_with("ll") => 64,
            _ if name.ends_with('l') => self.types.model.word(),
            _ => 32,
        };
        let ty = self.unsigned(bits);
        let value = self.value(argument)?;
        let value = self.convert(value, ty);
        let x = self.keep(value);
        let int = self.int();
        let zero = self.constant(0, ty, span);
        let is_zero = binary(BinaryOp::Equal, &x, &zero, int);
        let result = match what {
            BitFunction::Swap => return Ok(self.swap(&x, bits)),
            BitFunction::Count => self.count(&x, bits),
            BitFunction::Parity => {
                let count = self.count(&x, bits);
                self.with(BinaryOp::BitAnd, &count, 1)
            }
            BitFunction::First => {
                let less = self.with(BinaryOp::Subtract, &x, 1);
                let low = self.same(BinaryOp::BitXor, &x, &less);
                let count = self.count(&low, bits);
                let kind = ExprKind::Conditional(
                    Box::new(is_zero),
                    Box::new(zero.clone()),
                    Box::new(count),
                );
                Expr { kind, ty, span }
            }
            BitFunction::TrailingZeros | BitFunction::LeadingZeros => {
                let (undefined, fine) = (self.fresh(), self.fresh());
                self.branch_on(is_zero, undefined, fine, span)?;
                self.go_on_at(undefined);
                self.stop(Instruction::Unsupported(format!("'{name}' of 0")), span);
                self.go_on_at(fine);
                let mut zeros = x;
                if what == BitFunction::TrailingZeros {
                    let less = self.with(BinaryOp::Subtract, &zeros, 1);
                    let not = self.inverse(&zeros);
                    zeros = self.same(BinaryOp::BitAnd, &not, &less);
                } else {
                    let mut shift = 1;
                    while shift < bits {
                        let shifted = self.with(BinaryOp::ShiftRight, &zeros, u64::from(shift));
                        zeros = self.same(BinaryOp::BitOr, &zeros, &shifted);
                        shift *= 2;
                    }
                    zeros = self.inverse(&zeros);
                }
                self.count(&zeros, bits)
            }
        };
        if !used {
            return Ok(Called::Nothing);
        }
        Ok(Called::Value(self.convert(result, int)))
    }

    /// The number of ones, in the type of the value.
    fn count(&mut self, x: &Expr, bits: u32) -> Expr {
        let half = self.with(BinaryOp::ShiftRight, x, 1);
        let half = self.with(BinaryOp::BitAnd, &half, 0x5555_5555_5555_5555);
        let pairs = self.same(BinaryOp::Subtract, x, &half);
        let high = self.with(BinaryOp::ShiftRight, &pairs, 2);
        let high = self.with(BinaryOp::BitAnd, &high, 0x3333_3333_3333_3333);
        let low = self.with(BinaryOp::BitAnd, &pairs, 0x3333_3333_3333_3333);
        let fours = self.same(BinaryOp::Add, &low, &high);
        let high = self.with(BinaryOp::ShiftRight, &fours, 4);
        let bytes = self.same(BinaryOp::Add, &fours, &high);
        let bytes = self.with(BinaryOp::BitAnd, &bytes, 0x0F0F_0F0F_0F0F_0F0F);
        let sum = self.with(BinaryOp::Multiply, &bytes, 0x0101_0101_0101_0101);
        self.with(BinaryOp::ShiftRight, &sum, u64::from(bits - 8))
    }

    /// The bytes in the opposite order.
    fn swap(&mut self, x: &Expr, bits: u32) -> Called {
        let ty = x.ty;
        let wide = self.unsigned(bits.max(32));
        let x = self.convert(x.clone(), wide);
        let x = self.keep(x);
        let mut all = self.constant(0, wide, x.span);
        for at in (0..bits).step_by(8) {
            let byte = self.with(BinaryOp::ShiftRight, &x, u64::from(at));
            let byte = self.with(BinaryOp::BitAnd, &byte, 0xFF);
            let byte = self.with(BinaryOp::ShiftLeft, &byte, u64::from(bits - 8 - at));
            all = self.same(BinaryOp::BitOr, &all, &byte);
        }
        Called::Value(self.convert(all, ty))
    }

    /// `__builtin_add_overflow` and the like: stores the wrapped result, and says whether it is
    /// another one than the exact result.
    pub(in crate::program::c::parse::expression) fn overflowing(
        &mut self,
        op: BinaryOp,
        call: &Special,
    ) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let [a, b, to] = arguments else {
            return Err(self.wrong_count(3, arguments.len(), None, span));
        };
        let named = self.named(name);
        let (a, b) = (self.operand_of(a, named)?, self.operand_of(b, named)?);
        let mut to = self.value(to)?;
        if let (Some(ty), &Type::Pointer(given)) = (named, self.types.get(to.ty)) {
            // gcc warns of a pointer to a type of another size, and writes as much as the name says.
            if self.types.bits(given).map(|b| b.0) != self.types.bits(ty).map(|b| b.0) {
                return Ok(self.undecided_call(name, span));
            }
            let pointer = self.types.intern(Type::Pointer(ty));
            to = self.convert(to, pointer);
        }
        let to = self.keep(to);
        let ty = match *self.types.get(to.ty) {
            Type::Pointer(ty) => ty,
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
                (true, _) if all(true) => true,
                (false, _) if all(false) => false,
                (false, ..64) if all(true) => true,
                _ => return Ok(self.undecided_call(name, span)),
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
        let overflow = self.keep(overflow);
        let place = target(&to, ty, span);
        self.emit(Instruction::Assign(place, value), span);
        Ok(if used { Called::Value(overflow) } else { Called::Nothing })
    }

    /// The type of everything that a built-in like `__builtin_sadd_overflow` names; the generic ones take any.
    fn named(&mut self, name: &str) -> Option<TypeId> {
        let kind = name.trim_start_matches("__builtin_").trim_end_matches("_overflow");
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
    fn operand_of(
        &mut self,
        node: &lang_c::span::Node<lang_c::ast::Expression>,
        named: Option<TypeId>,
    ) -> Typed<Expr> {
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

    /// Leaves a path through a call undecided.
    pub(in crate::program::c::parse::expression) fn undecided_call(
        &mut self,
        name: &str,
        span: Span,
    ) -> Called {
        self.not_modelled(span, &format!("a call of '{name}'"));
        let int = self.int();
        Called::Value(self.constant(0, int, span))
    }
}
