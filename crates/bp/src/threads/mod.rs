//! Deciding programs with threads.  [docs/threads.md](../../../../docs/threads.md) says which methods there are, and where
//! they are from.
//!
//! [`check`] tries them, the cheapest first.  `system` is a program as steps of packed states, made by
//! `expand`; `pairs`, `explore` and `cover` search it.
//! `rounds` makes a sequential program of a few rounds.  No answer is given before it is checked: the interpreter
//! executes a trace, and what is to prove SAFE is looked at once more.

mod check;
mod code;
mod cover;
mod expand;
mod explore;
mod pairs;
mod rounds;
mod step;
mod system;
mod way;

pub use check::{Effort, Method, Options, Proof, Report, check};
