//! Calls with a special meaning to verifiers.

/// What replaces a call of a function with a special meaning: a convention of SV-COMP, a function
/// that ends the program, or a built-in of gcc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// The error if the property asks for failed assertions, otherwise the end of the program.
    Error,
    /// The end of the program.
    Halt,
    /// Drops the execution if the argument is 0.
    Assume,
    /// [`Convention::Error`] if the argument is 0.
    Assert,
    /// A value from outside.
    Input,
    /// The value of the first argument.
    First,
    /// Whether the argument is a constant.
    IsConstant,
    /// Nothing; not even the arguments are evaluated.
    Nothing,
    /// Not supported: a path through the call is left undecided.
    Unsupported,
}
