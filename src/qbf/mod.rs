//! 2QBF: one ∀∃ query over an and-inverter graph.

use crate::budget::{Budget, Exhausted};
use crate::logic::{Aig, Input, Lit};

/// `∀X. premise(X) ⇒ ∃Y. ⋀ conclusion(X, Y) ∧ ⋀ (left(X, Y) = right(X, Y))`
///
/// Y is `existentials`; X is every other input in the support.  The premise does not depend on Y.
/// This is the shape of subsumption (Eq. 8) and applicability (Eq. 5) of the SPIN'07 paper.
#[derive(Debug, Clone, Default)]
pub struct ForallExists {
    pub existentials: Vec<Input>,
    /// Conjuncts over X.
    pub premise: Vec<Lit>,
    /// Conjuncts over X and Y.
    pub conclusion: Vec<Lit>,
    /// Pairs that must be equal; kept apart from `conclusion`, for a pair with a bare
    /// existential on one side defines it.
    pub equalities: Vec<(Lit, Lit)>,
}

/// What settled a query, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecidedBy {
    /// Simplification and substitution left a constant.
    Structure,
    /// Random simulation found a counterexample.
    Simulation,
    /// No existential (or no universal) was left: one SAT call.
    Sat,
    /// The 2QBF solver.
    Qbf,
}

/// Is the query valid?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validity {
    Valid,
    /// Values of the universals for which no existential answer exists; inputs that are not
    /// listed do not matter.
    Invalid {
        counterexample: Vec<(Input, bool)>,
    },
    Unknown(Exhausted),
}

/// Answer to a query.
#[derive(Debug, Clone)]
pub struct Answer {
    pub validity: Validity,
    pub decided_by: DecidedBy,
    /// SAT calls that were made for it.
    pub sat_calls: u64,
}

/// Something that decides ∀∃ queries.
///
/// `aig` may grow (simplified copies of the query are built in it).
pub trait QbfSolver {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> Answer;
}
