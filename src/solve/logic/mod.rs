//! Propositional logic: the and-inverter graph, and the formats for reading and writing formulas.
//!
//! No solver is called here.

pub mod aig;
pub mod aiger;
pub mod circuit;
pub mod cnf;
pub mod dimacs;
pub mod gates;
pub mod qdimacs;
pub mod sequential;
pub mod shape;
pub mod substitution;

pub use aig::{Aig, Input, Lit, Node};
pub use sequential::{Latch, Sequential};
pub use substitution::Substitution;
