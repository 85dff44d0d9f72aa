//! C programs: text to typed control flow ([`flow`]), and from there to control-flow automata.

pub mod execute;
pub mod flow;
pub mod harness;
pub mod parse;
pub mod print;
pub mod trace;
pub mod types;

pub use parse::{
    ParseOptions, Property, needs_preprocessor, on_large_stack, parse, with_line_marks,
};
