//! Boolean programs: text to syntax tree to control-flow graphs; printer; concrete interpreter.
//!
//! Independent of all solvers.

pub mod build;
pub mod concurrent;
pub mod dot;
pub mod interpret;
pub(crate) mod lower;
pub mod parser;
pub mod print;
pub mod program;
pub mod resolve;
pub mod syntax;
pub mod text;
pub mod trace;
