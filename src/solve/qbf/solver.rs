//! What decides queries, and what an answer is.

use super::query::ForallExists;
use crate::base::budget::{Budget, Exhausted};
use crate::solve::logic::{Aig, Input};
use crate::solve::sat::Effort;

/// What settled a query, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecidedBy {
    /// Simplification and substitution left a constant.
    Structure,
    /// Random simulation found a counterexample.
    Simulation,
    /// No existential (or no universal) was left: one SAT call.
    Sat,
    /// The 2QBF solver; all there is to say where it is not the embedded one.
    Qbf,
}

/// Is the query valid?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validity {
    Valid,
    /// Values of the universals for which no existential answer exists, where the solver tells;
    /// inputs that are not listed do not matter.  [`Embedded`] tells always and lists all.
    Invalid {
        counterexample: Option<Vec<(Input, bool)>>,
    },
    Unknown(Exhausted),
}

/// The answer to a query, and what it took.
#[derive(Debug, Clone)]
pub struct QbfAnswer {
    pub validity: Validity,
    pub decided_by: DecidedBy,
    /// The SAT calls that were made for it.
    pub sat: Effort,
}

/// Something that decides ∀∃ queries.
///
/// `aig` may grow (simplified copies of the query are built in it).
pub trait QbfSolver {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer;
}
