//! Satisfiability modulo theories: hash-consed terms, solvers over them, and interpolation.
//!
//! [`Terms`] holds every formula of a run.  Nothing here knows of programs.

pub mod term;

pub use self::term::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms, UnaryOp, Value};
