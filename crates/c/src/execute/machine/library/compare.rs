//! What functions of the library ask of bytes.  Where inputs decide, there is an execution for each answer.

use std::cmp::Ordering;

use crate::execute::machine::state::{Machine, Sort, Stop};
use hardbop_smt::{Comparison, Term};

impl Machine<'_, '_> {
    /// Whether a byte is this one.
    pub(super) fn is_byte(&mut self, address: u64, value: u8) -> Result<bool, Stop> {
        match self.byte(address) {
            Err(Stop::NoInput) if self.symbols().is_some() => {
                let byte = self.byte_at(address)?;
                let terms = self.terms()?;
                let value = terms.bits(8, value.into());
                let condition = terms.equal(byte, value);
                self.holds(condition)
            }
            byte => byte.map(|byte| byte == value),
        }
    }

    /// How two bytes compare as unsigned numbers.
    pub(super) fn order(&mut self, left: u64, right: u64) -> Result<Ordering, Stop> {
        let (a, b) = (self.byte(left), self.byte(right));
        match (a, b) {
            (Err(Stop::NoInput), _) | (_, Err(Stop::NoInput)) if self.symbols().is_some() => {
                let (a, b) = (self.byte_at(left)?, self.byte_at(right)?);
                let terms = self.terms()?;
                let (equal, less) = (terms.equal(a, b), terms.compare(Comparison::ULt, a, b));
                Ok(match self.holds(equal)? {
                    true => Ordering::Equal,
                    false if self.holds(less)? => Ordering::Less,
                    false => Ordering::Greater,
                })
            }
            (a, b) => Ok(a?.cmp(&b?)),
        }
    }

    /// The number of bytes before the terminator, at most `limit`.
    pub(super) fn text_length(&mut self, address: u64, limit: u64) -> Result<u64, Stop> {
        let mut length = 0;
        while length < limit && !self.is_byte(address.wrapping_add(length), 0)? {
            length += 1;
        }
        Ok(length)
    }

    /// The byte at an address as a term.
    fn byte_at(&mut self, address: u64) -> Result<Term, Stop> {
        let (object, offset) = self.object_at(address & self.layout.mask(), 1)?;
        let sort = Sort { bits: 8, width: 8, float: false, pointee: None };
        self.term_at(object, offset * 8, sort)
    }
}
