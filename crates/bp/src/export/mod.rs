//! Boolean programs in the languages of other tools, for the same question: can an error be
//! reached?
//!
//! Horn clauses and circuits are the program as the engines see it: sliced, with dead variables
//! left out and each block between two cut nodes as one formula.  Boogie is the program as it
//! stands.

mod boogie;
mod btor2;
mod circuit;
mod error;
mod horn;
mod names;
mod smv;
mod steps;
mod whole;

pub use boogie::boogie;
pub use btor2::btor2;
pub use circuit::circuit;
pub use error::ExportError;
pub use horn::horn_clauses;
pub use smv::smv;
