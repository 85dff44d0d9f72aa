//! What a library function does to memory and what it returns, as far as the analyses track it.
//!
//! Numbers are indices of arguments.

use super::real::Elementary;

/// An upper bound on what a call changes, and what is known of its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    pub writes: Writes,
    pub returns: Returns,
}

impl Effect {
    /// The arguments whose targets a call with `arguments` arguments may write any bytes to, if the
    /// prototype has `parameters` parameters.
    pub fn written(self, parameters: usize, arguments: usize) -> Vec<usize> {
        match self.writes {
            Writes::Nothing | Writes::Copy { .. } | Writes::Fill { .. } | Writes::Text { .. } => {
                Vec::new()
            }
            Writes::Anything { to, more } => {
                let behind = if more { parameters } else { arguments };
                to.iter().copied().chain(behind..arguments).collect()
            }
        }
    }
}

/// What a call writes to the targets of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    Nothing,
    /// `size` bytes, copied from one object to another.
    Copy {
        to: usize,
        from: usize,
        size: usize,
    },
    /// The same byte `size` times.
    Fill {
        to: usize,
        byte: usize,
        size: usize,
    },
    /// Characters of unknown values, which form no pointers.
    Text {
        to: usize,
    },
    /// Any bytes, to the targets of the arguments `to`, and with `more` of those behind the
    /// parameters of the prototype; pointers among them are as for [`Returns::Given`].
    Anything {
        to: &'static [usize],
        more: bool,
    },
}

/// What a call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// A new object, or null if allocations may fail.
    Fresh(Allocation),
    /// The argument's object, or a new one with the same content.
    Resized(usize),
    /// The given argument.
    Argument(usize),
    /// The given argument or null.
    ArgumentOrNull(usize),
    /// Null or a pointer into the object that the argument points into.
    Within(usize),
    /// The absolute value of the argument; the least number is returned unchanged.
    Absolute(usize),
    /// A number of which the function's facts hold.
    Real(&'static Elementary),
    /// A number below that of the bytes from the argument on to the end of its object.
    Below(usize),
    /// A number of this range, from outside.
    Between { least: i64, greatest: i64 },
    /// -1, where the call may fail, or a number from 0 to that of the argument, from outside.
    UpTo { argument: usize, fails: bool },
    /// Any number; if a pointer, null or a pointer to memory unknown to the program.
    Anything,
    /// As [`Returns::Anything`], or a pointer that can be reached from the arguments in one step.
    Given,
}

/// The numbers of a range that a signed type of 1 to 64 bits has: `long` differs between data models.
#[must_use]
pub fn in_bits((least, greatest): (i64, i64), bits: u32) -> (i64, i64) {
    let most = i64::MAX >> (64 - bits.clamp(1, 64));
    (least.max(-most - 1), greatest.min(most))
}

/// How a new object is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// The size in bytes is the product of these arguments.
    pub size: &'static [usize],
    /// Whether its bytes are 0; otherwise they have any values.
    pub zeroed: bool,
    pub storage: Storage,
    /// The argument that is its alignment in bytes, if there is one.
    pub alignment: Option<usize>,
}

/// The lifetime of a new object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the calling function returns.
    Stack,
    /// Until the library ends it: an object into which only the library looks, such as a stream.  There may be none,
    /// whatever the options are.
    Library,
}
