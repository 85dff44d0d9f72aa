//! How the interpreter executes a library function.

use super::effect::Allocation;

/// What the interpreter does.  The arguments have their places in the C standard unless said
/// otherwise; where that leaves the behaviour undefined, the execution stops with a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// `malloc` and its like; never fails.
    Allocate(Allocation),
    /// `realloc`; never fails.
    Reallocate,
    /// `free`.
    Free,
    /// `memset`.
    Fill,
    /// `memmove`; `memcpy` where the objects must not overlap.
    Copy { overlapping: bool },
    /// `memcmp`; as glibc's, the result is -1, 0 or 1.
    Compare,
    /// `strlen`.
    Length,
    /// `strcpy`, `strcat`, and with the bound `strncat`.
    CopyText { append: bool, bounded: bool },
    /// `strncpy`.
    CopyPrefix,
    /// `strcmp`, or `strncmp`; as [`Execution::Compare`].
    CompareText { bounded: bool },
    /// `strchr`.
    FindCharacter,
    /// `abs`, of the type of the argument.
    Absolute,
    /// Output, which the program does not see.  What it returns is not known: the execution stops
    /// where that is used.
    Output,
    /// Writes text that is not known to argument `to`, at most as many bytes as argument `size`
    /// says: the execution stops where they are read.
    WriteText { to: usize, size: Option<usize>, returns: TextResult },
    /// Changes nothing and returns any value of its type: an assumption, of which the user is warned.
    AnyResult,
}

/// What a function that writes text returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextResult {
    /// Where it wrote; or null with nothing written, where the value from outside (one bit) is 1.
    StartOrNull,
    /// Something that is not known: the execution stops where that is used.
    Unknown,
}
