//! Checks that need the text: which operations are its own, and which conversions it does not write.  Those of all
//! operations and accesses are inserted by `c::checks`.

mod conversions;
pub(super) mod sequence;

use super::convert::is_comparison;
use crate::checks::{LARGE, range};
use crate::flow::{BinaryOp, Checked, Expr, Instruction, Violation};
use crate::parse::context::{Context, Typed};
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

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
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let (left, right) = match integers && !is_shift && self.asks(Check::Conversion, span) {
            true => {
                let (left, right) = (self.promote(left), self.promote(right));
                let to = self.common(left.ty, right.ty);
                (self.implicit(left, to), self.implicit(right, to))
            }
            false => (left, right),
        };
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
