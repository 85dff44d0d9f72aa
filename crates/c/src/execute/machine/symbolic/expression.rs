//! Expressions as terms.

use super::{is_float, is_signed};
use crate::execute::fault::Fault;
use crate::execute::machine::arithmetic::{binary, convert, sign_extended};
use crate::execute::machine::layout::{Scalar, mask};
use crate::execute::machine::state::{Machine, Stop};
use crate::flow::{BinaryOp, Expr, ExprKind, State, UnaryOp};
use crate::terms::{float_of_integer, overflow, resized};
use crate::types::{Type, TypeId};
use hardbop_smt::{self as smt, BitOp, Comparison, FloatOp, Term};

impl Machine<'_, '_> {
    /// The value of a scalar expression, as wide as its type.
    ///
    /// # Errors
    /// Those of evaluation, and [`Stop::NoInput`] for what has no term.
    pub fn term(&mut self, expr: &Expr) -> Result<Term, Stop> {
        let width = self.modelled_scalar(expr.ty)?.bits();
        match &expr.kind {
            ExprKind::Load(place) => self.loaded(place),
            ExprKind::Unary(UnaryOp::Is(State::Outside(size)), operand) => {
                let address = self.term(operand)?;
                let outside = self.outside(address, *size)?;
                self.number(outside, width)
            }
            ExprKind::Unary(op, operand) if !matches!(op, UnaryOp::Is(_)) => {
                let scalar = self.modelled_scalar(operand.ty)?;
                let value = self.term(operand)?;
                match op {
                    UnaryOp::Not => {
                        let truth = self.truth(scalar, value)?;
                        let not = self.terms()?.not(truth);
                        self.number(not, width)
                    }
                    _ => self.unary_term(*op, scalar, value),
                }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let first = self.condition_term(left)?;
                let is_or = *op == BinaryOp::Or;
                match self.terms()?.value(first) {
                    Some(smt::Value::Bool(known)) if known == is_or => {
                        let decided = self.terms()?.bool(known);
                        return self.number(decided, width);
                    }
                    _ => {}
                }
                // It is looked at where it would not be evaluated, too.
                let second = self.condition_term(right).map_err(unless_evaluated)?;
                let terms = self.terms()?;
                let both =
                    if is_or { terms.or(&[first, second]) } else { terms.and(&[first, second]) };
                self.number(both, width)
            }
            ExprKind::Binary(op, left, right)
                if !matches!(op, BinaryOp::Apart | BinaryOp::Beyond) =>
            {
                self.binary_term(*op, left, right, width)
            }
            ExprKind::Offset { pointer, index, scale } => {
                let from = self.term(pointer)?;
                let negated = match &index.kind {
                    ExprKind::Unary(_, inner) if index.is_subtracted_index(expr.span) => {
                        Some(inner)
                    }
                    _ => None,
                };
                let index = self.term(negated.map_or(index, |inner| inner))?;
                let word = self.layout.word;
                let scale = self.bits(word, *scale)?;
                let terms = self.terms()?;
                let index = resized(terms, index, word, true);
                let distance = terms.binary(BitOp::Mul, index, scale);
                let op = if negated.is_some() { BitOp::Sub } else { BitOp::Add };
                Ok(terms.binary(op, from, distance))
            }
            ExprKind::Conditional(condition, then, other) => {
                let condition = self.condition_term(condition)?;
                if let Some(smt::Value::Bool(known)) = self.terms()?.value(condition) {
                    return self.term(if known { then } else { other });
                }
                let then = self.term(then).map_err(unless_evaluated)?;
                let other = self.term(other).map_err(unless_evaluated)?;
                Ok(self.terms()?.ite(condition, then, other))
            }
            ExprKind::Cast(operand) => self.cast_term(operand, expr.ty),
            ExprKind::Difference { left, right, scale } => {
                let (left, right) = (self.fixed(left)?, self.fixed(right)?);
                // What the bytes between different objects are depends on where these lie.
                let scale = i64::try_from(*scale).ok().filter(|&scale| scale > 0);
                let Some(scale) = scale.filter(|_| !self.are_elsewhere(left, right)) else {
                    return Err(Stop::NoInput);
                };
                let word = self.layout.word;
                let bytes = sign_extended(left.wrapping_sub(right) & mask(word), word);
                self.bits(width, (bytes / scale) as u64)
            }
            _ => {
                let value = self.scalar(expr)?;
                self.bits(width, value)
            }
        }
    }

    /// The condition that a scalar is not 0.
    fn condition_term(&mut self, expr: &Expr) -> Result<Term, Stop> {
        let value = self.term(expr)?;
        self.decided(expr, value, true)
    }

    /// The type of a scalar whose values fit into terms: a `long double` has more bits.
    pub(super) fn modelled_scalar(&self, ty: TypeId) -> Result<Scalar, Stop> {
        match self.flow.types.get(ty) {
            Type::Float { bits: 65.. } => Err(Stop::NoInput),
            _ => self.scalar_type(ty),
        }
    }

    fn cast_term(&mut self, operand: &Expr, to: TypeId) -> Result<Term, Stop> {
        let (from, to_scalar) = (self.modelled_scalar(operand.ty)?, self.modelled_scalar(to)?);
        let types = &self.flow.types;
        if types.is_pointer(operand.ty) != types.is_pointer(to) {
            // What number an address is depends on where objects lie.
            let value = self.fixed(operand)?;
            let known = convert(from, to_scalar, value);
            self.numbers |= types.is_pointer(operand.ty) && to_scalar != Scalar::Bool && value != 0;
            self.located |= self.watches && to_scalar != Scalar::Bool && value != 0;
            return self.bits(to_scalar.bits(), known);
        }
        let value = self.term(operand)?;
        Ok(match (from, to_scalar) {
            (_, Scalar::Bool) => {
                let truth = self.truth(from, value)?;
                self.number(truth, 1)?
            }
            (Scalar::Float, Scalar::Double) => self.terms()?.float(FloatOp::Widen, &[value]),
            (Scalar::Double, Scalar::Float) => self.terms()?.float(FloatOp::Narrow, &[value]),
            (a, b) if a == b => value,
            (Scalar::Float | Scalar::Double, to) => {
                let terms = self.terms()?;
                let value = match from {
                    Scalar::Float => terms.float(FloatOp::Widen, &[value]),
                    _ => value,
                };
                let fits = terms.fits_integer(value, to.bits(), is_signed(to));
                let number = terms.integer_part(value);
                let number = terms.extract(to.bits() - 1, 0, number);
                self.require(fits)?;
                number
            }
            (_, to) if is_float(to) => {
                let terms = self.terms()?;
                let (op, value) = float_of_integer(terms, value, is_signed(from), to.bits());
                terms.float(op, &[value])
            }
            (from, to) => {
                let signed = is_signed(from);
                resized(self.terms()?, value, to.bits(), signed)
            }
        })
    }

    fn binary_term(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        width: u32,
    ) -> Result<Term, Stop> {
        let scalar = self.modelled_scalar(left.ty)?;
        let right_scalar = self.modelled_scalar(right.ty)?;
        if self.flow.types.is_pointer(left.ty) {
            let (a, b) = (self.fixed(left)?, self.fixed(right)?);
            self.located |= self.watches && op.orders() && self.are_elsewhere(a, b);
            let value = binary(op, scalar, a, b, right_scalar)?;
            return self.bits(width, value);
        }
        let (a, b) = (self.term(left)?, self.term(right)?);
        match op {
            BinaryOp::Overflows(op) => {
                let overflows = overflow(self.terms()?, op, is_signed(scalar), a, b);
                self.number(overflows, width)
            }
            _ if op.compares() => {
                let condition = self.comparison_term(op, scalar, (a, b))?;
                self.number(condition, width)
            }
            _ => self.arithmetic_term(op, scalar, a, b),
        }
    }

    /// Whether so many bytes from an address on are not in one object.
    fn outside(&mut self, address: Term, size: u64) -> Result<Term, Stop> {
        if self.inputs.iter().any(|input| input.pointer) {
            return Err(Stop::NoInput);
        }
        let objects: Vec<_> = self.memory.addressed().collect();
        let mut inside = vec![];
        for object in objects {
            let (start, all) = (self.memory.address(object)?, self.memory.size(object));
            let Some(last) = all.checked_sub(size) else { continue };
            let word = self.layout.word;
            let (first, last) = (self.bits(word, start)?, self.bits(word, start + last)?);
            let terms = self.terms()?;
            let from = terms.compare(Comparison::ULe, first, address);
            let until = terms.compare(Comparison::ULe, address, last);
            inside.push(terms.and(&[from, until]));
        }
        let terms = self.terms()?;
        let inside = terms.or(&inside);
        Ok(terms.not(inside))
    }
}

/// What stops the evaluation of something that may not be evaluated at all.
fn unless_evaluated(stop: Stop) -> Stop {
    match stop {
        Stop::Fault(Fault::IllFormed(_)) => stop,
        _ => Stop::NoInput,
    }
}
