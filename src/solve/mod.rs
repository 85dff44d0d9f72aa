//! Solvers: SAT, 2QBF, binary decision diagrams and SMT, and the formulas that they are asked about.
//!
//! Nothing here knows of programs.

pub mod bdd;
pub mod factory;
pub mod logic;
pub mod qbf;
pub mod sat;
#[cfg(feature = "c")]
pub mod smt;
