//! How the interpreter executes a library function.

use super::effect::Allocation;
use super::real::Elementary;

/// What the interpreter does. Unless stated otherwise, arguments are in the order of the C
/// standard. Where the standard leaves the behaviour undefined, the execution stops with a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// `malloc` and the like; fails only where the oracle may say so and does.
    Allocate(Allocation),
    /// `realloc`, which fails as `malloc` does; the old block then stays.
    Reallocate,
    /// `free`.
    Free,
    /// `memset`.
    Fill,
    /// `memmove`, or `memcpy`, whose objects must not overlap.
    Copy { overlapping: bool },
    /// `memcmp`.  Of results other than 0 only the sign is known: they stop the execution if they are used in another
    /// way than compared with 0.
    Compare,
    /// `strlen`.
    Length,
    /// `strcpy`, `strcat`, or, if bounded, `strncat`.
    CopyText { append: bool, bounded: bool },
    /// `strncpy`.
    CopyPrefix,
    /// `strcmp` or `strncmp`; the result is as for [`Execution::Compare`].
    CompareText { bounded: bool },
    /// `strchr`.
    FindCharacter,
    /// A function that reads text: its result, and what it writes, depend on nothing else.
    Reads(TextFunction),
    /// What calls have set `errno` to since the last time; 0 for nothing.
    ErrorNumber,
    /// The tables behind the macros of glibc's `ctype.h`.
    Characters(CharacterTable),
    /// `abs`, in the type of the argument.
    Absolute,
    /// A function of `math.h`, as this system's library computes it.
    Real(&'static Elementary),
    /// Output, which the program does not see. The result is unknown: the execution stops where it
    /// is used.
    Output,
    /// Writes unknown text to argument `to`, at most as many bytes as argument `size` says: the
    /// execution stops where they are read.
    WriteText { to: usize, size: Option<usize>, returns: TextResult },
    /// A number of this range, as an input.
    Between { least: i64, greatest: i64 },
    /// `sscanf`, as far as its text can be read in one way; else as [`Execution::Unmodelled`].
    Scans,
    /// A standard function that is not modelled. The execution stops where its result, or what it
    /// wrote according to its effect, is used.
    Unmodelled,
    /// Changes nothing and returns any value of its type: an assumption of which the user is warned.
    AnyResult,
}

/// A function that reads text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFunction {
    /// `strrchr`.
    FindLast,
    /// `memchr`.
    FindByte,
    /// `strstr`.
    FindText,
    /// `strpbrk`.
    FindAny,
    /// `strspn`, or `strcspn`.
    Span { inside: bool },
    /// `strnlen`.
    BoundedLength,
    /// `strcasecmp` or `strncasecmp`; the result is as for [`Execution::Compare`].
    CompareLetters { bounded: bool },
    /// `strtol` and the like; without a base, `atoi` and the like.
    Number { signed: bool, based: bool },
    /// `atof`; or with a `length`, what `strtod` and `strtof` return.
    FloatingNumber { length: bool },
    /// The number of characters that `strtod` reads.
    FloatingLength,
}

/// A table behind a macro of glibc's `ctype.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CharacterTable {
    Classes,
    Lower,
    Upper,
}

/// What a function that writes text returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextResult {
    /// The start of the text; or null, with nothing written, if an input of one bit is 1.
    StartOrNull,
    /// An unknown value: the execution stops where it is used.
    Unknown,
}
