//! Checks that need the text: which conversions it does not write, and which operations are its own.  Those of all
//! operations and accesses are inserted by `c::checks`.

use super::convert::is_comparison;
use crate::checks::range;
use crate::flow::{BinaryOp, Checked, Expr, ExprKind, Instruction, Place, UnaryOp, Violation};
use crate::parse::context::{Context, Typed};
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

/// Operands with more parts than this are kept in temporaries, which the checks of them do not repeat.
const LARGE: usize = 24;

impl Context<'_> {
    /// Whether a kind of error is looked for here: in what is executed, but not in what a witness says.
    pub fn asks(&self, check: Check, span: Span) -> bool {
        self.checked()
            && self.options.property.checks.has(check)
            && self.options.instrumentation.point_at(span).is_none()
    }

    /// Branches to an error where a condition holds.
    pub fn refuse_where(&mut self, condition: Expr, kind: ErrorKind, span: Span) {
        let error = Instruction::Error(Violation::Of(kind));
        match self.as_number(&condition) {
            Some(0) => {}
            Some(_) => self.stop(error, span),
            None => {
                let (bad, good) = (self.fresh(), self.fresh());
                self.flow(|b| b.branch(condition, bad, good, span));
                self.go_on_at(bad);
                self.stop(error, span);
                self.go_on_at(good);
            }
        }
    }

    /// `left op right`, where the text has that.
    pub fn operation(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Typed<Expr> {
        let left = self.known(left, right.ty);
        let right = self.known(right, left.ty);
        let integers = [&left, &right].iter().all(|e| self.types.is_integer(e.ty));
        let mut operands = (left, right);
        if integers && !matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let (left, right) = (self.promote(operands.0), self.promote(operands.1));
            let to = self.common(left.ty, right.ty);
            operands = (self.implicit(left, to), self.implicit(right, to));
        }
        let (left, right) = operands;
        let (left, right) = self.in_one_object(op, left, right, span);
        let (left, right) = self.without_wrap(op, left, right, span);
        self.arithmetic(op, left, right, span)
    }

    /// The operands of an operation that does not wrap around, as far as that is asked for.
    pub fn without_wrap(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> (Expr, Expr) {
        let checked = match Checked::of(op) {
            Some(checked) if checked != Checked::Divide => checked,
            _ => return (left, right),
        };
        if !self.asks(Check::UnsignedOverflow, span) {
            return (left, right);
        }
        let element = |e: &Expr| {
            let vector = self.types.as_vector(e.ty).map(|(element, _)| element);
            vector.or_else(|| self.types.as_complex(e.ty))
        };
        if let Some(element) = element(&left).or(element(&right)) {
            if self.is_unsigned(element) {
                self.not_modelled(span, "an operation on several unsigned integers at once");
            }
            return (left, right);
        }
        if !self.types.is_integer(left.ty) || !self.types.is_integer(right.ty) {
            return (left, right);
        }
        let (left, right) = match op {
            BinaryOp::ShiftLeft => (self.promote(left), self.promote(right)),
            _ => self.usual(left, right),
        };
        if !self.is_unsigned(left.ty) || range::is_defined(&self.types, checked, &left, &right) {
            return (left, right);
        }
        let (left, right) = (self.kept_if_large(left), self.kept_if_large(right));
        let int = self.int();
        let wraps = Expr::binary(BinaryOp::Overflows(checked), left.clone(), right.clone(), int);
        self.refuse_where(Expr { span, ..wraps }, ErrorKind::UnsignedOverflow, span);
        (left, right)
    }

    /// The operands of an order or a difference of pointers, which lead into one object, as far as that is asked for.
    fn in_one_object(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> (Expr, Expr) {
        let pointers = [&left, &right].map(|e| self.types.is_pointer(e.ty));
        let is_order = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => false,
            BinaryOp::Subtract => pointers == [true; 2],
            op => is_comparison(op) && pointers.contains(&true),
        };
        let are_scalars = [&left, &right].iter().all(|e| self.types.is_scalar(e.ty));
        if !is_order || !are_scalars || !self.asks(Check::PointerOrder, span) {
            return (left, right);
        }
        let to = if pointers[0] { left.ty } else { right.ty };
        if let Type::Pointer(pointee) = *self.types.get(to)
            && matches!(self.types.get(pointee), Type::Function { .. })
        {
            self.not_modelled(span, "the order of pointers to functions");
            return (left, right);
        }
        let (left, right) = (self.kept_if_large(left), self.kept_if_large(right));
        let (a, b) = (self.convert(left.clone(), to), self.convert(right.clone(), to));
        let int = self.int();
        let apart = Expr::binary(BinaryOp::Apart, a, b, int);
        self.refuse_where(Expr { span, ..apart }, ErrorKind::PointerOrder, span);
        (left, right)
    }

    /// A value as one of another type, by a conversion that the text does not write.
    pub fn implicit(&mut self, e: Expr, to: TypeId) -> Expr {
        let e = self.unchanged(e, to);
        self.convert(e, to)
    }

    /// A value that an implicit conversion to a type does not change, as far as that is asked for: from an integer to an
    /// integer.  Any number but 0 is true.
    pub fn unchanged(&mut self, e: Expr, to: TypeId) -> Expr {
        let e = self.in_range(e, to);
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
                let bound = self.constant(super::constant::wrap(bound, bits), value.ty, span);
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
        let Some((low, high)) = self.numbers_of(to) else { return e };
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
        let below = low - 1;
        let is_exact = match bits {
            32 => (below as f32) as i128 == below,
            _ => (below as f64) as i128 == below,
        };
        // Between these there is no number of the type.
        let (op, low) = match is_exact {
            true => (BinaryOp::Greater, below),
            false => (BinaryOp::GreaterEqual, low),
        };
        let int = self.int();
        let bound = |number: i128| self.float_constant(number as f64, e.ty, span);
        let (low, high) = (bound(low), bound(high + 1));
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

    fn is_unsigned(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int { signed: false, rank: 3.., .. })
    }

    fn kept_if_large(&mut self, e: Expr) -> Expr {
        match e.parts().take(LARGE).count() < LARGE {
            true => e,
            false => self.keep(e),
        }
    }
}
