//! Propositional logic: the and-inverter graph and what is written from it.
//!
//! No solver is called here.

pub mod aig;

pub use aig::{Aig, Input, Lit};
