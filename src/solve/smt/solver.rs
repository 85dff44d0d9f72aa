//! What a solver offers.

use thiserror::Error;

use super::term::{Term, Terms, Value};
use crate::base::budget::{Budget, Exhausted};
use crate::base::verdict::UnknownReason;
use crate::solve::factory::Factory;

/// Why a solver could not do what it was asked for.  Not an answer: those are [`SmtAnswer`].
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
    /// A solver that the user of the library brings along, in its own words.
    #[error("{0}")]
    Own(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unknown {
    /// The budget is spent.
    #[error("{0}")]
    Exhausted(#[from] Exhausted),
    /// The solver gave up, in its own words.
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
/// Errors of all methods: the solver refuses, as with a term beyond its theories.
#[allow(clippy::missing_errors_doc)]
pub trait SmtSolver {
    /// Opens a level.
    fn push(&mut self) -> Result<(), SmtError>;
    /// Takes back what was asserted since the last level was opened.
    fn pop(&mut self) -> Result<(), SmtError>;
    /// Asserts a formula, at the current level.
    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError>;
    /// Satisfiable together with the assumptions?  These may be any formulas; literals over Boolean
    /// variables are cheapest.
    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError>;
    /// Conflicts after which each further check gives up; solvers that count none take no notice.
    fn limit_conflicts(&mut self, _most: Option<u32>) {}
    /// The value of any term in the model of the last check, which answered [`SmtAnswer::Sat`];
    /// variables that do not matter have some value.
    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError>;
    /// [`value`](Self::value) for several terms.
    fn values(&mut self, terms: &Terms, wanted: &[Term]) -> Result<Vec<Value>, SmtError> {
        wanted.iter().map(|&t| self.value(terms, t)).collect()
    }
    /// The assumptions that the last check needed, which answered [`SmtAnswer::Unsat`]; sorted, not
    /// necessarily the fewest.
    fn core(&self) -> Result<Vec<Term>, SmtError>;
}

/// Makes solvers that the user of the library brings along ([`Solvers::own`](super::Solvers::own)).
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
