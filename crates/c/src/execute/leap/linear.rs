//! Values that grow by a constant per round, and for how many rounds what is computed from them is known.

use crate::execute::machine::arithmetic::{binary, integer, unary};
use crate::execute::machine::{Scalar, mask};
use crate::flow::{BinaryOp, Checked, UnaryOp};

/// In round `k`, from 0, the value `start + k * slope` of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Linear {
    pub start: i128,
    pub slope: i128,
}

impl Linear {
    pub fn constant(start: i128) -> Self {
        Self { start, slope: 0 }
    }

    fn plus(self, other: Self) -> Self {
        Self { start: self.start + other.start, slope: self.slope + other.slope }
    }

    /// Products fit: both factors are of at most 64 bits.
    fn times(self, factor: i128) -> Option<Self> {
        Some(Self {
            start: self.start.checked_mul(factor)?,
            slope: self.slope.checked_mul(factor)?,
        })
    }
}

/// The least and the greatest value of an integer type; `None` for others.
fn range(scalar: Scalar) -> Option<(i128, i128)> {
    Some(match scalar {
        Scalar::Bool => (0, 1),
        Scalar::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Scalar::Int { bits, signed: false } => (0, (1 << bits) - 1),
        Scalar::Float | Scalar::Double => return None,
    })
}

/// The number of rounds for which all that was computed so far is right.
#[derive(Debug)]
pub(super) struct Rounds(pub i128);

impl Rounds {
    /// As many rounds as can be told apart.
    pub fn new() -> Self {
        Self(i128::from(u64::MAX))
    }

    fn at_most(&mut self, rounds: i128) -> Option<()> {
        self.0 = self.0.min(rounds);
        // It has to hold in this round at least, and one round is not worth a leap.
        (self.0 >= 2).then_some(())
    }

    /// In so many rounds it stays within its type. Of a value that does not at first, `None`.
    pub fn within(&mut self, value: Linear, scalar: Scalar) -> Option<Linear> {
        let (least, most) = range(scalar)?;
        if !(least..=most).contains(&value.start) {
            return None;
        }
        match value.slope {
            0 => {}
            slope if slope > 0 => self.at_most((most - value.start) / slope + 1)?,
            slope => self.at_most((value.start - least) / -slope + 1)?,
        }
        Some(value)
    }

    /// The value modulo the size of its type.
    fn wrapped(&mut self, value: Linear, scalar: Scalar) -> Option<Linear> {
        let (least, most) = range(scalar)?;
        let size = most - least + 1;
        let start = (value.start - least).rem_euclid(size) + least;
        let slope = value.slope.rem_euclid(size);
        let slope = if 2 * slope > size { slope - size } else { slope };
        self.within(Linear { start, slope }, scalar)
    }

    /// Whether the value is negative.
    fn negative(&mut self, value: Linear) -> Option<bool> {
        let is = value.start < 0;
        match value.slope {
            slope if is && slope > 0 => self.at_most((-value.start - 1) / slope + 1)?,
            slope if !is && slope < 0 => self.at_most(value.start / -slope + 1)?,
            _ => {}
        }
        Some(is)
    }

    /// Whether the value is not 0.
    pub fn truth(&mut self, value: Linear) -> Option<bool> {
        if value.slope == 0 {
            return Some(value.start != 0);
        }
        if value.start == 0 {
            return None;
        }
        let away = -value.start;
        if away % value.slope == 0 && away / value.slope > 0 {
            self.at_most(away / value.slope)?;
        }
        Some(true)
    }

    /// `op value`, where the operand has a type.
    pub fn unary(&mut self, op: UnaryOp, scalar: Scalar, value: Linear) -> Option<Linear> {
        range(scalar)?;
        match op {
            UnaryOp::Is(_) | UnaryOp::Real(_) => None,
            UnaryOp::Not => Some(Linear::constant(i128::from(!self.truth(value)?))),
            _ if value.slope == 0 => {
                let bits = unary(op, scalar, value.start as u64 & mask(scalar.bits()));
                Some(Linear::constant(integer(scalar, bits)))
            }
            UnaryOp::Negate => self.result(value.times(-1)?, scalar),
            UnaryOp::BitNot => self.wrapped(value.times(-1)?.plus(Linear::constant(-1)), scalar),
        }
    }

    /// What an operation on a type gives: where it is signed, without overflow.
    fn result(&mut self, value: Linear, scalar: Scalar) -> Option<Linear> {
        match scalar {
            Scalar::Int { signed: true, .. } => self.within(value, scalar),
            _ => self.wrapped(value, scalar),
        }
    }

    /// `left op right`, of operands of one type (but for shifts); not for `And` and `Or`.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        (scalar, right_scalar): (Scalar, Scalar),
        (left, right): (Linear, Linear),
    ) -> Option<Linear> {
        range(scalar)?;
        range(right_scalar)?;
        let difference = |a: Linear, b: Linear| Some(a.plus(b.times(-1)?));
        let truth = |is| Some(Linear::constant(i128::from(is)));
        if left.slope == 0 && right.slope == 0 {
            if let Some(checked) = Checked::of(op)
                && matches!(scalar, Scalar::Int { signed: true, .. })
            {
                let check = BinaryOp::Overflows(checked);
                // An operation that C does not define is left to the machine.
                if constant(check, (scalar, right_scalar), (left, right))?.start != 0 {
                    return None;
                }
            }
            return constant(op, (scalar, right_scalar), (left, right));
        }
        match op {
            BinaryOp::Add => self.result(left.plus(right), scalar),
            BinaryOp::Subtract => self.result(difference(left, right)?, scalar),
            BinaryOp::Multiply if right.slope == 0 => self.result(left.times(right.start)?, scalar),
            BinaryOp::Multiply if left.slope == 0 => self.result(right.times(left.start)?, scalar),
            BinaryOp::Equal => truth(!self.truth(difference(left, right)?)?),
            BinaryOp::NotEqual => truth(self.truth(difference(left, right)?)?),
            BinaryOp::Less => truth(self.negative(difference(left, right)?)?),
            BinaryOp::GreaterEqual => truth(!self.negative(difference(left, right)?)?),
            BinaryOp::Greater => truth(self.negative(difference(right, left)?)?),
            BinaryOp::LessEqual => truth(!self.negative(difference(right, left)?)?),
            BinaryOp::Overflows(Checked::Add) => {
                self.within(left.plus(right), scalar)?;
                truth(false)
            }
            BinaryOp::Overflows(Checked::Subtract) => {
                self.within(difference(left, right)?, scalar)?;
                truth(false)
            }
            _ => None,
        }
    }

    /// The conversion of a value to a type.
    pub fn convert(&mut self, value: Linear, from: Scalar, to: Scalar) -> Option<Linear> {
        range(from)?;
        match to {
            Scalar::Bool => Some(Linear::constant(i128::from(self.truth(value)?))),
            _ => self.wrapped(value, to),
        }
    }
}

/// What the machine computes.
fn constant(
    op: BinaryOp,
    (scalar, right_scalar): (Scalar, Scalar),
    (left, right): (Linear, Linear),
) -> Option<Linear> {
    let [left, right] =
        [left.start as u64 & mask(scalar.bits()), right.start as u64 & mask(right_scalar.bits())];
    let value = binary(op, scalar, left, right, right_scalar).ok()?;
    let is_truth = op.compares() || matches!(op, BinaryOp::Overflows(_));
    Some(Linear::constant(if is_truth { value.into() } else { integer(scalar, value) }))
}
