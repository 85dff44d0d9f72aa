//! What operators of C are on terms: for automata, and for executions whose inputs are terms.
//!
//! Numbers are bit-vectors as wide as their types, and floating-point numbers their bits; a `long double` has no term.

mod overflow;

pub(crate) use overflow::overflow;

use crate::flow::{BinaryOp, RealOp, UnaryOp};
use hardbop_smt::{self as smt, BitOp, Comparison, FloatOp, Rounding, Term, Terms};

/// The number in so many bits: the lowest ones, or with further ones, copies of the sign if it is `signed`.
pub(crate) fn resized(terms: &mut Terms, value: Term, width: u32, signed: bool) -> Term {
    match terms.width(value) {
        from if from >= width => terms.extract(width - 1, 0, value),
        _ if signed => terms.sign_extend(width, value),
        _ => terms.zero_extend(width, value),
    }
}

/// The operator on integers, but for comparisons and connectives; of shifts, by a count from [`shift_count`].
pub(crate) fn bit_op(op: BinaryOp, signed: bool) -> Option<BitOp> {
    Some(match (op, signed) {
        (BinaryOp::Add, _) => BitOp::Add,
        (BinaryOp::Subtract, _) => BitOp::Sub,
        (BinaryOp::Multiply, _) => BitOp::Mul,
        (BinaryOp::BitAnd, _) => BitOp::And,
        (BinaryOp::BitOr, _) => BitOp::Or,
        (BinaryOp::BitXor, _) => BitOp::Xor,
        (BinaryOp::Divide, true) => BitOp::SDiv,
        (BinaryOp::Divide, false) => BitOp::UDiv,
        (BinaryOp::Remainder, true) => BitOp::SRem,
        (BinaryOp::Remainder, false) => BitOp::URem,
        (BinaryOp::ShiftLeft, _) => BitOp::Shl,
        (BinaryOp::ShiftRight, true) => BitOp::AShr,
        (BinaryOp::ShiftRight, false) => BitOp::LShr,
        _ => return None,
    })
}

/// The count by which a number of so many bits is shifted: the processor uses the lowest bits only.  Of a number whose width is
/// no power of two, it is less than that.
pub(crate) fn shift_count(terms: &mut Terms, count: Term, width: u32) -> Term {
    let mask = terms.bits(terms.width(count), u64::from(width.next_power_of_two()) - 1);
    let count = terms.binary(BitOp::And, count, mask);
    resized(terms, count, width, false)
}

/// The condition that a comparison of integers holds; false for other operators.
pub(crate) fn comparison(
    terms: &mut Terms,
    op: BinaryOp,
    signed: bool,
    (a, b): (Term, Term),
) -> Term {
    let (less, at_most) = match signed {
        true => (Comparison::SLt, Comparison::SLe),
        false => (Comparison::ULt, Comparison::ULe),
    };
    match op {
        BinaryOp::Equal => terms.equal(a, b),
        BinaryOp::NotEqual => terms.distinct(a, b),
        BinaryOp::Less => terms.compare(less, a, b),
        BinaryOp::LessEqual => terms.compare(at_most, a, b),
        BinaryOp::Greater => terms.compare(less, b, a),
        _ => terms.compare(at_most, b, a),
    }
}

/// The operator on floating-point numbers.
pub(crate) fn float_op(op: BinaryOp) -> Option<FloatOp> {
    match op {
        BinaryOp::Add => Some(FloatOp::Add),
        BinaryOp::Subtract => Some(FloatOp::Sub),
        BinaryOp::Multiply => Some(FloatOp::Mul),
        BinaryOp::Divide => Some(FloatOp::Div),
        _ => None,
    }
}

/// The condition that a comparison of floating-point numbers holds.
pub(crate) fn float_comparison(terms: &mut Terms, op: BinaryOp, (a, b): (Term, Term)) -> Term {
    match op {
        BinaryOp::Less => terms.float(FloatOp::Less, &[a, b]),
        BinaryOp::LessEqual => terms.float(FloatOp::AtMost, &[a, b]),
        BinaryOp::Greater => terms.float(FloatOp::Less, &[b, a]),
        BinaryOp::GreaterEqual => terms.float(FloatOp::AtMost, &[b, a]),
        BinaryOp::Equal => terms.float(FloatOp::Equal, &[a, b]),
        _ => {
            let equal = terms.float(FloatOp::Equal, &[a, b]);
            terms.not(equal)
        }
    }
}

/// What an operator makes of a floating-point number, and whether it rounds; `None` for conditions, and for the sign, which
/// a NaN may have or not.
pub(crate) fn float_unary(terms: &mut Terms, op: UnaryOp, value: Term) -> Option<(Term, bool)> {
    let width = terms.width(value);
    let sign = 1_u64 << (width - 1);
    let op = match op {
        UnaryOp::Negate => {
            let sign = terms.bits(width, sign);
            return Some((terms.binary(BitOp::Xor, value, sign), false));
        }
        UnaryOp::Real(RealOp::Absolute) => {
            let rest = terms.bits(width, sign - 1);
            return Some((terms.binary(BitOp::And, value, rest), false));
        }
        UnaryOp::Real(RealOp::SquareRoot) => FloatOp::Sqrt,
        UnaryOp::Real(RealOp::Integral | RealOp::NearestEven) => {
            FloatOp::Round(Rounding::NearestEven)
        }
        UnaryOp::Real(RealOp::NearestAway) => FloatOp::Round(Rounding::NearestAway),
        UnaryOp::Real(RealOp::Truncate) => FloatOp::Round(Rounding::Zero),
        UnaryOp::Real(RealOp::Floor) => FloatOp::Round(Rounding::Down),
        UnaryOp::Real(RealOp::Ceiling) => FloatOp::Round(Rounding::Up),
        UnaryOp::Real(RealOp::SignBit) | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Is(_) => {
            return None;
        }
    };
    Some((terms.float(op, &[value]), true))
}

/// The operator on integers, but for conditions.
pub(crate) fn bit_unary(op: UnaryOp) -> smt::UnaryOp {
    match op {
        UnaryOp::BitNot => smt::UnaryOp::Not,
        _ => smt::UnaryOp::Negate,
    }
}

/// The condition that a floating-point number is not zero; a NaN is not.
pub(crate) fn float_is_not_zero(terms: &mut Terms, value: Term) -> Term {
    let width = terms.width(value);
    let magnitude = terms.extract(width - 2, 0, value);
    let zero = terms.bits(width - 1, 0);
    terms.distinct(magnitude, zero)
}

/// The conversion of an integer to a floating-point number of so many bits: the operator and its operand.
pub(crate) fn float_of_integer(
    terms: &mut Terms,
    value: Term,
    signed: bool,
    width: u32,
) -> (FloatOp, Term) {
    let op = if signed { FloatOp::OfSigned(width) } else { FloatOp::OfUnsigned(width) };
    (op, resized(terms, value, 64, signed))
}
