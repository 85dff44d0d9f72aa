//! The formats of floating-point numbers, and constants of them as literals.

use super::{Bits, zero};
use crate::term::Rounding;
use hardbop_logic::Lit;

/// The numbers of bits of a format, and how results in it are rounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    pub exponent: usize,
    pub mantissa: usize,
    pub rounding: Rounding,
}

pub(super) const SINGLE: Format =
    Format { exponent: 8, mantissa: 23, rounding: Rounding::NearestEven };
pub(super) const DOUBLE: Format =
    Format { exponent: 11, mantissa: 52, rounding: Rounding::NearestEven };

impl Format {
    pub fn of(width: usize) -> Self {
        if width == 32 { SINGLE } else { DOUBLE }
    }

    pub fn rounded(self, rounding: Rounding) -> Self {
        Self { rounding, ..self }
    }

    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of exponents in calculations: with a sign, and room for sums.
    pub fn room(self) -> usize {
        self.exponent + 3
    }
}

pub(super) fn wide(bits: &[Lit], width: usize) -> Bits {
    let missing = width.saturating_sub(bits.len());
    bits.iter().copied().chain(std::iter::repeat_n(Lit::FALSE, missing)).collect()
}

/// A constant in two's complement.
pub(super) fn number(value: i64, width: usize) -> Bits {
    (0..width).map(|i| Lit::from(value >> i.min(63) & 1 == 1)).collect()
}

/// A number whose exponent has only ones.
pub(super) fn assembled(format: Format, sign: Lit, mantissa: Vec<Lit>) -> Bits {
    let ones = std::iter::repeat_n(Lit::TRUE, format.exponent);
    mantissa.into_iter().chain(ones).chain([sign]).collect()
}

pub(super) fn infinity(format: Format, sign: Lit) -> Bits {
    assembled(format, sign, vec![Lit::FALSE; format.mantissa])
}

/// The largest number that is finite.
pub(super) fn largest(format: Format, sign: Lit) -> Bits {
    let ones = |n| std::iter::repeat_n(Lit::TRUE, n);
    let exponent = [Lit::FALSE].into_iter().chain(ones(format.exponent - 1));
    ones(format.mantissa).chain(exponent).chain([sign]).collect()
}

pub(super) fn nought(format: Format, sign: Lit) -> Bits {
    zero(format.mantissa + format.exponent).iter().copied().chain([sign]).collect()
}

/// The result of an invalid operation.
pub(super) fn invalid_result(format: Format) -> Bits {
    quiet(&infinity(format, Lit::TRUE))
}

/// A NaN, made quiet.
pub(super) fn quiet(bits: &[Lit]) -> Bits {
    let mut bits: Bits = bits.into();
    bits[Format::of(bits.len()).mantissa - 1] = Lit::TRUE;
    bits
}
