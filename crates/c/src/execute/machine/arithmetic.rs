//! Operators and conversions as gcc compiles them for x86 with `-fwrapv`.
//!
//! Where C leaves the behaviour undefined, integers wrap around, shift counts are taken modulo the
//! width, `INT_MIN / -1` traps like a division by zero and is a [`Fault`], and conversions of
//! floats that do not fit give the result of `cvttsd2si`.

use super::layout::{Scalar, mask};
use crate::execute::fault::{Fault, Undefined};
use crate::flow::{BinaryOp, Checked, RealOp, UnaryOp};

/// The value as a signed or unsigned number, according to its type.
pub(in crate::execute) fn integer(scalar: Scalar, value: u64) -> i128 {
    match scalar {
        Scalar::Int { bits, signed: true } => i128::from(sign_extended(value, bits)),
        _ => i128::from(value),
    }
}

/// Extends the sign of a value that has `bits` bits.
pub(in crate::execute) fn sign_extended(value: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

fn float(scalar: Scalar, value: u64) -> f64 {
    match scalar {
        Scalar::Float => f64::from(f32::from_bits(value as u32)),
        _ => f64::from_bits(value),
    }
}

fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Float | Scalar::Double)
}

/// The representation of a number in the given floating-point type.
pub(in crate::execute) fn from_float(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::Float => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// Whether a scalar is true as a condition.
pub(in crate::execute) fn truth(scalar: Scalar, value: u64) -> bool {
    if is_float(scalar) { float(scalar, value) != 0.0 } else { value != 0 }
}

/// `op value`, in the operand's type (for `!`, in `int`).
pub(in crate::execute) fn unary(op: UnaryOp, scalar: Scalar, value: u64) -> u64 {
    match op {
        UnaryOp::Not => u64::from(!truth(scalar, value)),
        // The memory is not known here: the machine asks it.
        UnaryOp::Is(_) => 1,
        // Also of NaNs.
        UnaryOp::Negate if is_float(scalar) => value ^ 1 << (scalar.bits() - 1),
        UnaryOp::Real(op) => real(op, scalar, value),
        UnaryOp::Negate => value.wrapping_neg() & mask(scalar.bits()),
        UnaryOp::BitNot => !value & mask(scalar.bits()),
    }
}

fn real(op: RealOp, scalar: Scalar, value: u64) -> u64 {
    let x = float(scalar, value);
    let sign = 1 << (scalar.bits() - 1);
    // Of a `float`, the result is one, or is rounded to one as the exact one would be.
    let result = match op {
        RealOp::Absolute => return value & !sign,
        RealOp::SignBit => return u64::from(value & sign != 0),
        RealOp::SquareRoot => x.sqrt(),
        RealOp::Integral | RealOp::NearestEven => x.round_ties_even(),
        RealOp::NearestAway => x.round(),
        RealOp::Truncate => x.trunc(),
        RealOp::Floor => x.floor(),
        RealOp::Ceiling => x.ceil(),
    };
    from_float(scalar, result)
}

/// `left op right`, with both operands of one type (except for shifts); not for `And` and `Or`.
///
/// # Errors
///
/// Operations that trap.
pub(in crate::execute) fn binary(
    op: BinaryOp,
    scalar: Scalar,
    left: u64,
    right: u64,
    right_scalar: Scalar,
) -> Result<u64, Fault> {
    if is_float(scalar) {
        return floating(op, scalar, left, right);
    }
    let (a, b) = (integer(scalar, left), integer(scalar, right));
    let bits = scalar.bits();
    let value = match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder => {
            if b == 0 {
                return Err(Fault::DivisionByZero);
            }
            if b == -1 && a == -(1i128 << (bits - 1)) {
                return Err(Fault::DivisionOverflow);
            }
            (if op == BinaryOp::Divide { a / b } else { a % b }) as u64
        }
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::ShiftLeft => left << shift(right_scalar, right, bits),
        BinaryOp::ShiftRight => (a >> shift(right_scalar, right, bits)) as u64,
        BinaryOp::Equal => u64::from(left == right),
        BinaryOp::NotEqual => u64::from(left != right),
        BinaryOp::Less => u64::from(a < b),
        BinaryOp::LessEqual => u64::from(a <= b),
        BinaryOp::Greater => u64::from(a > b),
        BinaryOp::GreaterEqual => u64::from(a >= b),
        BinaryOp::Overflows(op) => {
            u64::from(overflows(op, scalar, a, integer(right_scalar, right)))
        }
        BinaryOp::Beyond | BinaryOp::Apart => {
            return Err(Fault::IllFormed("a place as arithmetic"));
        }
        BinaryOp::And | BinaryOp::Or => return Err(Fault::IllFormed("logic as arithmetic")),
    };
    Ok(value & mask(bits))
}

/// Whether C leaves the result of an operation on integers undefined, or an unsigned one wraps around.
fn overflows(op: Checked, scalar: Scalar, a: i128, b: i128) -> bool {
    let bits = scalar.bits();
    let is_signed = matches!(scalar, Scalar::Int { signed: true, .. });
    let limit = 1i128 << (bits - 1);
    let fits = |value: i128| match is_signed {
        true => (-limit..limit).contains(&value),
        false => (0..2 * limit).contains(&value),
    };
    match op {
        Checked::Add => !fits(a + b),
        Checked::Subtract => !fits(a - b),
        // That of unsigned numbers may have 128 bits.
        Checked::Multiply => !a.checked_mul(b).is_some_and(fits),
        Checked::Divide => b == -1 && a == -limit,
        Checked::ShiftCount => !(0..i128::from(bits)).contains(&b),
        Checked::ShiftLeft if !is_signed => {
            (0..i128::from(bits)).contains(&b) && a >> (i128::from(bits) - b) != 0
        }
        Checked::ShiftLeft => a < 0 || !(0..i128::from(bits)).contains(&b) || !fits(a << b),
    }
}

/// The undefined behaviour of an operation that still has a result here.
pub(in crate::execute) fn undefined(
    op: BinaryOp,
    scalar: Scalar,
    left: u64,
    right: u64,
    right_scalar: Scalar,
) -> Option<Undefined> {
    let (a, b) = (integer(scalar, left), integer(right_scalar, right));
    let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
    if is_float(scalar) {
        None
    } else if shift && !(0..i128::from(scalar.bits())).contains(&b) {
        Some(Undefined::ShiftCount)
    } else {
        let signed = matches!(scalar, Scalar::Int { signed: true, .. });
        let checked = Checked::of(op).filter(|_| signed)?;
        overflows(checked, scalar, a, b).then_some(Undefined::Overflow)
    }
}

/// The processor uses only the lowest bits of the count.
fn shift(scalar: Scalar, count: u64, bits: u32) -> u32 {
    (integer(scalar, count) as u64 & u64::from(bits.max(1).next_power_of_two() - 1)) as u32
}

fn floating(op: BinaryOp, scalar: Scalar, left: u64, right: u64) -> Result<u64, Fault> {
    let (a, b) = (float(scalar, left), float(scalar, right));
    if a.is_nan() && b.is_nan() && left != right && matches!(op, BinaryOp::Add | BinaryOp::Multiply)
    {
        return Err(Fault::EitherNan);
    }
    // Computing one f32 operation in f64 and rounding the result is exact for f32.
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Equal => return Ok(u64::from(a == b)),
        BinaryOp::NotEqual => return Ok(u64::from(a != b)),
        BinaryOp::Less => return Ok(u64::from(a < b)),
        BinaryOp::LessEqual => return Ok(u64::from(a <= b)),
        BinaryOp::Greater => return Ok(u64::from(a > b)),
        BinaryOp::GreaterEqual => return Ok(u64::from(a >= b)),
        _ => return Err(Fault::IllFormed("an operator that floats do not have")),
    };
    Ok(from_float(scalar, value))
}

/// Converts between scalar types.
pub(in crate::execute) fn convert(from: Scalar, to: Scalar, value: u64) -> u64 {
    match to {
        Scalar::Bool => u64::from(truth(from, value)),
        Scalar::Float | Scalar::Double if is_float(from) => from_float(to, float(from, value)),
        Scalar::Float => u64::from((integer(from, value) as f32).to_bits()),
        Scalar::Double => (integer(from, value) as f64).to_bits(),
        Scalar::Int { bits, signed } if is_float(from) => {
            truncated(float(from, value), bits, signed) & mask(bits)
        }
        Scalar::Int { bits, .. } => integer(from, value) as u64 & mask(bits),
    }
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// The integer that a float is truncated to, or what x86 gives if it does not fit.
fn truncated(value: f64, bits: u32, signed: bool) -> u64 {
    let wide = |value: f64| {
        if (-TWO_TO_63..TWO_TO_63).contains(&value) { value as i64 } else { i64::MIN }
    };
    match (bits, signed) {
        (64, true) | (32, false) => wide(value) as u64,
        (64, false) if value >= TWO_TO_63 => wide(value - TWO_TO_63) as u64 ^ 1 << 63,
        (64, false) => wide(value) as u64,
        // Smaller types are converted via `int`.
        _ => {
            let whole = value.trunc();
            let fits = (-2_147_483_648.0..=2_147_483_647.0).contains(&whole);
            (if fits { whole as i32 } else { i32::MIN }) as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Scalar = Scalar::Int { bits: 32, signed: true };
    const UNSIGNED: Scalar = Scalar::Int { bits: 32, signed: false };
    const CHAR: Scalar = Scalar::Int { bits: 8, signed: true };

    fn int(op: BinaryOp, a: i32, b: i32) -> Result<i32, Fault> {
        binary(op, INT, u64::from(a as u32), u64::from(b as u32), INT).map(|v| v as u32 as i32)
    }

    #[test]
    fn integers_as_gcc_computes_them() {
        assert_eq!(int(BinaryOp::Add, i32::MAX, 1), Ok(i32::MIN));
        assert_eq!(int(BinaryOp::Divide, -7, 2), Ok(-3));
        assert_eq!(int(BinaryOp::Remainder, -7, 2), Ok(-1));
        assert_eq!(int(BinaryOp::Remainder, 7, -2), Ok(1));
        assert_eq!(int(BinaryOp::Divide, 1, 0), Err(Fault::DivisionByZero));
        assert_eq!(int(BinaryOp::Divide, i32::MIN, -1), Err(Fault::DivisionOverflow));
        assert_eq!(int(BinaryOp::Remainder, i32::MIN, -1), Err(Fault::DivisionOverflow));
        assert_eq!(int(BinaryOp::ShiftRight, -8, 1), Ok(-4));
        assert_eq!(int(BinaryOp::ShiftLeft, 1, 33), Ok(2));
        assert_eq!(int(BinaryOp::Less, -1, 0), Ok(1));
        let all = u64::from(u32::MAX);
        assert_eq!(binary(BinaryOp::Less, UNSIGNED, all, 0, UNSIGNED), Ok(0));
        assert_eq!(binary(BinaryOp::ShiftRight, UNSIGNED, all, 31, INT), Ok(1));
    }

    #[test]
    fn conversions() {
        assert_eq!(convert(CHAR, INT, 0xFF), u64::from(u32::MAX));
        assert_eq!(convert(INT, CHAR, 0x1FF), 0xFF);
        assert_eq!(convert(INT, Scalar::Bool, 256), 1);
        assert_eq!(convert(Scalar::Double, Scalar::Bool, 0.5f64.to_bits()), 1);
        assert_eq!(convert(Scalar::Double, INT, (-2.9f64).to_bits()), u64::from(-2i32 as u32));
        assert_eq!(convert(Scalar::Double, INT, 1e10f64.to_bits()), 0x8000_0000);
        assert_eq!(convert(Scalar::Double, UNSIGNED, 3e9f64.to_bits()), 3_000_000_000);
        assert_eq!(convert(INT, Scalar::Float, 16_777_217), u64::from(16_777_216f32.to_bits()));
        assert_eq!(unary(UnaryOp::Not, Scalar::Double, (-0.0f64).to_bits()), 1);
    }
}
