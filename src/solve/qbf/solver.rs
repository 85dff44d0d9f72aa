//! The interface of 2QBF solvers, and their answers.

use super::query::ForallExists;
use crate::base::budget::{Budget, Exhausted};
use crate::solve::logic::{Aig, Input};
use crate::solve::sat::Effort;

/// The stage that decided a query, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecidedBy {
    /// Simplification and substitution left a constant.
    Structure,
    /// Random simulation found a counterexample.
    Simulation,
    /// No existential (or no universal) was left, so one SAT call sufficed.
    Sat,
    /// The 2QBF solver; always reported for solvers other than the embedded one.
    Qbf,
}

/// Is the query valid?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validity {
    Valid,
    /// Values of the universals for which there is no existential answer, if the solver provides them; inputs that are
    /// not listed do not matter.  [`Embedded`] always provides them, and lists all inputs.
    Invalid {
        counterexample: Option<Vec<(Input, bool)>>,
    },
    Unknown(Exhausted),
}

/// The answer to a query, and its effort.
#[derive(Debug, Clone)]
pub struct QbfAnswer {
    pub validity: Validity,
    pub decided_by: DecidedBy,
    /// The effort of its SAT calls.
    pub sat: Effort,
}

/// A solver for ∀∃ queries.
///
/// `aig` may grow (simplified copies of the query are built in it).
pub trait QbfSolver {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer;
}
