//! The interface of interpolation strategies: they propose, the engine proves.

use super::path::InfeasiblePath;
use crate::base::budget::Budget;
use crate::solve::smt::solver::{SmtError, Unknown};
use crate::solve::smt::term::{Term, Terms};

/// The outcome of a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// Candidates for I_1, ..., I_n.
    Found(Vec<Term>),
    /// Nothing was found, for this reason.
    Nothing(Unknown),
}

/// A strategy: proposes interpolants for a path that is known to be infeasible.
pub trait Interpolator {
    /// Its name in statistics.
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
