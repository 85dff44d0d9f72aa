//! Boolean programs: text to syntax tree to control-flow graphs; printer; concrete interpreter.
//!
//! Knows nothing of solvers.

pub mod diagnostic;
pub mod parser;
pub mod program;
pub mod span;
pub mod syntax;
mod token;
