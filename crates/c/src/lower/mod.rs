//! Lowers typed control flow to control-flow automata: expressions become terms over bit-vectors,
//! and memory becomes variables.
//!
//! Under the [`Assumption`]s, an automaton has all behaviours of the program. Where it has more, a
//! value comes from a `Havoc` of [`Origin::Approximation`](hardbop_cfa::Origin), or an edge
//! is `Unsupported`.
//!
//! The arithmetic is that of gcc with `-fwrapv` on x86: two's complement that wraps around, shift
//! counts modulo the width (of at least 32), and a division by zero ends the program.

mod activation;
mod arguments;
mod assumption;
mod call;
mod expression;
mod float;
mod function;
mod library;
mod lowering;
mod memory;
mod options;
mod program;
mod relevance;
mod rests;
mod start;
mod texts;

pub use assumption::{Assumption, words};
pub use options::{LowerError, LoweringOptions, Model};
pub use program::{Lowered, Part, Whole, lower};
pub use rests::reliances;
