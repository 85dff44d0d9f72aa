//! The way into an error, in source terms: one document ([`Trace`]), one text, and the three
//! makers.
//!
//! `boolean` makes it of the replay of a Boolean program, `c` of an execution of a C program,
//! `automata` of an execution of described automata.

#[cfg(feature = "c")]
mod automata;
mod boolean;
#[cfg(feature = "c")]
pub mod c;
#[cfg(feature = "c")]
mod iteration;
mod step;
mod text;

pub use step::{Input, Step, StepKind, Trace, Value};
