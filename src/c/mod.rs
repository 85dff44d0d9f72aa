//! C programs: text to typed control flow ([`flow`]), and from there to control-flow automata.

pub mod execute;
pub mod flow;
pub mod harness;
pub mod trace;
pub mod types;
