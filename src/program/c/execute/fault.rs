//! Why an execution has no meaning from here on.

use std::fmt;

use thiserror::Error;

/// What C does not define, and gcc with `-fwrapv` on x86 does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undefined {
    /// The result wraps around.
    Overflow,
    /// A shift by a negative number, or by the width or more: it counts modulo the width.
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

/// Undefined behaviour, or what is not modelled: the execution stops.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// An access to the first page of the address space.
    #[error("access through a null pointer")]
    Null,
    /// A function is read or written.
    #[error("access to the function '{0}' as if it were data")]
    FunctionAccess(String),
    /// An access to an object after its end: freed, or a local of a function that has returned.
    #[error("access to memory that is no longer in use")]
    Released,
    /// An access outside of all objects, or across the end of one.
    #[error("access to {size} bytes at {address:#x}, which is not within an object")]
    OutOfBounds { address: u64, size: u64 },
    /// An element or member that is not within its variable.
    #[error("access to '{name}' at offset {offset}, which is not within its {size} bytes")]
    OutOfVariable { name: String, offset: i64, size: u64 },
    /// A string literal is written.
    #[error("write to a string literal")]
    ReadOnly,
    #[error("division by zero")]
    DivisionByZero,
    /// The least integer divided by -1, which traps on x86.
    #[error("overflow in a division")]
    DivisionOverflow,
    /// `free` or `realloc` of something else than the start of an allocated block.
    #[error("'{0}' of something that 'malloc' did not return")]
    InvalidFree(String),
    /// A call through a pointer that is not the address of a function.
    #[error("call through a pointer to {0:#x}, where no function is")]
    NotAFunction(u64),
    /// The source and the target of `memcpy` overlap.
    #[error("'{0}' between overlapping objects")]
    Overlap(String),
    /// The result of a function is used that depends on what is outside of the program.
    #[error("the result of '{0}' is used, which is not modelled")]
    UnknownResult(String),
    /// What a function wrote is read, and is not modelled.
    #[error("what '{0}' wrote is used, which is not modelled")]
    UnknownText(&'static str),
    /// More than one branch is enabled, or an edge is not well-typed; cannot be for the result of
    /// the parser.
    #[error("the control flow is ill-formed: {0}")]
    IllFormed(&'static str),
}
