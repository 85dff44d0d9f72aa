//! Terms in memory.

use super::is_float;
use crate::execute::execution::Demand;
use crate::execute::machine::evaluate::Spot;
use crate::execute::machine::layout::{Scalar, mask};
use crate::execute::machine::memory::{Content, ObjectId};
use crate::execute::machine::state::{Machine, Sort, Stop, Unanswered};
use crate::execute::machine::unknown::Share;
use crate::flow::Place;
use crate::terms::resized;
use hardbop_smt::{BitOp, Term};

const BYTE: u32 = 8;

/// Terms are not wider.
const WIDEST: u32 = 64;

impl Machine<'_, '_> {
    /// The value of a scalar place.
    pub(in crate::execute::machine) fn loaded(&mut self, place: &Place) -> Result<Term, Stop> {
        let spot = self.spot(place)?;
        let scalar = self.modelled_scalar(place.ty)?;
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        let sort = self.sort(place.ty, bits);
        let value = self.term_at(object, bit, sort)?;
        Ok(match scalar {
            Scalar::Bool => {
                let truth = self.truth(scalar, value)?;
                self.number(truth, 1)?
            }
            Scalar::Int { bits, signed } => resized(self.terms()?, value, bits, signed),
            Scalar::Float | Scalar::Double => value,
        })
    }

    /// The bits of an object from `bit` on, as many as the sort is wide.
    pub(in crate::execute::machine) fn term_at(
        &mut self,
        object: ObjectId,
        bit: u64,
        sort: Sort,
    ) -> Result<Term, Stop> {
        let width = sort.width;
        self.unanswered = None;
        match self.known_bits(object, bit, sort) {
            Ok(value) => return self.bits(width, value),
            // How many arguments of `main` there are, and how long, no term says.
            Err(Stop::NoInput)
                if !matches!(
                    self.memory.content(object),
                    Content::Arguments | Content::Argument { .. }
                ) => {}
            Err(stop) => return Err(stop),
        }
        let first = bit / 8;
        let end = (bit + u64::from(width)).div_ceil(8);
        let is_whole = bit.is_multiple_of(8) && width.is_multiple_of(BYTE);
        let parts = self.memory.shares_between(object, first, end);
        if !sort.float && parts.iter().any(Share::is_float) {
            // The bits of a NaN are not known.
            return Err(Stop::NoInput);
        }
        if is_whole && parts.is_empty() && self.memory.load(object, bit, width).1 == 0 {
            // It was never asked for.
            let kind = self.uninitialised(object, bit);
            self.unanswered = Some(Unanswered { kind, sort, demand: Demand::Read });
            let value = self.unanswered()?;
            self.set_bytes(object, first, value, false)?;
            return Ok(value);
        }
        let value = self.bytes_term(object, first, end)?;
        let low = (bit % 8) as u32;
        Ok(self.terms()?.extract(low + width - 1, low, value))
    }

    /// The bits of an object in this execution, where terms may stand for them.
    pub(in crate::execute::machine) fn concrete_bits(
        &mut self,
        object: ObjectId,
        bit: u64,
        sort: Sort,
    ) -> Result<u64, Stop> {
        self.concrete = false;
        let term = self.term_at(object, bit, sort);
        self.concrete = true;
        let term = term?;
        self.symbols().and_then(|symbols| symbols.known(term)).ok_or(Stop::NoInput)
    }

    /// The bytes between two of an object, the first one lowest.
    ///
    /// # Errors
    /// Where they are more than a term has: those of a bit-field may be nine.
    fn bytes_term(&mut self, object: ObjectId, first: u64, end: u64) -> Result<Term, Stop> {
        if (end - first) as u32 * BYTE > WIDEST {
            return Err(Stop::NoInput);
        }
        let mut value = self.byte_term(object, first)?;
        for at in first + 1..end {
            let byte = self.byte_term(object, at)?;
            value = self.terms()?.concat(byte, value);
        }
        Ok(value)
    }

    /// A byte of an object, if it has a value, or a term.
    pub(in crate::execute::machine) fn term_if_any(
        &mut self,
        object: ObjectId,
        at: u64,
    ) -> Option<Term> {
        let (value, known) = self.memory.load(object, at * 8, BYTE);
        if known == mask(BYTE) {
            return self.bits(BYTE, value).ok();
        }
        let share = self.memory.shares_between(object, at, at + 1).pop()?;
        share.term().filter(|_| known == 0)
    }

    /// A byte of an object.
    fn byte_term(&mut self, object: ObjectId, at: u64) -> Result<Term, Stop> {
        let (value, known) = self.memory.load(object, at * 8, BYTE);
        if known == mask(BYTE) {
            return self.bits(BYTE, value);
        }
        let share = self.memory.shares_between(object, at, at + 1).pop();
        let term = match share.as_ref().and_then(Share::term) {
            Some(term) => term,
            None => {
                let kind = match &share {
                    Some(share) => share.source(),
                    None => self.uninitialised(object, at * 8),
                };
                let sort = Sort { bits: BYTE, width: BYTE, float: false, pointee: None };
                self.unanswered = Some(Unanswered { kind, sort, demand: Demand::Read });
                let term = self.unanswered()?;
                match &share {
                    Some(share) => share.stand_for(term),
                    None => self.memory.add_share(object, Share::of_terms(at, &[term], false)),
                }
                term
            }
        };
        let terms = self.terms()?;
        let others = terms.bits(BYTE, !known & mask(BYTE));
        let rest = terms.binary(BitOp::And, term, others);
        let own = terms.bits(BYTE, value & known);
        Ok(terms.binary(BitOp::Or, rest, own))
    }

    /// Writes whole bytes.
    fn set_bytes(
        &mut self,
        object: ObjectId,
        first: u64,
        value: Term,
        is_float: bool,
    ) -> Result<(), Stop> {
        let terms = self.terms()?;
        let count = terms.width(value) / BYTE;
        let parts: Vec<Term> =
            (0..count).map(|i| terms.extract(i * BYTE + BYTE - 1, i * BYTE, value)).collect();
        let known: Vec<Option<u64>> = parts.iter().map(|&part| terms.as_bits(part)).collect();
        self.memory.fill(object, first, u64::from(count), None)?;
        self.memory.add_share(object, Share::of_terms(first, &parts, is_float));
        for (at, value) in (first..).zip(known) {
            if let Some(value) = value {
                self.memory.store(object, at * 8, BYTE, value)?;
            }
        }
        Ok(())
    }

    /// Writes a term into a scalar place.
    pub(in crate::execute::machine) fn store_term(
        &mut self,
        spot: Spot,
        scalar: Scalar,
        value: Term,
    ) -> Result<(), Stop> {
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        self.writable(object)?;
        let value = resized(self.terms()?, value, bits, false);
        let (first, end) = (bit / 8, (bit + u64::from(bits)).div_ceil(8));
        if bit.is_multiple_of(8) && bits.is_multiple_of(BYTE) {
            return self.set_bytes(object, first, value, is_float(scalar));
        }
        let whole = self.bytes_term(object, first, end)?;
        let terms = self.terms()?;
        let (width, low) = (terms.width(whole), (bit % 8) as u32);
        let mut new = value;
        if low > 0 {
            let below = terms.extract(low - 1, 0, whole);
            new = terms.concat(new, below);
        }
        if low + bits < width {
            let above = terms.extract(width - 1, low + bits, whole);
            new = terms.concat(above, new);
        }
        self.set_bytes(object, first, new, false)
    }
}
