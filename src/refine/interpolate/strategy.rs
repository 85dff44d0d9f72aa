//! The seam for strategies of interpolation: they propose, the engine proves.

use super::path::InfeasiblePath;
use crate::base::budget::Budget;
use crate::solve::smt::solver::{SmtError, Unknown};
use crate::solve::smt::term::{Term, Terms};

/// What a strategy found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// Candidates for I_1, ..., I_n.
    Found(Vec<Term>),
    /// Nothing, and the reason.
    Nothing(Unknown),
}

/// A strategy: proposes interpolants for a path that is known to be infeasible.
pub trait Interpolator {
    /// Its name in statistics.
    fn name(&self) -> &'static str;

    /// Proposes interpolants for the blocks; a wrong proposal is no harm but to time.
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
