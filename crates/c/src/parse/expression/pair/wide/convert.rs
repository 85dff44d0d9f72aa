//! Conversions between integers of 128 bits and other numbers.

use crate::checks::range;
use crate::flow::{BinaryOp, Expr, ExprKind};
use crate::parse::context::Context;
use crate::types::{INT128, Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};

impl Context<'_> {
    /// Converts a number to another type, where one of them has 128 bits and none is complex.
    pub(in crate::parse::expression) fn convert_wide(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        let (from, into) = (e.ty, self.types.as_wide(to));
        if self.types.is_pointer(from) || self.types.is_pointer(to) {
            self.not_modelled(span, &format!("a conversion between a pointer and {INT128}"));
        }
        let Some(signed) = self.types.as_wide(from) else {
            return match self.types.get(from) {
                Type::Float { .. } => self.wide_of_float(e, to),
                _ => self.extended(e, to),
            };
        };
        if into.is_some() {
            let parts = self.parts_of_pair(e);
            let [low, high] = parts;
            return match is_sign(&high) {
                true => {
                    let low = self.with_sign(low);
                    self.extended(low, to)
                }
                false => self.joined([low, high], to, span),
            };
        }
        match self.types.get(to) {
            Type::Bool => {
                let truth = self.wide_truth(e);
                self.convert(truth, to)
            }
            Type::Float { .. } => self.float_of_wide(e, signed, to),
            _ => {
                let [low, _] = self.parts_of_pair(e);
                self.convert(low, to)
            }
        }
    }

    fn wide_of_float(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        let signed = self.types.as_wide(to) == Some(true);
        if let ExprKind::Float(value) = e.kind
            && !self.is_long_double(e.ty)
        {
            let (low, end) = range::of_wide(signed);
            if value.trunc() >= low && value < end {
                let bits = if signed { value as i128 as u128 } else { value as u128 };
                return self.wide_constant(bits, to, span);
            }
        }
        if self.is_long_double(e.ty) {
            self.not_modelled(span, "'long double'");
        }
        let double = self.types.intern(Type::Float { bits: 64 });
        let value = self.convert(e, double);
        self.computed_by(if signed { "__fixdfti" } else { "__fixunsdfti" }, [value], to, span)
    }

    fn float_of_wide(&mut self, e: Expr, signed: bool, to: TypeId) -> Expr {
        let span = e.span;
        let is_single = *self.types.get(to) == (Type::Float { bits: 32 });
        let e = self.once(e);
        let halves = self.halves(e.clone());
        if let Some(bits) = self.wide_bits(&halves).filter(|_| !self.is_long_double(to)) {
            let value = match (signed, is_single) {
                (true, true) => f64::from(bits as i128 as f32),
                (true, false) => bits as i128 as f64,
                (false, true) => f64::from(bits as f32),
                (false, false) => bits as f64,
            };
            return self.float_constant(value, to, span);
        }
        if self.is_long_double(to) {
            self.not_modelled(span, "'long double'");
        }
        let name = match (signed, is_single) {
            (true, true) => "__floattisf",
            (true, false) => "__floattidf",
            (false, true) => "__floatuntisf",
            (false, false) => "__floatuntidf",
        };
        self.computed_by(name, [e], to, span)
    }

    /// A number that an implicit conversion does not change, where one of the types has 128 bits and both are of integers, as
    /// far as that is asked for.
    pub(in crate::parse::expression) fn unchanged_wide(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        let (from, into) = (self.types.as_wide(e.ty), self.types.as_wide(to));
        let signs = [(from, e.ty), (into, to)]
            .map(|(wide, ty)| wide.or(self.types.bits(ty).map(|(_, signed)| signed)));
        let [Some(from_signed), Some(to_signed)] = signs else { return e };
        if *self.types.get(to) == Type::Bool || !self.asks(Check::Conversion, span) {
            return e;
        }
        let e = self.once(e);
        let int = self.int();
        let mut changes = self.constant(0, int, span);
        if from_signed != to_signed && (from_signed || from.is_some()) {
            // The number is negative before the conversion, or becomes so.
            let [value, target] = [e.clone(), self.convert(e.clone(), to)];
            let value = if from_signed { value } else { target };
            changes = self.is_negative(value);
        }
        if from.is_some() && into.is_none() {
            let there = self.convert(e.clone(), to);
            let back = self.convert(there, e.ty);
            let [a, b] = [self.halves(back), self.halves(e.clone())];
            let lost = self.wide_compared(BinaryOp::NotEqual, [&a, &b], false, span);
            changes = self.combine(BinaryOp::Or, changes, lost, span);
        }
        self.refuse_where(changes, ErrorKind::Conversion, span);
        e
    }

    /// Whether an integer is less than 0.
    fn is_negative(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let value = match self.types.as_wide(e.ty) {
            Some(_) => {
                let [_, high] = self.parts_of_pair(e);
                self.with_sign(high)
            }
            None => e,
        };
        let zero = self.zero(value.ty, span);
        self.combine(BinaryOp::Less, value, zero, span)
    }
}

/// Whether the upper half of a number is known to be filled by the sign of the lower one.
pub(super) fn is_sign(high: &Expr) -> bool {
    match &high.kind {
        ExprKind::Cast(inner) => is_sign(inner),
        ExprKind::Binary(BinaryOp::ShiftRight, _, by) => {
            matches!(by.kind, ExprKind::Constant(63))
        }
        _ => false,
    }
}
