//! Solvers for SAT, 2QBF and SMT, binary decision diagrams, and the formulas that they work on.
//!
//! Nothing here depends on programs.

pub mod bdd;
pub mod factory;
pub mod logic;
pub mod qbf;
pub mod sat;
#[cfg(feature = "c")]
pub mod smt;
