//! Operators on terms, as [`arithmetic`](crate::execute::machine::arithmetic) has them on numbers.

use super::{is_float, is_signed, resized};
use crate::execute::machine::arithmetic::sign_extended;
use crate::execute::machine::layout::{Scalar, mask};
use crate::execute::machine::state::{Machine, Stop};
use crate::flow::{BinaryOp, Checked, RealOp, UnaryOp};
use hardbop_smt::{self as smt, BitOp, Comparison, FloatOp, Rounding, Term, Terms};

impl Machine<'_, '_> {
    /// `op value`, but for `!` and what asks of memory.
    pub(super) fn unary_term(
        &mut self,
        op: UnaryOp,
        scalar: Scalar,
        value: Term,
    ) -> Result<Term, Stop> {
        let terms = self.terms()?;
        if !is_float(scalar) {
            return match op {
                UnaryOp::Negate => Ok(terms.unary(smt::UnaryOp::Negate, value)),
                UnaryOp::BitNot => Ok(terms.unary(smt::UnaryOp::Not, value)),
                _ => Err(Stop::NoInput),
            };
        }
        let width = scalar.bits();
        let sign = 1_u64 << (width - 1);
        let op = match op {
            UnaryOp::Negate => {
                let sign = terms.bits(width, sign);
                return Ok(terms.binary(BitOp::Xor, value, sign));
            }
            UnaryOp::Real(RealOp::Absolute) => {
                let rest = terms.bits(width, sign - 1);
                return Ok(terms.binary(BitOp::And, value, rest));
            }
            UnaryOp::Real(RealOp::SquareRoot) => FloatOp::Sqrt,
            UnaryOp::Real(RealOp::Integral | RealOp::NearestEven) => {
                FloatOp::Round(Rounding::NearestEven)
            }
            UnaryOp::Real(RealOp::NearestAway) => FloatOp::Round(Rounding::NearestAway),
            UnaryOp::Real(RealOp::Truncate) => FloatOp::Round(Rounding::Zero),
            UnaryOp::Real(RealOp::Floor) => FloatOp::Round(Rounding::Down),
            UnaryOp::Real(RealOp::Ceiling) => FloatOp::Round(Rounding::Up),
            // The sign of a NaN is not known.
            _ => return Err(Stop::NoInput),
        };
        Ok(terms.float(op, &[value]))
    }

    pub(super) fn arithmetic_term(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        a: Term,
        (count, b): (Scalar, Term),
    ) -> Result<Term, Stop> {
        if is_float(scalar) {
            let op = match op {
                BinaryOp::Add => FloatOp::Add,
                BinaryOp::Subtract => FloatOp::Sub,
                BinaryOp::Multiply => FloatOp::Mul,
                BinaryOp::Divide => FloatOp::Div,
                _ => return Err(Stop::NoInput),
            };
            return Ok(self.terms()?.float(op, &[a, b]));
        }
        let (width, signed) = (scalar.bits(), is_signed(scalar));
        let op = match op {
            BinaryOp::Add => BitOp::Add,
            BinaryOp::Subtract => BitOp::Sub,
            BinaryOp::Multiply => BitOp::Mul,
            BinaryOp::BitAnd => BitOp::And,
            BinaryOp::BitOr => BitOp::Or,
            BinaryOp::BitXor => BitOp::Xor,
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = self.bits(width, 0)?;
                let (all, least) =
                    (self.bits(width, u64::MAX)?, self.bits(width, 1 << (width - 1))?);
                let terms = self.terms()?;
                let mut fine = terms.distinct(b, zero);
                if signed {
                    let (c, d) = (terms.distinct(b, all), terms.distinct(a, least));
                    let fits = terms.or(&[c, d]);
                    fine = terms.and(&[fine, fits]);
                }
                self.require(fine)?;
                match (op, signed) {
                    (BinaryOp::Divide, true) => BitOp::SDiv,
                    (BinaryOp::Divide, false) => BitOp::UDiv,
                    (_, true) => BitOp::SRem,
                    (_, false) => BitOp::URem,
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let terms = self.terms()?;
                let by = resized(terms, b, width.max(count.bits()), is_signed(count));
                let most = terms.bits(terms.width(by), u64::from(width) - 1);
                let by = terms.binary(BitOp::And, by, most);
                let by = resized(terms, by, width, false);
                let op = match (op, signed) {
                    (BinaryOp::ShiftLeft, _) => BitOp::Shl,
                    (_, true) => BitOp::AShr,
                    (_, false) => BitOp::LShr,
                };
                return Ok(terms.binary(op, a, by));
            }
            _ => return Err(Stop::NoInput),
        };
        let value = self.terms()?.binary(op, a, b);
        self.note_bounds(op, (a, b), value)?;
        Ok(value)
    }

    /// Notes the bounds of a quotient or a remainder, which solvers would find bit by bit.
    fn note_bounds(&mut self, op: BitOp, (a, b): (Term, Term), value: Term) -> Result<(), Stop> {
        let symbols = self.symbols().ok_or(Stop::NoInput)?;
        let terms = &mut symbols.terms;
        let width = terms.width(value);
        let bounds = match (op, terms.as_bits(b)) {
            (BitOp::URem, _) => vec![terms.compare(Comparison::ULt, value, b)],
            (BitOp::UDiv, _) => vec![terms.compare(Comparison::ULe, value, a)],
            (BitOp::SRem, Some(by)) if 0 < sign_extended(by, width) => {
                let zero = terms.bits(width, 0);
                let least = terms.bits(width, by.wrapping_neg() & mask(width));
                let negative = terms.compare(Comparison::SLt, a, zero);
                let not_negative = terms.compare(Comparison::SLe, zero, value);
                vec![
                    terms.compare(Comparison::SLt, value, b),
                    terms.compare(Comparison::SLt, least, value),
                    terms.or(&[negative, not_negative]),
                ]
            }
            _ => return Ok(()),
        };
        for bound in bounds {
            symbols.assume(bound);
        }
        Ok(())
    }

    pub(super) fn comparison_term(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        a: Term,
        b: Term,
    ) -> Result<Term, Stop> {
        let terms = self.terms()?;
        if is_float(scalar) {
            let (op, operands, not) = match op {
                BinaryOp::Less => (FloatOp::Less, [a, b], false),
                BinaryOp::LessEqual => (FloatOp::AtMost, [a, b], false),
                BinaryOp::Greater => (FloatOp::Less, [b, a], false),
                BinaryOp::GreaterEqual => (FloatOp::AtMost, [b, a], false),
                BinaryOp::Equal => (FloatOp::Equal, [a, b], false),
                _ => (FloatOp::Equal, [a, b], true),
            };
            let holds = terms.float(op, &operands);
            return Ok(if not { terms.not(holds) } else { holds });
        }
        let (less, at_most) = match is_signed(scalar) {
            true => (Comparison::SLt, Comparison::SLe),
            false => (Comparison::ULt, Comparison::ULe),
        };
        Ok(match op {
            BinaryOp::Equal => terms.equal(a, b),
            BinaryOp::NotEqual => terms.distinct(a, b),
            BinaryOp::Less => terms.compare(less, a, b),
            BinaryOp::LessEqual => terms.compare(at_most, a, b),
            BinaryOp::Greater => terms.compare(less, b, a),
            _ => terms.compare(at_most, b, a),
        })
    }

    /// Whether C leaves the result of an operation undefined, or an unsigned one wraps around.
    pub(super) fn overflow_term(
        &mut self,
        op: Checked,
        (scalar, a): (Scalar, Term),
        (count, b): (Scalar, Term),
    ) -> Result<Term, Stop> {
        let (width, signed) = (scalar.bits(), is_signed(scalar));
        let terms = self.terms()?;
        if op == Checked::Divide {
            let (all, least) =
                (terms.bits(width, u64::MAX >> (64 - width)), terms.bits(width, 1 << (width - 1)));
            let conditions = [terms.equal(b, all), terms.equal(a, least)];
            return Ok(terms.and(&conditions));
        }
        if op == Checked::ShiftCount {
            return Ok(is_no_count(terms, (count, b), width));
        }
        // In twice as many bits nothing is lost, but by shifts.
        let wide = 2 * width;
        if wide > 64 {
            return self.wide_overflow(op, (signed, width), a, b);
        }
        let (x, y) = (resized(terms, a, wide, signed), resized(terms, b, wide, is_signed(count)));
        let result = match op {
            Checked::Add => terms.binary(BitOp::Add, x, y),
            Checked::Subtract => terms.binary(BitOp::Sub, x, y),
            Checked::Multiply => terms.binary(BitOp::Mul, x, y),
            Checked::ShiftLeft => {
                let bad = is_no_count(terms, (count, b), width);
                let count = resized(terms, b, wide, false);
                let shifted = terms.binary(BitOp::Shl, x, count);
                let lost = is_lost(terms, shifted, (width, signed));
                if !signed {
                    let counted = terms.not(bad);
                    return Ok(terms.and(&[counted, lost]));
                }
                let zero = terms.bits(width, 0);
                let negative = terms.compare(Comparison::SLt, a, zero);
                return Ok(terms.or(&[negative, bad, lost]));
            }
            Checked::Divide | Checked::ShiftCount => return Err(Stop::NoInput),
        };
        Ok(is_lost(terms, result, (width, signed)))
    }

    /// Whether an operation on 64 bits overflows.
    fn wide_overflow(
        &mut self,
        op: Checked,
        (signed, width): (bool, u32),
        a: Term,
        b: Term,
    ) -> Result<Term, Stop> {
        let terms = self.terms()?;
        let zero = terms.bits(width, 0);
        let negative = |terms: &mut Terms, value| terms.compare(Comparison::SLt, value, zero);
        Ok(match (op, signed) {
            (Checked::Add, false) => {
                let sum = terms.binary(BitOp::Add, a, b);
                terms.compare(Comparison::ULt, sum, a)
            }
            (Checked::Subtract, false) => terms.compare(Comparison::ULt, a, b),
            (Checked::Add | Checked::Subtract, true) => {
                // The signs of the operands say what that of the result has to be.
                let is_sum = op == Checked::Add;
                let result = terms.binary(if is_sum { BitOp::Add } else { BitOp::Sub }, a, b);
                let [x, y, z] = [a, b, result].map(|value| negative(terms, value));
                let alike = terms.iff(x, y);
                let may = if is_sum { alike } else { terms.not(alike) };
                let same = terms.iff(x, z);
                let changed = terms.not(same);
                terms.and(&[may, changed])
            }
            _ => return Err(Stop::NoInput),
        })
    }
}

/// Whether a shift by so much is undefined.
fn is_no_count(terms: &mut Terms, (scalar, count): (Scalar, Term), width: u32) -> Term {
    let most = terms.bits(scalar.bits(), u64::from(width) - 1);
    // Negative counts are large as unsigned numbers.
    terms.compare(Comparison::ULt, most, count)
}

/// Whether a number does not fit into so many bits.
fn is_lost(terms: &mut Terms, value: Term, (width, signed): (u32, bool)) -> Term {
    let wide = terms.width(value);
    let low = terms.extract(width - 1, 0, value);
    let again = resized(terms, low, wide, signed);
    terms.distinct(value, again)
}
