//! Propositional logic: and-inverter graphs and their formats, SAT solvers, and binary decision diagrams.
//!
//! ```
//! use hardbop_base::budget::Budget;
//! use hardbop_logic::{Aig, sat::{Backend, SatResult}};
//!
//! let mut graph = Aig::new();
//! let (a, b) = (graph.new_input_lit(), graph.new_input_lit());
//! let (both, either) = (graph.and(a, b), graph.or(a, b));
//! let mut solver = Backend::default().circuit_solver();
//! let answer = solver.solve(&graph, &[both, !either], &Budget::unlimited());
//! assert_eq!(answer, SatResult::Unsat);
//! ```
//!
//! Nothing here depends on programs.

pub mod aig;
pub mod aiger;
pub mod bdd;
pub mod circuit;
pub mod cnf;
pub mod dimacs;
pub mod factory;
pub mod gates;
pub mod qdimacs;
pub mod sat;
pub mod sequential;
pub mod shape;
pub mod substitution;

pub use aig::{Aig, Input, Lit, Node};
pub use sequential::{Latch, Sequential};
pub use substitution::Substitution;
