//! The interface of SAT solvers, and the effort of their calls.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

use hardbop_base::budget::{Budget, Exhausted};

/// The number of SAT calls, and their total time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    pub calls: u64,
    pub duration: Duration,
}

impl Add for Effort {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { calls: self.calls + other.calls, duration: self.duration + other.duration }
    }
}

impl Sub for Effort {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { calls: self.calls - other.calls, duration: self.duration - other.duration }
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Effort {
    fn sum<I: Iterator<Item = Self>>(efforts: I) -> Self {
        efforts.fold(Self::default(), Add::add)
    }
}

/// A SAT literal in DIMACS form: a variable number, negative if negated; never 0.
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
    /// Adds a clause permanently.  Invalidates the last model and core.
    fn add_clause(&mut self, clause: &[SatLit]);
    /// Are the clauses satisfiable together with the assumptions?  `conflicts` bounds the effort of this call.
    fn solve(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult;
    /// The literal's value in the model of the last call, which answered `Sat`; `None` if it does not matter.
    fn value(&self, lit: SatLit) -> Option<bool>;
    /// Is this assumption part of the reason why the last call answered `Unsat`?
    fn failed(&self, assumption: SatLit) -> bool;
}
