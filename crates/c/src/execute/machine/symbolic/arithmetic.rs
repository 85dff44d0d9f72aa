//! Operators on terms, as [`arithmetic`](crate::execute::machine::arithmetic) has them on numbers.

use super::{is_float, is_signed};
use crate::execute::machine::arithmetic::sign_extended;
use crate::execute::machine::layout::{Scalar, mask};
use crate::execute::machine::state::{Machine, Stop};
use crate::flow::{BinaryOp, UnaryOp};
use crate::terms::{
    bit_op, bit_unary, comparison, float_comparison, float_op, float_unary, shift_count,
};
use hardbop_smt::{BitOp, Comparison, Term};

impl Machine<'_, '_> {
    /// `op value`, but for `!` and what asks of memory.
    ///
    /// # Errors
    /// The sign of a NaN is not known.
    pub(super) fn unary_term(
        &mut self,
        op: UnaryOp,
        scalar: Scalar,
        value: Term,
    ) -> Result<Term, Stop> {
        let terms = self.terms()?;
        if is_float(scalar) {
            return float_unary(terms, op, value).map(|(term, _)| term).ok_or(Stop::NoInput);
        }
        Ok(terms.unary(bit_unary(op), value))
    }

    /// An operator that neither compares nor connects.
    ///
    /// # Errors
    /// Where a division may trap.
    pub(super) fn arithmetic_term(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        a: Term,
        mut b: Term,
    ) -> Result<Term, Stop> {
        if is_float(scalar) {
            let op = float_op(op).ok_or(Stop::NoInput)?;
            return Ok(self.terms()?.float(op, &[a, b]));
        }
        let (width, signed) = (scalar.bits(), is_signed(scalar));
        match op {
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
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => b = shift_count(self.terms()?, b, width),
            _ => {}
        }
        let op = bit_op(op, signed).ok_or(Stop::NoInput)?;
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

    /// The condition that a comparison holds.
    pub(super) fn comparison_term(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        operands: (Term, Term),
    ) -> Result<Term, Stop> {
        let terms = self.terms()?;
        Ok(match is_float(scalar) {
            true => float_comparison(terms, op, operands),
            false => comparison(terms, op, is_signed(scalar), operands),
        })
    }
}
