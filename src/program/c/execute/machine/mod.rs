//! The machine that executes programs: memory, open calls, expressions, and library functions.

mod arguments;
pub mod arithmetic;
mod call;
mod describe;
mod evaluate;
mod larger;
mod layout;
mod library;
mod memory;
mod real;
mod state;
mod text;
mod unknown;
mod uses;
mod variables;

pub(super) use layout::{Scalar, mask};
pub(super) use state::{Machine, REACH, Stop};
