//! Floating-point arithmetic that does not round to nearest (IEEE 754, 4.3.2), on the bits of numbers in the formats
//! binary32 and binary64.
//!
//! Processors do this in a mode of theirs, which Rust does not let one set; [`rustc_apfloat`] computes it.

use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

/// A direction of rounding, other than to the nearest number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    Down,
    Up,
    /// Towards zero.
    Zero,
}

impl Direction {
    /// The direction that `fesetround` is told by such a number on x86; `None` for the nearest number.
    #[must_use]
    pub fn of_mode(mode: u64) -> Option<Self> {
        Self::MODES.into_iter().find(|(number, _)| *number == mode).map(|(_, direction)| direction)
    }

    /// The numbers that `fesetround` takes on x86, and what they mean; 0 stands for the nearest number.
    pub const MODES: [(u64, Self); 3] =
        [(0x400, Self::Down), (0x800, Self::Up), (0xC00, Self::Zero)];
}

/// An operation that rounds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    SquareRoot,
    /// From 64 to 32 bits.
    Narrow,
    /// A signed number of 64 bits, as a float of so many bits.
    OfSigned(u32),
    /// An unsigned number of 64 bits, as a float of so many bits.
    OfUnsigned(u32),
}

impl Operation {
    /// The result, rounded in a direction, for operands of so many bits; of one operand, `b` is not looked at.
    ///
    /// As with SSE2, the first operand that is a NaN is the result, made quiet, and an invalid operation gives the NaN with
    /// its sign bit set and no payload.
    #[must_use]
    pub fn value(self, direction: Direction, width: u32, a: u64, b: u64) -> u64 {
        let round = match direction {
            Direction::Down => Round::TowardNegative,
            Direction::Up => Round::TowardPositive,
            Direction::Zero => Round::TowardZero,
        };
        let bits = match self {
            Self::OfSigned(32) => Single::from_i128_r((a as i64).into(), round).value.to_bits(),
            Self::OfSigned(_) => Double::from_i128_r((a as i64).into(), round).value.to_bits(),
            Self::OfUnsigned(32) => Single::from_u128_r(a.into(), round).value.to_bits(),
            Self::OfUnsigned(_) => Double::from_u128_r(a.into(), round).value.to_bits(),
            Self::Narrow => {
                let x = Double::from_bits(a.into());
                if x.is_nan() {
                    return a >> 32 & 0x8000_0000 | 0x7FC0_0000 | a >> 29 & 0x007F_FFFF;
                }
                let narrow: StatusAnd<Single> = x.convert_r(round, &mut false);
                narrow.value.to_bits()
            }
            _ if width == 32 => {
                self.within(round, [a, b].map(|x| Single::from_bits(x.into())), 0x0040_0000)
            }
            _ => self.within(
                round,
                [a, b].map(|x| Double::from_bits(x.into())),
                0x0008_0000_0000_0000,
            ),
        };
        bits as u64
    }

    /// Within one format, of which `quiet` is the bit of quiet NaNs.
    fn within<F: Float>(self, round: Round, [a, b]: [F; 2], quiet: u128) -> u128 {
        let operands = if self == Self::SquareRoot { &[a][..] } else { &[a, b] };
        if let Some(nan) = operands.iter().find(|x| x.is_nan()) {
            return nan.to_bits() | quiet;
        }
        let result = match self {
            Self::Add => a.add_r(b, round).value,
            Self::Subtract => a.sub_r(b, round).value,
            Self::Multiply => a.mul_r(b, round).value,
            Self::Divide => a.div_r(b, round).value,
            _ => root(a, round),
        };
        match result.is_nan() {
            // All ones from the sign down to the bit of quiet NaNs.
            true => (-F::INFINITY).to_bits() | quiet,
            false => result.to_bits(),
        }
    }
}

/// The square root of a number that is no NaN.
fn root<F: Float>(x: F, round: Round) -> F {
    if x.is_zero() {
        return x;
    }
    if x.is_negative() {
        return F::NAN;
    }
    if x.is_infinite() {
        return x;
    }
    // The largest number whose square is not above: numbers of one sign are in the order of their bits.
    let is_above = |bits: u128| {
        let root = F::from_bits(bits);
        // Rounded upwards, a difference is positive only if it is so exactly.
        let over = root.mul_add_r(root, -x, Round::TowardPositive).value;
        !over.is_zero() && !over.is_negative()
    };
    let (mut low, mut high) = (0, F::INFINITY.to_bits());
    while high - low > 1 {
        let middle = low.midpoint(high);
        match is_above(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    let below = F::from_bits(low);
    let is_exact = below.mul_add_r(below, -x, Round::TowardNegative).value.is_zero();
    F::from_bits(if round == Round::TowardPositive && !is_exact { high } else { low })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// What rounding in a direction means: the result is the nearest number or its neighbour, is on the right side of it, and
    /// the directions enclose it.
    #[test]
    fn directions_enclose_the_nearest_number() {
        let mut random = Random::new(3);
        let mut differ = 0;
        for round in 0..20_000 {
            let scale = random.below(5) as i32 * 20 - 40;
            let mut number = || {
                let whole = (random.bits() >> 11) as f64 / (1_u64 << 52) as f64;
                (if random.bits() & 1 == 0 { whole } else { -whole }) * 2f64.powi(scale)
            };
            let (a, b) = (number(), number());
            for (operation, nearest) in [
                (Operation::Add, a + b),
                (Operation::Subtract, a - b),
                (Operation::Multiply, a * b),
                (Operation::Divide, a / b),
                (Operation::SquareRoot, a.sqrt()),
                (Operation::Narrow, f64::from(a as f32)),
                (Operation::OfSigned(64), a.to_bits() as i64 as f64),
                (Operation::OfUnsigned(64), a.to_bits() as f64),
            ] {
                let in_direction = |d| {
                    let bits = operation.value(d, 64, a.to_bits(), b.to_bits());
                    match operation {
                        Operation::Narrow => f64::from(f32::from_bits(bits as u32)),
                        _ => f64::from_bits(bits),
                    }
                };
                let [down, up, zero] =
                    [Direction::Down, Direction::Up, Direction::Zero].map(in_direction);
                if nearest.is_nan() {
                    assert!(down.is_nan() && up.is_nan() && zero.is_nan());
                    continue;
                }
                assert!(down <= nearest && nearest <= up, "{operation:?} {a} {b} ({round})");
                assert!(nearest == down || nearest == up, "{operation:?} {a} {b} ({round})");
                assert_eq!(zero, if nearest < 0.0 { up } else { down });
                let next = match operation {
                    Operation::Narrow => f64::from((down as f32).next_up()),
                    _ => down.next_up(),
                };
                assert!(up == down || up == next, "{operation:?} {a} {b} ({round})");
                differ += usize::from(up != down);
            }
        }
        assert!(differ > 50_000);
    }
}
