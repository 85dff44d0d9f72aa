//! Takes the steps of a strategy: `run` those on the program, `tree` those on its automaton.

mod boolean;
mod direct;
mod expansion;
mod partial;
mod run;
mod step;
mod task;
mod tree;

pub use expansion::automaton;
pub(crate) use run::run;
