//! Incremental SAT solving.

use crate::budget::{Budget, Exhausted};

/// A SAT literal in DIMACS form: variable number, negative where negated; never 0.
pub type SatLit = i32;

/// Answer of [`SatSolver::solve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SatResult {
    Sat,
    Unsat,
    Unknown(Exhausted),
    /// The conflict limit of the call was used up.
    ConflictLimit,
}

/// An incremental SAT solver.
pub trait SatSolver {
    /// A fresh variable, as its positive literal.
    fn new_variable(&mut self) -> SatLit;
    fn add_clause(&mut self, clause: &[SatLit]);
    /// Satisfiable together with the assumptions?  `conflicts` bounds the effort of this call.
    fn solve(&mut self, assumptions: &[SatLit], conflicts: Option<u32>, budget: &Budget) -> SatResult;
    /// Value in the model of the last call, which answered `Sat`; `None` where it does not matter.
    fn value(&self, lit: SatLit) -> Option<bool>;
    /// Is this assumption part of the reason why the last call answered `Unsat`?
    fn failed(&self, assumption: SatLit) -> bool;
}
