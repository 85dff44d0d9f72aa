//! How a harness provides a library function.

/// Where a harness gets the definition of a function without a body.
///
/// Definitions are written in C, use the harness's prelude, and are named `hardbop_l_` followed by
/// the function's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The C library defines it; the text is a stand-in for harnesses linked without one. Aliases
    /// call it.
    Library(&'static str),
    /// The C library defines it. Harnesses linked without one do nothing instead: there, as in the
    /// execution, nothing depends on what it does.
    Real,
    /// The C library defines it. Programs that call it cannot be linked without one.
    Hosted,
    /// Does nothing in a harness: nothing depends on what it does, but it acts on the world outside.
    Nothing,
    /// The harness always defines it, so that the compiler's checks cover it.
    Own(&'static str),
    /// Calls `malloc`, or `calloc` if the object is zeroed.
    Allocator,
    /// Is the error.
    Error,
    /// Is the error if its argument is 0.
    Assertion,
    /// Ends the run if its argument is 0.
    Assumption,
    /// Returns the values that it had in the execution, in order.
    Values,
    /// Reads as `scanf` does, but the values are those of the execution.
    Scan,
    /// Reads a line as `fgets` does, with the characters of the execution.
    Line,
    /// As [`Link::Values`], for a number that is also stored where the argument points to.
    Stored,
    /// Returns its first argument, or null where its value in the execution is not 0.
    FirstOrNull,
    /// Returns a new object of one byte, or null where its value in the execution is not 0.
    NewOrNull,
    /// The compiler defines it.
    Compiler,
}
