//! Incremental SAT solving.
//!
//! [`SatSolver`] is what a back end offers, [`Cadical`] is the default one, and [`CircuitSolver`]
//! puts a growing and-inverter graph on top of any of them.

pub mod cadical;
pub mod circuit;

pub use self::cadical::Cadical;
pub use self::circuit::CircuitSolver;

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
    /// Adds a clause for good.  The last model and core are no longer to be asked for.
    fn add_clause(&mut self, clause: &[SatLit]);
    /// Satisfiable together with the assumptions?  `conflicts` bounds the effort of this call.
    fn solve(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult;
    /// Value in the model of the last call, which answered `Sat`; `None` where it does not matter.
    fn value(&self, lit: SatLit) -> Option<bool>;
    /// Is this assumption part of the reason why the last call answered `Unsat`?
    fn failed(&self, assumption: SatLit) -> bool;
}
