//! Turns operations that are errors into branches to an error before the instruction.
//!
//! After this, the interpreter, the automata and harnesses need to know nothing of the property: an
//! error is an edge of the graph, just as a call of `reach_error` is. An expression is checked from
//! the inside out, so the operands of an operation have values that C defines by the time it is
//! checked. Nothing is evaluated conditionally here: for such properties, `c::parse` turns `a && b`
//! and `c ? a : b` into branches wherever an operand needs a check.

mod access;
mod aligned;
mod assigned;
mod constant;
mod counted;
pub(crate) mod formats;
mod hidden;
mod insert;
mod lifetime;
mod models;
mod overlap;
mod pointers;
pub(crate) mod range;
pub(crate) mod results;
mod streams;
mod written;

pub(crate) use insert::LARGE;
pub(super) use insert::insert;
#[cfg(test)]
pub(crate) use models::names;
