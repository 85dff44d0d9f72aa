//! Calls that mean something to a verifier.

/// What a call is replaced by: the conventions of SV-COMP, functions that end the program, and
/// built-ins of gcc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// The error, where the property asks for failed assertions; otherwise the end of the program.
    Error,
    /// The end of the program.
    Halt,
    /// The execution is dropped where the argument is 0.
    Assume,
    /// As [`Convention::Error`] where the argument is 0.
    Assert,
    /// A value from outside.
    Input,
    /// The value of the first argument.
    First,
    /// Whether the argument is a constant.
    IsConstant,
    /// Nothing: not even its arguments are evaluated.
    Nothing,
    /// Not supported; a path through the call is not decided.
    Unsupported,
}
