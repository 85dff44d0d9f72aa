//! The operators of expressions.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// An `int`: 1 if the operand (any scalar) is 0.
    Not,
    /// An `int`: 1 if this holds of the operand. Only in conditions of `c::checks`.
    Is(State),
    /// On a floating-point number.
    Real(RealOp),
}

/// What memory answers: the state of what is at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// This many bytes from the address are not within one object.
    Outside(u64),
    /// The address is that of a byte of an object that has ended: a block that was freed, or a variable whose block or
    /// function was left (C11, 6.2.4).
    Ended,
    /// The address is not null, and not that of the start of a live block of the heap (C11, 7.22.3.3).
    NotFreeable,
    /// The address is in an object that is defined `const`, or in a string literal.
    Constant,
    /// The address is no multiple of this, wherever its object lies.
    Misaligned(u64),
    /// Some bit of the place that the operand loads was never written.  The operand itself is not evaluated.
    Unwritten,
    /// Of so many live blocks of the heap, which is the operand here, there is one to which no pointer leads from a global
    /// variable or, with `calls`, from a variable of an open call, also by way of other blocks.
    Lost { calls: bool },
}

/// What is computed exactly from a floating-point number; results have its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RealOp {
    Absolute,
    /// An `int`: 1 if the sign bit is set.
    SignBit,
    SquareRoot,
    /// To an integral number in the mode, by default as the next: with ties to even ones.
    Integral,
    NearestEven,
    NearestAway,
    Truncate,
    Floor,
    Ceiling,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Evaluates both operands; only used where that does not matter.
    And,
    Or,
    /// An `int`: 1 if C does not define the result of an operation on integers, or if it is one on unsigned integers
    /// that wraps around. Only in conditions of checks.
    Overflows(Checked),
    /// An `int`: 1 if as many bytes from the left operand, an address, as the right one says, an unsigned number, are not
    /// within one object; of no bytes, it is 0. Only in conditions that `c::checks` inserts.
    Beyond,
    /// An `int`: 1 if two addresses are not in one object, or behind its last byte. Only in conditions of checks.
    Apart,
}

impl BinaryOp {
    /// Whether it compares two numbers by size.
    #[must_use]
    pub fn orders(self) -> bool {
        matches!(self, Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual)
    }

    /// Whether it compares two numbers.
    #[must_use]
    pub fn compares(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
        )
    }
}

/// An operation that may overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checked {
    Add,
    Subtract,
    Multiply,
    /// `/` and `%`: overflow for the least number by -1.
    Divide,
    /// `<<`: of a negative number, by a count outside the width, or beyond the greatest number; of unsigned numbers, that
    /// loses bits although the count is within the width.
    ShiftLeft,
    /// `>>`, and `<<` of unsigned numbers: by a count outside the width.
    ShiftCount,
}

impl Checked {
    /// The overflow to check for in an operation on signed integers.
    #[must_use]
    pub fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Add => Self::Add,
            BinaryOp::Subtract => Self::Subtract,
            BinaryOp::Multiply => Self::Multiply,
            BinaryOp::Divide | BinaryOp::Remainder => Self::Divide,
            BinaryOp::ShiftLeft => Self::ShiftLeft,
            _ => return None,
        })
    }
}
