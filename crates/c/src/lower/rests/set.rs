//! Sets of small numbers.

use std::ops::Range;

/// A set of numbers below a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub fn all(bound: usize) -> Self {
        let mut all = Self(vec![0; bound.div_ceil(64)]);
        all.put(0..bound, true);
        all
    }

    pub fn put(&mut self, range: Range<usize>, is_in: bool) {
        for number in range {
            let bit = 1 << (number % 64);
            match is_in {
                true => self.0[number / 64] |= bit,
                false => self.0[number / 64] &= !bit,
            }
        }
    }

    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Keeps only what is in another set, too.
    pub fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }

    /// Takes in another set; whether that changes anything.
    pub fn include(&mut self, other: &Self) -> bool {
        let mut grows = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            grows |= other & !*own != 0;
            *own |= other;
        }
        grows
    }
}
