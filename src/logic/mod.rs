//! Propositional logic: the and-inverter graph and what is written from it.
//!
//! No solver is called here.

pub mod aig;
pub mod aiger;
pub mod circuit;
pub mod cnf;
pub mod dimacs;
pub mod qdimacs;
pub mod shape;

pub use aig::{Aig, Input, Lit, Node, Substitution};
