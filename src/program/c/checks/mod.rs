//! Operations that are errors: a branch to an error before each instruction that does one.
//!
//! Behind this, the interpreter, the automata and harnesses need to know nothing of the property: an
//! error is an edge of the graph, as a call of `reach_error` is.  An expression is checked from the
//! inside out, so every operand has a value that C defines when an operation on it is looked at.
//! Nothing here is evaluated conditionally: with such properties, `c::parse` makes branches of
//! `a && b` and `c ? a : b` wherever an operand needs a check.

mod access;
mod insert;
mod range;

pub(super) use insert::insert;
