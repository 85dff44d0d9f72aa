//! Traces of C programs: the values that come from outside, in the order in which they are asked for.

use crate::base::source::Span;

/// Where a value from outside comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A call of `__VERIFIER_nondet_x`.
    Nondet { function: String },
    /// The result of a function without a body.
    Undefined { function: String },
    /// An uninitialised variable, or a part of it; also a variable that is only declared `extern`.
    Uninitialised {
        name: String,
        /// Its number in [`Flow::variables`](super::flow::Flow::variables).
        variable: u32,
        /// Which execution of its declaration, counted from 0 over the whole run; of what is not
        /// declared (a parameter without an argument), which activation reads it.  `None`: see
        /// [`CTrace`].
        instance: Option<u64>,
        /// First bit of the part that is read, counted from the start of the variable.
        bit: u64,
    },
    /// Memory from `malloc` that is read before it is written.
    Heap {
        /// Which allocation, counted from 0 over the whole run; `None`: any, in order of time.
        block: Option<u64>,
        /// First bit of the part that is read.
        bit: u64,
    },
    /// A number in the text that is used as a pointer: `(char *)1`.
    Address { number: u64 },
    /// A part of an [object](Input::object) from outside.
    Outside {
        /// Which object, counted from 0.
        object: u64,
        /// First bit of the part, counted from where the pointer points.
        bit: i64,
    },
}

impl InputKind {
    /// Whether it is the result of a `__VERIFIER_nondet_x`.
    pub fn is_nondet(&self) -> bool {
        matches!(self, Self::Nondet { .. })
    }
}

/// A value from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub kind: InputKind,
    /// 1 (a `_Bool`) to 64.
    pub bits: u32,
    /// The lowest `bits` bits; of a `float` or `double`, its representation.
    pub value: u64,
    /// The value is a pointer to an object of its own, which nothing else points to; `value` does not
    /// matter then.
    pub object: bool,
}

/// An edge of a function's body, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeIndex {
    /// In [`Flow::functions`](super::flow::Flow::functions).
    pub function: u32,
    /// In [`Body::edges`](super::flow::Body::edges).
    pub edge: u32,
}

/// An execution by what the program text does not determine.
///
/// Values of one function are in order of time; the order among functions and variables does not
/// matter.  Where the instances of a variable are not numbered, its parts follow each other instance
/// by instance: a part that occurs again belongs to the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CTrace {
    pub inputs: Vec<Input>,
    /// What else is asked for while an instruction is executed, and has no value among `inputs`: values
    /// that may do, by the instruction's place in the text, in order of time.
    pub guesses: Vec<(Span, u32, u64)>,
    /// The edges taken, if known.  Calls come before what the callee does.
    pub edges: Option<Vec<EdgeIndex>>,
}
