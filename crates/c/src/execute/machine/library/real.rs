//! Functions of `math.h` that stay calls, and operations that round in another direction than to nearest (see
//! [`crate::rounding`]).

use super::Arguments;
use crate::execute::fault::Fault;
use crate::execute::machine::arithmetic::{integer, unary};
use crate::execute::machine::layout::Scalar;
use crate::execute::machine::state::{Machine, Stop};
use crate::flow::{BinaryOp, Expr, ExprKind, RealOp, UnaryOp};
use crate::library::Elementary;
use hardbop_base::directed::{Direction, Operation};

/// A number that is by so many units in its last place greater.
fn nudged(width: u32, bits: u64, by: i8) -> u64 {
    let steps = 0..by.unsigned_abs();
    if width == 64 {
        let next = |n: f64| if by < 0 { n.next_down() } else { n.next_up() };
        steps.fold(f64::from_bits(bits), |n, _| next(n)).to_bits()
    } else {
        let next = |n: f32| if by < 0 { n.next_down() } else { n.next_up() };
        u64::from(steps.fold(f32::from_bits(bits as u32), |n, _| next(n)).to_bits())
    }
}

impl Machine<'_, '_> {
    /// The bits of the result; an error where it is used but not known.
    pub(in crate::execute::machine) fn elementary(
        &mut self,
        what: &'static Elementary,
        name: &str,
        arguments: &Arguments<'_>,
        used: bool,
    ) -> Result<u64, Stop> {
        let width = match arguments.result {
            Some(scalar @ (Scalar::Double | Scalar::Float)) => scalar.bits(),
            _ => 0,
        };
        // The table's parameters are numbers of type `double`, to which a `float` has been converted.
        let operand = |(i, &ty): (usize, &Option<Scalar>)| {
            let bits = arguments.scalar(i);
            match (width, ty?) {
                (64, Scalar::Double) | (32, Scalar::Float) => Some(bits),
                (32, Scalar::Double) => {
                    let number = f64::from_bits(bits);
                    let is_single = number.is_nan() || f64::from(number as f32) == number;
                    is_single.then(|| u64::from((number as f32).to_bits()))
                }
                _ => None,
            }
        };
        let operands: Option<Vec<u64>> = arguments.types.iter().enumerate().map(operand).collect();
        let operands = operands.unwrap_or_default();
        match what.bits(width, &operands) {
            Some(bits) if what.is_exact(width, &operands) => Ok(bits),
            Some(bits) => {
                self.inexact.get_or_insert(what.name);
                Ok(nudged(width, bits, self.options.last_digits))
            }
            None if used => Err(Fault::UnknownResult(name.to_owned()).into()),
            None => Ok(0),
        }
    }

    /// The result of an operation that is rounded in a direction.
    pub(in crate::execute::machine) fn rounded(
        &mut self,
        direction: Direction,
        expr: &Expr,
    ) -> Result<u64, Stop> {
        let scalar = self.scalar_type(expr.ty)?;
        let width = scalar.bits();
        let other = || Fault::IllFormed("an operation that does not round");
        match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                let operation = match op {
                    BinaryOp::Add => Operation::Add,
                    BinaryOp::Subtract => Operation::Subtract,
                    BinaryOp::Multiply => Operation::Multiply,
                    BinaryOp::Divide => Operation::Divide,
                    _ => return Err(other().into()),
                };
                let (left, right) = (self.scalar(left)?, self.scalar(right)?);
                Ok(operation.value(direction, width, left, right))
            }
            ExprKind::Unary(UnaryOp::Real(RealOp::SquareRoot), inner) => {
                let value = self.scalar(inner)?;
                Ok(Operation::SquareRoot.value(direction, width, value, 0))
            }
            ExprKind::Unary(UnaryOp::Real(RealOp::Integral), inner) => {
                let op = match direction {
                    Direction::Down => RealOp::Floor,
                    Direction::Up => RealOp::Ceiling,
                    Direction::Zero => RealOp::Truncate,
                };
                let value = self.scalar(inner)?;
                Ok(unary(UnaryOp::Real(op), scalar, value))
            }
            ExprKind::Cast(inner) => {
                let from = self.scalar_type(inner.ty)?;
                let value = self.scalar(inner)?;
                let operation = match from {
                    Scalar::Double | Scalar::Float => Operation::Narrow,
                    Scalar::Int { signed: true, .. } => Operation::OfSigned(width),
                    _ => Operation::OfUnsigned(width),
                };
                let value = match operation {
                    Operation::Narrow => value,
                    _ => integer(from, value) as u64,
                };
                Ok(operation.value(direction, 64, value, 0))
            }
            _ => Err(other().into()),
        }
    }
}
