//! gcc's built-ins on integers, as expressions.

use super::super::convention::Special;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp};
use crate::library::BitFunction;
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// A binary operation; comparisons have type `int`.
pub(in crate::parse) fn binary(op: BinaryOp, left: &Expr, right: &Expr, ty: TypeId) -> Expr {
    Expr::binary(op, left.clone(), right.clone(), ty)
}

/// The result for a number of so many bits; none where gcc leaves it undefined.
fn folded(what: BitFunction, number: u64, bits: u32) -> Option<u64> {
    Some(match what {
        BitFunction::Swap => number.swap_bytes() >> (64 - bits),
        BitFunction::Reverse => number.reverse_bits() >> (64 - bits),
        BitFunction::Count => u64::from(number.count_ones()),
        BitFunction::Parity => u64::from(number.count_ones() & 1),
        BitFunction::First if number == 0 => 0,
        BitFunction::First => u64::from(number.trailing_zeros()) + 1,
        BitFunction::TrailingZeros | BitFunction::LeadingZeros if number == 0 => return None,
        BitFunction::TrailingZeros => u64::from(number.trailing_zeros()),
        BitFunction::LeadingZeros => u64::from(number.leading_zeros() + bits - 64),
    })
}

/// The target of a pointer.
pub(super) fn target(pointer: &Expr, ty: TypeId, span: Span) -> Place {
    Place { base: Base::Pointer(Box::new(pointer.clone())), path: Vec::new(), ty, span }
}

impl Context<'_> {
    /// An unsigned type of 8, 16, 32 or 64 bits.
    pub(in crate::parse::expression) fn unsigned(&mut self, bits: u32) -> TypeId {
        let rank = match bits {
            8 => 1,
            16 => 2,
            32 => 3,
            _ => 5,
        };
        self.types.intern(Type::Int { bits, signed: false, rank })
    }

    pub(super) fn same(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Expr {
        let value = binary(op, left, right, left.ty);
        self.keep(value)
    }

    pub(super) fn with(&mut self, op: BinaryOp, left: &Expr, right: u64) -> Expr {
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
    pub(in crate::parse::expression) fn bit_function(
        &mut self,
        what: BitFunction,
        call: &Special,
    ) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let (argument, for_zero) = match arguments {
            [argument] => (argument, None),
            [argument, for_zero] if name.ends_with("zg") => (argument, Some(for_zero)),
            _ => return Err(self.wrong_count(1, arguments.len(), None, span)),
        };
        let value = self.value(argument)?;
        let bits = match (what, name) {
            (BitFunction::Swap, "htonl" | "ntohl") => 32,
            (BitFunction::Swap, "htons" | "ntohs") => 16,
            (BitFunction::Swap | BitFunction::Reverse, _) => match name {
                _ if name.ends_with("16") => 16,
                _ if name.ends_with("32") => 32,
                _ if name.ends_with("64") => 64,
                _ => 8,
            },
            _ if name.ends_with('g') => match *self.types.get(value.ty) {
                Type::Int { bits: bits @ (8 | 16 | 32 | 64), signed: false, .. } => bits,
                _ => return Ok(self.undecided_call(name, span)),
            },
            _ if name.ends_with("zs") => 16,
            _ if name.ends_with("ll") => 64,
            _ if name.ends_with('l') => self.types.model.word(),
            _ => 32,
        };
        let ty = self.unsigned(bits);
        let value = self.implicit(value, ty);
        let int = self.int();
        let for_zero = match for_zero {
            Some(other) => {
                let other = self.value(other)?;
                let other = self.implicit(other, int);
                Some(self.keep(other))
            }
            None => None,
        };
        // Where a constant is needed, such a call of a constant is one.
        if (self.dry > 0 || self.current.is_none())
            && let ExprKind::Constant(number) = value.kind
            && let Some(result) = folded(what, number, bits)
        {
            let keeps = matches!(what, BitFunction::Swap | BitFunction::Reverse);
            let ty = if keeps { ty } else { int };
            return Ok(Called::Value(self.constant(result, ty, span)));
        }
        let x = self.keep(value);
        let zero = self.constant(0, ty, span);
        let is_zero = binary(BinaryOp::Equal, &x, &zero, int);
        let result = match what {
            BitFunction::Swap => return Ok(Called::Value(self.reversed(&x, bits, 8))),
            BitFunction::Reverse => return Ok(Called::Value(self.reversed(&x, bits, 1))),
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
                if for_zero.is_none() {
                    let (undefined, fine) = (self.fresh(), self.fresh());
                    self.branch_on(is_zero.clone(), undefined, fine, span)?;
                    self.go_on_at(undefined);
                    self.stop(Instruction::Unsupported(format!("'{name}' of 0")), span);
                    self.go_on_at(fine);
                }
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
                let count = self.count(&zeros, bits);
                match for_zero {
                    Some(other) => {
                        let count = Box::new(self.convert(count, int));
                        let kind = ExprKind::Conditional(Box::new(is_zero), Box::new(other), count);
                        Expr { kind, ty: int, span }
                    }
                    None => count,
                }
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

    /// Groups of so many bits in the opposite order.
    fn reversed(&mut self, x: &Expr, bits: u32, group: u32) -> Expr {
        let ty = x.ty;
        let wide = self.unsigned(bits.max(32));
        let x = self.convert(x.clone(), wide);
        let x = self.keep(x);
        let mut all = self.constant(0, wide, x.span);
        for at in (0..bits).step_by(group as usize) {
            let part = self.with(BinaryOp::ShiftRight, &x, u64::from(at));
            let part = self.with(BinaryOp::BitAnd, &part, (1 << group) - 1);
            let part = self.with(BinaryOp::ShiftLeft, &part, u64::from(bits - group - at));
            all = self.same(BinaryOp::BitOr, &all, &part);
        }
        self.convert(all, ty)
    }

    /// Leaves a path through a call undecided.
    pub(in crate::parse::expression) fn undecided_call(
        &mut self,
        name: &str,
        span: Span,
    ) -> Called {
        self.not_modelled(span, &format!("a call of '{name}'"));
        let int = self.int();
        Called::Value(self.constant(0, int, span))
    }
}
