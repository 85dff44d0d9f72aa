//! Lowers floating-point arithmetic, exactly as IEEE 754 and SSE2 define it; a `long double` is any value.

mod elementary;

use crate::flow::{BinaryOp, Expr, ExprKind, RealOp, UnaryOp};
use crate::lower::assumption::Assumption;
use crate::lower::lowering::Lowering;
use crate::lower::memory::{Bits, Cursor, Target};
use crate::memory::{Kind, ObjectId};
use crate::terms::{float_comparison, float_is_not_zero, float_of_integer, float_op, float_unary};
use crate::types::{DataModel, Type, TypeId};
use hardbop_base::directed::Direction;
use hardbop_smt::{self as smt, FloatOp, Rounding, Term};

impl Lowering<'_, '_> {
    pub(in crate::lower) fn is_long_double(&self, ty: TypeId) -> bool {
        matches!(self.flow.types.get(ty), Type::Float { bits: 65.. })
    }

    /// Notes that a result depends on how the program is compiled: gcc for 32 bits uses the x87, which rounds later.
    fn rounds(&mut self) {
        if self.flow.types.model == DataModel::Ilp32 {
            self.assumptions.insert(Assumption::FloatsOfSse);
        }
        let mut unions = self.flow.types.records.iter().filter(|record| record.union);
        let member = |ty: TypeId| matches!(self.flow.types.get(ty), Type::Float { .. });
        if unions.any(|u| u.fields.iter().flatten().any(|field| member(field.ty))) {
            self.assumptions.insert(Assumption::BitsOfNans);
        }
    }

    /// Notes that the bits of a floating-point number or of a pointer are read otherwise.
    pub(in crate::lower) fn reads_bits(&mut self, cursor: &Cursor, ty: TypeId, bits: Bits) {
        if !self.is_float(ty) && self.meets(cursor, bits, Kind::Float) {
            self.assumptions.insert(Assumption::BitsOfNans);
        }
        let number = !self.is_float(ty) && !self.flow.types.is_pointer(ty);
        if number && self.meets(cursor, bits, Kind::Pointer) {
            self.assumptions.insert(Assumption::Addresses);
        }
    }

    /// Notes that a pointer is stored where its bits may be read otherwise, as in a union.
    pub(in crate::lower) fn stores_bits(&mut self, cursor: &Cursor, ty: TypeId, bits: Bits) {
        let meets = |kind| self.meets(cursor, bits, kind);
        if self.flow.types.is_pointer(ty) && (meets(Kind::Integer) || meets(Kind::Boolean)) {
            self.assumptions.insert(Assumption::Addresses);
        }
    }

    /// Whether a `_Bool` at the cursor may have been set by something else than the program.
    pub(in crate::lower) fn is_outside(&self, cursor: &Cursor, bits: Bits) -> bool {
        let escaped = |object: &ObjectId| self.points_to.has_escaped(*object);
        let known = cursor.targets.iter().map(|t| &t.object).chain(&cursor.anywhere);
        let is_one = bits.width == 8 && self.meets(cursor, bits, Kind::Boolean);
        cursor.unknown || is_one && { known }.any(escaped)
    }

    /// Whether some bits at the cursor belong to a scalar of a kind.
    fn meets(&self, cursor: &Cursor, bits: Bits, kind: Kind) -> bool {
        let objects = self.points_to.objects();
        let at = |target: &Target| {
            let layout = &objects.get(target.object).layout;
            let start = target.offset * 8 + bits.start;
            let range = layout.overlapping(start, u64::from(bits.width));
            layout.items()[range].iter().any(|item| item.kind == kind)
        };
        let anywhere = |&object: &ObjectId| {
            objects.get(object).layout.items().iter().any(|item| item.kind == kind)
        };
        cursor.targets.iter().any(at) || cursor.anywhere.iter().any(anywhere)
    }

    pub(in crate::lower) fn unary_float(
        &mut self,
        op: UnaryOp,
        operand: &Expr,
        width: u32,
    ) -> Term {
        let value = self.value(operand);
        if self.is_long_double(operand.ty) {
            return self.approximation(width);
        }
        if op == UnaryOp::Real(RealOp::SignBit) {
            self.assumptions.insert(Assumption::BitsOfNans);
            let from = self.terms.width(value);
            let sign = self.terms.extract(from - 1, from - 1, value);
            return self.terms.zero_extend(width, sign);
        }
        // Conditions, and what floats do not have, are none.
        let Some((result, rounds)) = float_unary(self.terms, op, value) else {
            return self.approximation(width);
        };
        if rounds {
            self.rounds();
        }
        result
    }

    pub(in crate::lower) fn binary_float(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Term {
        let (a, b) = (self.value(left), self.value(right));
        let width = self.terms.width(a);
        let Some(op) = float_op(op).filter(|_| !self.is_long_double(left.ty)) else {
            return self.approximation(width);
        };
        self.rounds();
        self.terms.float(op, &[a, b])
    }

    pub(in crate::lower) fn compare_floats(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Term {
        let (a, b) = (self.value(left), self.value(right));
        if self.is_long_double(left.ty) {
            return self.unknown_condition();
        }
        float_comparison(self.terms, op, (a, b))
    }

    /// The condition that a number is not zero; a NaN is not.
    pub(in crate::lower) fn is_not_zero(&mut self, expr: &Expr) -> Term {
        let value = self.value(expr);
        if self.is_long_double(expr.ty) {
            return self.unknown_condition();
        }
        float_is_not_zero(self.terms, value)
    }

    /// A conversion from or to a floating-point type.
    pub(in crate::lower) fn cast_float(&mut self, inner: &Expr, to: TypeId) -> Term {
        let width = self.width(to);
        // Conversions to `_Bool` are conditions.
        let value = self.value(inner);
        if self.is_long_double(inner.ty) || self.is_long_double(to) {
            let value = self.approximation(width);
            if matches!(self.flow.types.get(to), Type::Bool) {
                self.assume_bool(value);
            }
            return value;
        }
        match (self.is_float(inner.ty), self.is_float(to)) {
            (true, true) if width == 64 => self.terms.float(FloatOp::Widen, &[value]),
            (true, true) => {
                self.rounds();
                self.terms.float(FloatOp::Narrow, &[value])
            }
            (true, false) => self.truncated(value, width, self.is_signed(to)),
            (false, _) => {
                self.rounds();
                let (op, value) = self.of_integer(value, inner.ty, width);
                self.terms.float(op, &[value])
            }
        }
    }

    /// The conversion of an integer to a float of so many bits.
    fn of_integer(&mut self, value: Term, from: TypeId, width: u32) -> (FloatOp, Term) {
        float_of_integer(self.terms, value, self.is_signed(from), width)
    }

    /// A number without its fraction; any value if that does not fit, which C does not define.
    fn truncated(&mut self, value: Term, width: u32, signed: bool) -> Term {
        let from = self.terms.width(value);
        let value = if from == 32 { self.terms.float(FloatOp::Widen, &[value]) } else { value };
        let fits = self.terms.fits_integer(value, width, signed);
        let number = self.terms.integer_part(value);
        let number = self.terms.extract(width - 1, 0, number);
        if self.terms.value(fits) == Some(smt::Value::Bool(true)) {
            return number;
        }
        let any = self.approximation(width);
        self.terms.ite(fits, number, any)
    }
}

/// Operations that round in the mode that the program is in (see [`crate::rounding`]).
impl Lowering<'_, '_> {
    /// The value of an operation in a mode.
    pub(in crate::lower) fn rounded(&mut self, mode: &Expr, operation: &Expr) -> Term {
        let mode = self.value(mode);
        let Some((op, operands)) = self.operation(operation) else { return self.value(operation) };
        self.rounds();
        let nearest = self.terms.float(op, &operands);
        let width = self.terms.width(mode);
        Direction::MODES.into_iter().fold(nearest, |others, (number, direction)| {
            let number = self.terms.bits(width, number);
            let here = self.terms.equal(mode, number);
            let value = self.terms.float(op.directed(direction), &operands);
            self.terms.ite(here, value, others)
        })
    }

    fn operation(&mut self, operation: &Expr) -> Option<(FloatOp, Vec<Term>)> {
        let width = self.width(operation.ty);
        Some(match &operation.kind {
            ExprKind::Binary(op, left, right) => {
                (float_op(*op)?, vec![self.value(left), self.value(right)])
            }
            ExprKind::Unary(UnaryOp::Real(RealOp::SquareRoot), inner) => {
                (FloatOp::Sqrt, vec![self.value(inner)])
            }
            ExprKind::Unary(UnaryOp::Real(RealOp::Integral), inner) => {
                (FloatOp::Round(Rounding::NearestEven), vec![self.value(inner)])
            }
            ExprKind::Cast(inner) if self.is_float(inner.ty) => {
                (FloatOp::Narrow, vec![self.value(inner)])
            }
            ExprKind::Cast(inner) => {
                let value = self.value(inner);
                let (op, value) = self.of_integer(value, inner.ty, width);
                (op, vec![value])
            }
            _ => return None,
        })
    }
}
