//! The interface of SMT solvers.

use thiserror::Error;

use super::term::{Term, Terms, Value};
use crate::base::budget::{Budget, Exhausted};
use crate::base::verdict::UnknownReason;
use crate::solve::factory::Factory;

/// Why a solver could not process a request.  Answers are [`SmtAnswer`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SmtError {
    #[error("Z3: {0}")]
    Z3(String),
    #[error("Z3 answered with a term that cannot be read: {0}")]
    Unreadable(String),
    #[error("there is no model, as the last check was not satisfiable")]
    NoModel,
    #[error("there is no core, as the last check was not unsatisfiable")]
    NoCore,
    /// An error message of a solver provided by the user of the library.
    #[error("{0}")]
    Own(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unknown {
    /// The budget is exhausted.
    #[error("{0}")]
    Exhausted(#[from] Exhausted),
    /// The solver gave up, for the reason in its own words.
    #[error("the SMT solver gave up: {0}")]
    Incomplete(String),
}

impl From<Unknown> for UnknownReason {
    fn from(unknown: Unknown) -> Self {
        match unknown {
            Unknown::Exhausted(e) => e.into(),
            Unknown::Incomplete(reason) => Self::SmtSolver(reason),
        }
    }
}

/// The answer of [`SmtSolver::check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmtAnswer {
    Sat,
    Unsat,
    Unknown(Unknown),
}

/// An incremental solver.
///
/// All methods fail if the solver refuses, for example because a term is beyond its theories.
#[allow(clippy::missing_errors_doc)]
pub trait SmtSolver {
    /// Opens a level.
    fn push(&mut self) -> Result<(), SmtError>;
    /// Retracts what was asserted since the last level was opened, and closes that level.
    fn pop(&mut self) -> Result<(), SmtError>;
    /// Asserts a formula, at the current level.
    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError>;
    /// Are the assertions satisfiable together with the assumptions?  Any formulas may be assumptions; literals over
    /// Boolean variables are cheapest.
    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError>;
    /// Limits the conflicts of each further check; solvers that do not count conflicts ignore this.
    fn limit_conflicts(&mut self, _most: Option<u32>) {}
    /// The value of any term in the model of the last check, which answered [`SmtAnswer::Sat`]; variables that do not
    /// matter have arbitrary values.
    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError>;
    /// [`value`](Self::value) for several terms.
    fn values(&mut self, terms: &Terms, wanted: &[Term]) -> Result<Vec<Value>, SmtError> {
        wanted.iter().map(|&t| self.value(terms, t)).collect()
    }
    /// The assumptions that the last check, which answered [`SmtAnswer::Unsat`], needed; sorted, not necessarily
    /// minimal.
    fn core(&self) -> Result<Vec<Term>, SmtError>;
}

/// Makes solvers provided by the user of the library ([`Solvers::own`](super::Solvers::own)).
pub type SolverFactory = Factory<Result<Box<dyn SmtSolver>, SmtError>>;

impl<S: SmtSolver + ?Sized> SmtSolver for Box<S> {
    fn push(&mut self) -> Result<(), SmtError> {
        (**self).push()
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        (**self).pop()
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError> {
        (**self).assert(terms, formula)
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError> {
        (**self).check(terms, assumptions, budget)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        (**self).limit_conflicts(most);
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        (**self).value(terms, t)
    }

    fn values(&mut self, terms: &Terms, wanted: &[Term]) -> Result<Vec<Value>, SmtError> {
        (**self).values(terms, wanted)
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        (**self).core()
    }
}
