//! Why an execution has no meaning from here on.

use std::fmt;

use thiserror::Error;

/// Behaviour that C leaves undefined, but gcc with `-fwrapv` on x86 defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undefined {
    /// The result wraps around.
    Overflow,
    /// A shift by a negative count, or by at least the width: the count is taken modulo the width.
    ShiftCount,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overflow => "a signed overflow",
            Self::ShiftCount => "a shift by a count out of range",
        })
    }
}

/// Undefined behaviour, or something that is not modelled: the execution stops.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// An access to the first page of the address space.
    #[error("access through a null pointer")]
    Null,
    /// A function is read or written.
    #[error("access to the function '{0}' as if it were data")]
    FunctionAccess(String),
    /// An access to an object whose lifetime has ended: freed, or a local of a function that has returned.
    #[error("access to memory that is no longer in use")]
    Released,
    /// An access outside all objects, or across the end of one.
    #[error("access to {size} bytes at {address:#x}, which is not within an object")]
    OutOfBounds { address: u64, size: u64 },
    /// An access to an element or member outside its variable.
    #[error("access to '{name}' at offset {offset}, which is not within its {size} bytes")]
    OutOfVariable { name: String, offset: i64, size: u64 },
    /// A write to a string literal.
    #[error("write to a string literal")]
    ReadOnly,
    #[error("division by zero")]
    DivisionByZero,
    /// The least integer is divided by -1, which traps on x86.
    #[error("overflow in a division")]
    DivisionOverflow,
    /// `free` or `realloc` of something other than the start of an allocated block.
    #[error("'{0}' of something that 'malloc' did not return")]
    InvalidFree(String),
    /// A call through a pointer that is not the address of a function.
    #[error("call through a pointer to {0:#x}, which is not the address of a function")]
    NotAFunction(u64),
    /// The source and the target of `memcpy` overlap.
    #[error("'{0}' between overlapping objects")]
    Overlap(String),
    /// An allocation with an alignment that is no power of two.
    #[error("'{0}' with an alignment that is no power of two")]
    Alignment(String),
    /// The program uses the result of a function that depends on the world outside.
    #[error("the program uses the result of '{0}', which is not modelled")]
    UnknownResult(String),
    /// Another library may give other last digits.
    #[error("whether there is an error depends on the last digits of what '{0}' gives")]
    LastDigits(&'static str),
    /// The program reads what a function wrote, but that is not modelled.
    #[error("the program uses what '{0}' wrote, which is not modelled")]
    UnknownText(&'static str),
    /// The program ends while nothing but a temporary points to some block.
    #[error("whether a block is lost to which only a value in an expression points")]
    OnlyTemporary,
    /// The program ends, nothing points to some block, and an address became a number.
    #[error("whether a block is lost of which a number may be the address")]
    OnlyNumber,
    /// A part of a value comes from outside, and another was never written.
    #[error("whether a value was written of which a part comes from outside")]
    PartlyGiven,
    /// Pointers are compared by order, or subtracted, of which one comes from outside.
    #[error("whether pointers lead into one object of which one comes from outside")]
    OutsideOrder,
    /// A pointer is converted to one of a greater alignment than its object has.
    #[error("whether a pointer is aligned, which depends on where an object lies")]
    Unaligned,
    /// A call that another thread would have to end, and there is none.
    #[error("no other thread ends the call of '{0}'")]
    Waits(String),
    /// Two NaNs of different bits are added or multiplied: the result has the sign of one of them.
    #[error("which of two NaNs an operation gives depends on the compiler")]
    EitherNan,
    /// A parameter of `main` is read, and C does not say what it gets.
    #[error("it is not known what 'main' is given")]
    Arguments,
    /// More than one branch is enabled, or an edge is ill-typed; impossible for the output of the
    /// parser.
    #[error("the control flow is ill-formed: {0}")]
    IllFormed(&'static str),
}
