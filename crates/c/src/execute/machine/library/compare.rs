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

    /// What a comparison of these many bytes, or of two texts, returns.
    pub(super) fn compared(
        &mut self,
        texts: [u64; 2],
        limit: u64,
        are_texts: bool,
        (name, used): (&str, bool),
    ) -> Result<u64, Stop> {
        self.might_equal(texts, limit, are_texts)?;
        for i in 0..limit {
            let [left, right] = texts.map(|at| at.wrapping_add(i));
            match (self.byte(left), self.byte(right)) {
                (Err(Stop::NoInput), _) | (_, Err(Stop::NoInput)) if self.symbols().is_some() => {
                    let (a, b) = (self.byte_at(left)?, self.byte_at(right)?);
                    let equal = self.terms()?.equal(a, b);
                    if !self.holds(equal)? {
                        let order = self.order(a, b)?;
                        return self.sign(order, name, used);
                    }
                }
                (a, b) => {
                    let order = a?.cmp(&b?);
                    if order.is_ne() {
                        return self.sign(order, name, used);
                    }
                }
            }
            if are_texts && self.is_byte(left, 0)? {
                break;
            }
        }
        Ok(0)
    }

    /// Which of two bytes that differ is less.  Programs hardly ask: executions that are led have that as a number only.
    fn order(&mut self, a: Term, b: Term) -> Result<Ordering, Stop> {
        let less = self.terms()?.compare(Comparison::ULt, a, b);
        let is_less = match self.is_guided {
            true => {
                self.symbols().and_then(|symbols| symbols.known(less)).ok_or(Stop::NoInput)? != 0
            }
            false => self.holds(less)?,
        };
        Ok(if is_less { Ordering::Less } else { Ordering::Greater })
    }

    /// That these many bytes are the same, or those of two texts of which one is known, is another way for executions that are
    /// led: byte after byte it would be a long one.
    fn might_equal(&mut self, texts: [u64; 2], limit: u64, are_texts: bool) -> Result<(), Stop> {
        let mut conditions = vec![];
        for i in 0..if self.is_guided { limit } else { 0 } {
            let [a, b] = texts.map(|at| self.byte_if_any(at.wrapping_add(i)));
            let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
            let terms = self.terms()?;
            let known = match (terms.as_bits(a), terms.as_bits(b)) {
                (Some(a), Some(b)) if a != b => return Ok(()),
                (Some(known), Some(_)) => known,
                (Some(known), None) | (None, Some(known)) => {
                    conditions.push(terms.equal(a, b));
                    known
                }
                (None, None) => return Ok(()),
            };
            if are_texts && known == 0 {
                break;
            }
        }
        self.might_hold(&conditions)
    }

    /// So is that there are these bytes.
    pub(super) fn might_begin(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        let mut conditions = vec![];
        let bytes = if self.is_guided { bytes } else { &[] };
        for (i, &byte) in bytes.iter().enumerate() {
            let Some(a) = self.byte_if_any(address.wrapping_add(i as u64)) else { return Ok(()) };
            let terms = self.terms()?;
            let byte = terms.bits(8, byte.into());
            conditions.push(terms.equal(a, byte));
        }
        self.might_hold(&conditions)
    }

    /// A byte that has a value or a term, which asks for no input.
    fn byte_if_any(&mut self, address: u64) -> Option<Term> {
        let (object, offset) = self.object_at(address & self.layout.mask(), 1).ok()?;
        self.term_if_any(object, offset)
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
