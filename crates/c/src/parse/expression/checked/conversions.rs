//! Conversions: those that change the value of an integer, and those of floating-point numbers that are out of range.

use crate::checks::range;
use crate::flow::{BinaryOp, Expr, ExprKind, Place, UnaryOp};
use crate::parse::context::Context;
use crate::parse::expression::constant::wrap;
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};

impl Context<'_> {
    /// A value as one of another type, by a conversion that the text does not write.
    pub fn implicit(&mut self, e: Expr, to: TypeId) -> Expr {
        let e = self.unchanged(e, to);
        self.convert(e, to)
    }

    /// A value that an implicit conversion to a type does not change, as far as that is asked for: from an integer to an
    /// integer.  Any number but 0 is true.
    pub fn unchanged(&mut self, e: Expr, to: TypeId) -> Expr {
        let e = self.in_range(e, to);
        if [e.ty, to].iter().any(|&ty| self.types.as_wide(ty).is_some()) {
            return self.unchanged_wide(e, to);
        }
        let Some((low, high)) =
            self.numbers_of(to).filter(|_| self.asks(Check::Conversion, e.span))
        else {
            return e;
        };
        self.between(e, (low, high))
    }

    /// A value that a bit-field can hold, as far as that is asked for.
    pub fn fitting_field(&mut self, place: &Place, value: Expr) -> Expr {
        let Some(width) = self.bit_width(place).filter(|&width| width < 64) else { return value };
        let Some((low, _)) = self.numbers_of(place.ty) else { return value };
        if let ExprKind::Cast(inner) = &value.kind
            && matches!(self.types.get(inner.ty), Type::Float { .. })
            && self.asks(Check::FloatCast, value.span)
        {
            // It was converted to the type that is declared, which has more numbers.
            self.not_modelled(value.span, "a floating-point number that becomes a bit-field");
        }
        if !self.asks(Check::Conversion, value.span) {
            return value;
        }
        let all = if low < 0 {
            (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1)
        } else {
            (0, (1_i128 << width) - 1)
        };
        self.between(value, all)
    }

    /// An integer, behind a check that it is from `low` to `high`; other values as they are.
    fn between(&mut self, value: Expr, (low, high): (i128, i128)) -> Expr {
        let Some(all) = range::of_type(&self.types, value.ty) else { return value };
        let can_be = range::of(&self.types, &value);
        if low <= can_be.0 && can_be.1 <= high {
            return value;
        }
        let span = value.span;
        let value = self.kept_if_large(value);
        let bounds = [(BinaryOp::Less, low, low > all.0), (BinaryOp::Greater, high, high < all.1)];
        let bounds = bounds.into_iter().filter(|(_, _, is_bound)| *is_bound);
        let bounds: Vec<Expr> = bounds
            .map(|(op, bound, _)| {
                let bits = self.types.bits(value.ty).map_or(64, |(bits, _)| bits);
                let bound = self.constant(wrap(bound, bits), value.ty, span);
                self.combine(op, value.clone(), bound, span)
            })
            .collect();
        let changes = bounds.into_iter().reduce(|a, b| self.combine(BinaryOp::Or, a, b, span));
        if let Some(changes) = changes {
            self.refuse_where(changes, ErrorKind::Conversion, span);
        }
        value
    }

    /// A floating-point number whose integral part is in the range of a type, if that is one of integers, as far as that
    /// is asked for (C11, 6.3.1.4, 1).
    pub fn in_range(&mut self, e: Expr, to: TypeId) -> Expr {
        let wide = self.types.as_wide(to).map(range::of_wide);
        let Some((low, end)) = wide.or_else(|| {
            let (low, high) = self.numbers_of(to)?;
            Some((low as f64, (high + 1) as f64))
        }) else {
            return e;
        };
        let span = e.span;
        if self.types.as_complex(e.ty).is_some() && self.asks(Check::FloatCast, span) {
            self.not_modelled(span, "the conversion of a complex number to an integer");
        }
        // Where a 'long double' is converted, all is left open.
        let Type::Float { bits: bits @ (32 | 64) } = *self.types.get(e.ty) else { return e };
        if !self.asks(Check::FloatCast, span) {
            return e;
        }
        let e = self.kept_if_large(e);
        let below = low - 1.0;
        let is_exact = match bits {
            32 => low != below && f64::from(below as f32) == below,
            _ => low != below,
        };
        // Between these there is no number of the type.
        let (op, low) = match is_exact {
            true => (BinaryOp::Greater, below),
            false => (BinaryOp::GreaterEqual, low),
        };
        let int = self.int();
        let bound = |number: f64| self.float_constant(number, e.ty, span);
        let (low, high) = (bound(low), bound(end));
        let above = Expr::binary(op, e.clone(), low, int);
        let below = Expr::binary(BinaryOp::Less, e.clone(), high, int);
        let inside = Expr::binary(BinaryOp::And, above, below, int);
        let outside = ExprKind::Unary(UnaryOp::Not, Box::new(inside));
        self.refuse_where(Expr { kind: outside, ty: int, span }, ErrorKind::FloatCast, span);
        e
    }

    /// The numbers of a type of integers; none of `_Bool`, to which all can be converted.
    fn numbers_of(&self, ty: TypeId) -> Option<(i128, i128)> {
        match self.types.get(ty) {
            Type::Int { .. } => range::of_type(&self.types, ty),
            _ => None,
        }
    }
}
