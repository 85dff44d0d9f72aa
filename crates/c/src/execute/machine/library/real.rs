//! Functions of `math.h` that stay calls, and operations that round in another direction than to nearest (see
//! [`crate::rounding`]).

use super::Arguments;
use crate::execute::fault::Fault;
use crate::execute::machine::arithmetic::{integer, unary};
use crate::execute::machine::layout::Scalar;
use crate::execute::machine::state::{Machine, Stop};
use crate::flow::{BinaryOp, Expr, ExprKind, RealOp, UnaryOp};
use crate::library::RealCall;
use hardbop_base::directed::{Direction, Operation};

/// The bits of the result; an error where it is used but not known.
pub(in crate::execute::machine) fn real_call(
    what: RealCall,
    name: &str,
    arguments: &Arguments<'_>,
    used: bool,
) -> Result<u64, Stop> {
    let (x, y) = (operand(arguments, 0), operand(arguments, 1));
    let single = arguments.result == Some(Scalar::Float);
    let value = x.zip(y).and_then(|(x, y)| result(what, x, y));
    let bits = value.and_then(|value| match arguments.result {
        Some(Scalar::Double) => Some(value.to_bits()),
        // Of two `float`s, a difference with twice the precision is rounded as if it were exact; the other results
        // are exact.
        Some(Scalar::Float) => Some(u64::from((value as f32).to_bits())),
        _ => None,
    });
    let exact = !single || what == RealCall::Difference;
    match (bits, value) {
        (Some(bits), Some(value)) if exact || f64::from(value as f32) == value => Ok(bits),
        _ if used => Err(Fault::UnknownResult(name.to_owned()).into()),
        _ => Ok(0),
    }
}

/// An argument, if it is a finite number.
fn operand(arguments: &Arguments<'_>, index: usize) -> Option<f64> {
    let bits = arguments.scalar(index);
    let value = match arguments.types.get(index).copied().flatten() {
        Some(Scalar::Double) => f64::from_bits(bits),
        Some(Scalar::Float) => f64::from(f32::from_bits(bits as u32)),
        _ => return None,
    };
    value.is_finite().then_some(value)
}

fn result(what: RealCall, x: f64, y: f64) -> Option<f64> {
    match what {
        RealCall::Modulo => (y != 0.0).then(|| x % y),
        RealCall::Remainder => (y != 0.0).then(|| remainder(x, y)),
        RealCall::Difference => Some(if x > y { x - y } else { 0.0 }).filter(|d| d.is_finite()),
        RealCall::Power => power(x, y),
    }
}

/// The difference between `x` and the nearest multiple of `y`, the even one of two: exact, as IEEE 754 has it.
fn remainder(x: f64, y: f64) -> f64 {
    let size = y.abs();
    // Twice `y` is too large only where `x` is less.
    let mut rest = if size <= f64::MAX / 2.0 { x.abs() % (size + size) } else { x.abs() };
    if size < 2.0 * f64::MIN_POSITIVE {
        if rest + rest > size {
            rest -= size;
            if rest + rest >= size {
                rest -= size;
            }
        }
    } else {
        let half = 0.5 * size;
        if rest > half {
            rest -= size;
            if rest >= half {
                rest -= size;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

/// Integers below this are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A power of an integer that is exact as a number.
fn power(x: f64, y: f64) -> Option<f64> {
    if x.fract() != 0.0 || y.fract() != 0.0 || !(0.0..=64.0).contains(&y) || x.abs() >= EXACT {
        return None;
    }
    let mut product = 1.0_f64;
    for _ in 0..y as u32 {
        product *= x;
        if product.abs() >= EXACT {
            return None;
        }
    }
    (product != 0.0).then_some(product)
}

impl Machine<'_, '_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders() {
        assert_eq!(remainder(5.0, 3.0), -1.0);
        assert_eq!(remainder(-5.0, 3.0), 1.0);
        // Ties go to the even multiple.
        assert_eq!(remainder(1.0, 2.0), 1.0);
        assert_eq!(remainder(3.0, 2.0), -1.0);
        assert_eq!(remainder(5.0, 2.0), 1.0);
        assert_eq!(remainder(7.5, f64::MAX), 7.5);
        assert_eq!(remainder(f64::MAX, f64::MAX), 0.0);
        assert!(remainder(-4.0, 2.0).is_sign_negative());
        let tiny = f64::from_bits(3);
        assert_eq!(remainder(tiny, f64::from_bits(2)), -f64::from_bits(1));
        let pi = f64::from(std::f32::consts::PI);
        assert_eq!(remainder(f64::from(f32::MAX), pi) as f32, -1.409_629_6);
    }

    #[test]
    fn powers() {
        assert_eq!(power(2.0, 10.0), Some(1024.0));
        assert_eq!(power(-3.0, 3.0), Some(-27.0));
        assert_eq!(power(7.0, 0.0), Some(1.0));
        assert_eq!(power(10.0, 16.0), None);
        assert_eq!(power(2.0, 0.5), None);
    }
}
