//! How a harness gets a library function.

/// Where a harness has the definition of a function without a body from.
///
/// Definitions are C in terms of the harness's prelude, and have the name `hardbop_l_` and the
/// function's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// From the C library; this is its stand-in for a harness that is linked without one.  Aliases
    /// call it.
    Library(&'static str),
    /// The definition is always the harness's: the compiler's checks are to see it.
    Own(&'static str),
    /// Calls `malloc`, or `calloc` for zeroed objects.
    Allocator,
    /// Is the error.
    Error,
    /// Is the error if its argument is 0.
    Assertion,
    /// Drops the run if its argument is 0.
    Assumption,
    /// Returns the values of the execution, in order.
    Values,
    /// Returns its first argument, or null where the value of the execution is not 0.
    FirstOrNull,
    /// The compiler has it.
    Compiler,
}
