//! Floating-point operators on bit-vectors of 32 or 64 bits: the interchange formats binary32 and
//! binary64 of IEEE 754.
//!
//! Results are rounded to nearest, ties to even, but by [`FloatOp::Directed`].  What IEEE 754 leaves open is as on x86 (SSE2):
//! the first operand that is a NaN is the result, made quiet; an invalid operation gives the NaN
//! with its sign bit set and no payload.

use hardbop_base::directed::{Direction, Operation};

/// A floating-point operator; operands and results are the bits of numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    /// Rounds to an integral number of the same format.
    Round(Rounding),
    /// A formula; false if an operand is a NaN.
    Less,
    /// A formula; false if an operand is a NaN.
    AtMost,
    /// A formula: zeros are equal, a NaN is not equal to itself.
    Equal,
    /// Converts from 32 to 64 bits.
    Widen,
    /// Converts from 64 to 32 bits.
    Narrow,
    /// A signed number of 64 bits, as a float of so many bits.
    OfSigned(u32),
    /// An unsigned number of 64 bits, as a float of so many bits.
    OfUnsigned(u32),
    /// One of those that round, in another direction.
    Directed(Operation, Direction),
}

/// How a number is rounded to an integral one.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    Zero,
    Down,
    Up,
}

impl From<Direction> for Rounding {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Down => Self::Down,
            Direction::Up => Self::Up,
            Direction::Zero => Self::Zero,
        }
    }
}

/// Defines the results of operators within a format, for operands that are no NaNs.
macro_rules! of_numbers {
    ($name:ident, $float:ty) => {
        fn $name(self, a: $float, b: $float) -> $float {
            match self {
                Self::Add => a + b,
                Self::Sub => a - b,
                Self::Mul => a * b,
                Self::Div => a / b,
                Self::Sqrt => a.sqrt(),
                Self::Round(Rounding::NearestEven) => a.round_ties_even(),
                Self::Round(Rounding::NearestAway) => a.round(),
                Self::Round(Rounding::Zero) => a.trunc(),
                Self::Round(Rounding::Down) => a.floor(),
                _ => a.ceil(),
            }
        }
    };
}

impl FloatOp {
    /// The operator that rounds in a direction, if this one rounds.
    #[must_use]
    pub fn directed(self, direction: Direction) -> Self {
        let operation = match self {
            Self::Round(Rounding::NearestEven) => return Self::Round(direction.into()),
            Self::Add => Operation::Add,
            Self::Sub => Operation::Subtract,
            Self::Mul => Operation::Multiply,
            Self::Div => Operation::Divide,
            Self::Sqrt => Operation::SquareRoot,
            Self::Narrow => Operation::Narrow,
            Self::OfSigned(to) => Operation::OfSigned(to),
            Self::OfUnsigned(to) => Operation::OfUnsigned(to),
            Self::Round(_)
            | Self::Less
            | Self::AtMost
            | Self::Equal
            | Self::Widen
            | Self::Directed(..) => return self,
        };
        Self::Directed(operation, direction)
    }

    /// The operator that rounds to nearest, and how this one does.
    pub fn parts(self) -> (Self, Rounding) {
        let Self::Directed(operation, direction) = self else {
            return (self, Rounding::NearestEven);
        };
        let nearest = match operation {
            Operation::Add => Self::Add,
            Operation::Subtract => Self::Sub,
            Operation::Multiply => Self::Mul,
            Operation::Divide => Self::Div,
            Operation::SquareRoot => Self::Sqrt,
            Operation::Narrow => Self::Narrow,
            Operation::OfSigned(to) => Self::OfSigned(to),
            Operation::OfUnsigned(to) => Self::OfUnsigned(to),
        };
        (nearest, direction.into())
    }

    /// All operators, also those in other directions.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let directions = [Direction::Down, Direction::Up, Direction::Zero];
        let directed = directions.into_iter().flat_map(|d| {
            let all = Self::ALL.iter().map(move |op| op.directed(d));
            all.filter(|op| matches!(op, Self::Directed(..)))
        });
        Self::ALL.iter().copied().chain(directed)
    }

    /// All operators that round to nearest or not at all, with both formats where there are two.
    const ALL: &'static [Self] = &[
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Sqrt,
        Self::Round(Rounding::NearestEven),
        Self::Round(Rounding::NearestAway),
        Self::Round(Rounding::Zero),
        Self::Round(Rounding::Down),
        Self::Round(Rounding::Up),
        Self::Less,
        Self::AtMost,
        Self::Equal,
        Self::Widen,
        Self::Narrow,
        Self::OfSigned(32),
        Self::OfSigned(64),
        Self::OfUnsigned(32),
        Self::OfUnsigned(64),
    ];

    /// The number of operands.
    pub fn arity(self) -> usize {
        match self.parts().0 {
            Self::Add | Self::Sub | Self::Mul | Self::Div => 2,
            Self::Less | Self::AtMost | Self::Equal => 2,
            _ => 1,
        }
    }

    /// Whether operands may have this many bits.
    pub fn takes(self, width: u32) -> bool {
        match self.parts().0 {
            Self::Widen => width == 32,
            Self::Narrow | Self::OfSigned(_) | Self::OfUnsigned(_) => width == 64,
            _ => matches!(width, 32 | 64),
        }
    }

    /// The name in texts, without the format: `add`, and `add_down` in a direction.
    pub(crate) fn name(self) -> String {
        let (nearest, _) = self.parts();
        match self {
            Self::Directed(_, Direction::Down) => format!("{}_down", nearest.base()),
            Self::Directed(_, Direction::Up) => format!("{}_up", nearest.base()),
            Self::Directed(_, Direction::Zero) => format!("{}_zero", nearest.base()),
            _ => nearest.base().to_owned(),
        }
    }

    fn base(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Sqrt => "sqrt",
            Self::Round(Rounding::NearestEven) => "rint",
            Self::Round(Rounding::NearestAway) => "round",
            Self::Round(Rounding::Zero) => "trunc",
            Self::Round(Rounding::Down) => "floor",
            Self::Round(Rounding::Up) => "ceil",
            Self::Less => "lt",
            Self::AtMost => "le",
            Self::Equal => "eq",
            Self::Widen => "to_f64",
            Self::Narrow => "to_f32",
            Self::OfSigned(32) => "signed_to_f32",
            Self::OfSigned(_) => "signed_to_f64",
            Self::OfUnsigned(32) => "unsigned_to_f32",
            Self::OfUnsigned(_) => "unsigned_to_f64",
            // It has the name of the other one.
            Self::Directed(..) => "",
        }
    }

    /// The operator that has this name in texts, `f64.add`, and the width of its operands.
    pub(crate) fn named(name: &str) -> Option<(Self, u32)> {
        let (format, name) = name.strip_prefix('f')?.split_once('.')?;
        let width = format.parse().ok()?;
        let op = Self::all().find(|op| op.takes(width) && op.name() == name)?;
        Some((op, width))
    }

    /// The value of the result: bits, or 0 and 1 for a formula.
    pub(super) fn value(self, width: u32, operands: &[u64]) -> u64 {
        let a = operands[0];
        let b = operands.get(1).copied().unwrap_or(a);
        match (self, width) {
            (Self::Directed(operation, direction), _) => operation.value(direction, width, a, b),
            (Self::Less, 32) => u64::from(single(a) < single(b)),
            (Self::Less, _) => u64::from(double(a) < double(b)),
            (Self::AtMost, 32) => u64::from(single(a) <= single(b)),
            (Self::AtMost, _) => u64::from(double(a) <= double(b)),
            (Self::Equal, 32) => u64::from(single(a) == single(b)),
            (Self::Equal, _) => u64::from(double(a) == double(b)),
            (Self::Widen, _) if single(a).is_nan() => {
                (a & 0x8000_0000) << 32 | 0x7FF8_0000_0000_0000 | (a & 0x007F_FFFF) << 29
            }
            (Self::Widen, _) => f64::from(single(a)).to_bits(),
            (Self::Narrow, _) if double(a).is_nan() => {
                a >> 32 & 0x8000_0000 | 0x7FC0_0000 | a >> 29 & 0x007F_FFFF
            }
            (Self::Narrow, _) => u64::from((double(a) as f32).to_bits()),
            (Self::OfSigned(32), _) => u64::from((a as i64 as f32).to_bits()),
            (Self::OfSigned(_), _) => (a as i64 as f64).to_bits(),
            (Self::OfUnsigned(32), _) => u64::from((a as f32).to_bits()),
            (Self::OfUnsigned(_), _) => (a as f64).to_bits(),
            (_, 32) => match [a, b].into_iter().find(|&x| single(x).is_nan()) {
                Some(nan) => nan | 0x0040_0000,
                None => match self.of_singles(single(a), single(b)) {
                    result if result.is_nan() => 0xFFC0_0000,
                    result => u64::from(result.to_bits()),
                },
            },
            _ => match [a, b].into_iter().find(|&x| double(x).is_nan()) {
                Some(nan) => nan | 0x0008_0000_0000_0000,
                None => match self.of_doubles(double(a), double(b)) {
                    result if result.is_nan() => 0xFFF8_0000_0000_0000,
                    result => result.to_bits(),
                },
            },
        }
    }

    of_numbers!(of_singles, f32);
    of_numbers!(of_doubles, f64);
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}
