//! C programs: text to typed control flow ([`flow`]), and from there to control-flow automata
//! ([`lower`]) over the scalars of the program's [`memory`].

pub mod execute;
pub mod flow;
mod parse;
pub mod print;
pub mod harness;
pub mod trace;
pub mod lower;
pub mod memory;
pub mod points_to;
pub mod types;

pub use parse::{
    MAX_DIAGNOSTICS, ParseOptions, Property, needs_preprocessor, on_large_stack, parse,
};
