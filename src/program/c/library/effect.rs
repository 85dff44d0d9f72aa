//! What a library function does to memory, and what it returns, as far as the analyses follow it.
//!
//! Numbers are indices of arguments.

/// All that a call may change, and what is known of its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    pub writes: Writes,
    pub returns: Returns,
}

/// What a call writes to the objects that its arguments point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    Nothing,
    /// `size` bytes, from one object to another.
    Copy {
        to: usize,
        from: usize,
        size: usize,
    },
    /// `size` times the same byte.
    Fill {
        to: usize,
        byte: usize,
        size: usize,
    },
    /// Characters that are not followed, and so no pointers.
    Text {
        to: usize,
    },
}

/// What a call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// A new object; or null, where allocations may fail.
    Fresh(Allocation),
    /// A new object with the content of the one that the argument points to, or that one.
    Resized(usize),
    /// The argument.
    Argument(usize),
    /// The argument, or null.
    ArgumentOrNull(usize),
    /// Null, or a pointer into the object that the argument points into.
    Within(usize),
    /// The absolute value of the argument; of the least number, that number.
    Absolute(usize),
    /// Any number; if a pointer, null or one to something that the program does not know.
    Anything,
}

/// A new object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// The size in bytes is the product of these arguments.
    pub size: &'static [usize],
    /// Its bytes are 0; otherwise they have any values.
    pub zeroed: bool,
    pub storage: Storage,
}

/// How long a new object lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the calling function returns.
    Stack,
}
