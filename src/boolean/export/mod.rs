//! Boolean programs in the languages of other tools, for the same question: can an error be reached?
//!
//! What is written is the program as the engines see it: sliced, with dead variables left out and
//! each block between two cut nodes as one formula.

mod circuit;
mod error;
mod horn;
mod steps;
mod whole;

pub use circuit::circuit;
pub use error::ExportError;
pub use horn::horn_clauses;
