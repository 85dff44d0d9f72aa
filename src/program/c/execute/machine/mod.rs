//! The machine that executes: its memory and open calls, values of expressions, calls, and what
//! library functions do.

pub mod arithmetic;
mod call;
mod describe;
mod evaluate;
mod larger;
mod layout;
mod library;
mod memory;
mod state;

pub(super) use state::{Machine, REACH, Stop};
