//! Calls with a special meaning to verifiers.

/// What replaces a call of a function with a special meaning: a convention of SV-COMP, a function
/// that ends the program, or a built-in of gcc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// The error if the property asks for failed assertions, otherwise the end of the program.
    Error,
    /// The end of the program.
    Halt,
    /// Never called: the end of the program, by assumption.
    Unreachable,
    /// The end of the program, after the functions that were given to `atexit`.
    Exit,
    /// Registers a function for the end of the program.
    AtExit,
    /// Drops the execution if the argument is 0.
    Assume,
    /// [`Convention::Error`] if the argument is 0.
    Assert,
    /// The error if the argument is 0 and the property asks for failed assertions, otherwise nothing.
    Invariant,
    /// A value from outside.
    Input,
    /// The value of the first argument.
    First,
    /// Whether the argument is a constant.
    IsConstant,
    /// The bytes from a pointer to the end of its object, where the text shows which that is.
    ObjectSize,
    /// A number that the bits of the argument determine.
    Bits(BitFunction),
    /// Stores a sum, difference or product, and tells whether it overflows.
    Overflowing(Arithmetic),
    /// The ordinary accesses that an atomic built-in amounts to, if its name is that of one.
    Atomic,
    /// Sorts an array.
    Sort,
    /// The upper-case letter of the argument, or the lower-case one.
    Letter { upper: bool },
    /// A result that IEEE 754 determines.
    Real(RealFunction),
    /// Keeps the place of the call in a buffer, to which [`Convention::LongJump`] goes back (C11, 7.13.1.1).
    SetJump,
    /// Goes back to the place that a buffer has (C11, 7.13.2.1).
    LongJump,
    /// Starts or ends a thread, or says what is not interrupted: a call until the whole program is known.
    Thread,
    /// A list begins, of the additional arguments of the function itself (C11, 7.16.1.4).
    StartList,
    /// A list becomes a copy of another one (C11, 7.16.1.2).
    CopyList,
    /// Nothing; not even the arguments are evaluated.
    Nothing,
    /// Not supported: a path through the call is left undecided.
    Unsupported,
}

/// What a built-in of gcc computes from an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitFunction {
    LeadingZeros,
    TrailingZeros,
    /// The number of ones.
    Count,
    /// Whether that number is odd.
    Parity,
    /// One plus the number of trailing zeros, or 0.
    First,
    /// The bytes in the opposite order.
    Swap,
    /// The bits in the opposite order.
    Reverse,
}

/// An operation on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
}

/// What is computed from floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RealFunction {
    Absolute,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    /// Rounded in the mode that the program is in.
    Integral,
    /// Rounded, ties to even.
    NearestEven,
    /// Rounded, ties away from 0.
    NearestAway,
    /// The first, with the sign of the second.
    CopySign,
    Minimum,
    Maximum,
    IsNan,
    /// 1, or if `signed` -1 for the negative one.
    IsInfinite {
        signed: bool,
    },
    IsFinite,
    IsNormal,
    SignBit,
    /// `fpclassify`, with the values of its classes as arguments.
    Classify,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LessGreater,
    Unordered,
    Infinity,
    NotANumber,
}
