//! Traces of C programs: the inputs, in the order in which they are requested.

use hardbop_base::source::Span;

/// The source of an input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A call of `__VERIFIER_nondet_x`.
    Nondet { function: String },
    /// A read of a volatile variable.
    Volatile { name: String },
    /// The result of a function without a body.
    Undefined { function: String },
    /// Whether a call of `malloc` or the like fails: one bit, requested only with
    /// [`ExecutionOptions::allocations_may_fail`](super::execute::ExecutionOptions::allocations_may_fail).
    Fails { function: String },
    /// An uninitialised variable or a part of it; also a variable that is only declared `extern`.
    Uninitialised {
        name: String,
        /// Its number in [`Flow::variables`](super::flow::Flow::variables).
        variable: u32,
        /// Its instance: which execution of its declaration, counted from 0 over the whole run; for
        /// a variable without a declaration (a parameter without an argument), which activation
        /// reads it. `None`: see [`CTrace`].
        instance: Option<u64>,
        /// The first bit that is read, counted from the start of the variable.
        bit: u64,
    },
    /// Memory from `malloc` that is read before it is written.
    Heap {
        /// The number of the allocation, counted from 0 over the whole run; `None`: any, in order of time.
        block: Option<u64>,
        /// The first bit that is read.
        bit: u64,
    },
    /// A number in the text that is used as a pointer: `(char *)1`.
    Address { number: u64 },
    /// A character of a text that `main` is given, `argv[index][byte]`, or the zero behind it.
    Argument { index: u64, byte: u64 },
    /// A part of an [object](Input::object) from outside.
    Outside {
        /// The number of the object, counted from 0.
        object: u64,
        /// The first bit of the part, counted from where the pointer points.
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
    /// From 1 (for a `_Bool`) to 64.
    pub bits: u32,
    /// In the lowest `bits` bits; a `float` or `double` is given by its representation.
    pub value: u64,
    /// Whether the value is a pointer to a new object that nothing else points to; `value` is
    /// ignored then.
    pub object: bool,
}

/// An edge of a function's body, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeIndex {
    /// The index in [`Flow::functions`](super::flow::Flow::functions).
    pub function: u32,
    /// The index in [`Body::edges`](super::flow::Body::edges).
    pub edge: u32,
}

/// An execution, given by its inputs.
///
/// Values of one function are in order of time; the order among functions and variables does not
/// matter. If the instances of a variable are not numbered, its parts are listed one instance after
/// another: a part that occurs again belongs to the next instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CTrace {
    pub inputs: Vec<Input>,
    /// Suggested values for other inputs, which are not among `inputs`: for the place of an
    /// instruction in the text, the number of bits and the value, in order of time.
    pub guesses: Vec<(Span, u32, u64)>,
    /// The edges taken, if known. A call comes before the edges of its callee.
    pub edges: Option<Vec<EdgeIndex>>,
}
