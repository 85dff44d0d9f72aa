//! The interface of interpolation strategies: they propose, the engine proves.

use super::path::InfeasiblePath;
use hardbop_base::budget::Budget;
use hardbop_smt::solver::{SmtError, Unknown};
use hardbop_smt::term::{Term, Terms};

/// The outcome of a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// Candidates for I_1, ..., I_n.
    Found(Vec<Term>),
    /// The strategy has found nothing, for this reason.
    Nothing(Unknown),
}

/// A strategy: proposes interpolants for a path that is known to be infeasible.
pub trait Interpolator {
    /// The name in statistics.
    fn name(&self) -> &'static str;

    /// Proposes interpolants for the blocks; a wrong proposal only costs time.
    ///
    /// # Errors
    /// If the solver refuses.
    fn propose(
        &self,
        terms: &mut Terms,
        path: &InfeasiblePath,
        budget: &Budget,
    ) -> Result<Proposal, SmtError>;
}
