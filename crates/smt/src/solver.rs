//! The interface of SMT solvers.

use thiserror::Error;

use super::loading::LoadError;
use super::term::{Term, Terms, Value};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::verdict::UnknownReason;
use hardbop_logic::factory::Factory;

/// Why a solver could not process a request.  Answers are [`SmtAnswer`].
///
/// ```
/// use hardbop_logic::factory::Factory;
/// use hardbop_smt::{Purpose, SmtError, Solvers};
///
/// let absent = Factory::new("absent", || Err(SmtError::Own("no licence".to_owned())));
/// let solvers = Solvers::own(absent, None, Purpose::Abstraction);
/// let Err(error) = solvers.solver() else { panic!("there is no licence") };
/// assert_eq!(error.to_string(), "no licence");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SmtError {
    #[error("Z3: {0}")]
    Z3(String),
    /// There is no Z3: no mistake, but something to be installed.
    #[error(transparent)]
    Library(#[from] LoadError),
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

impl SmtError {
    /// Is it hardbop that asked what cannot be answered?
    #[must_use]
    pub fn is_defect(&self) -> bool {
        !matches!(self, Self::Library(_) | Self::Own(_))
    }
}

/// Why there is no answer.
///
/// ```
/// use hardbop_smt::{SmtAnswer, Unknown};
///
/// let answer = SmtAnswer::Unknown(Unknown::Incomplete("nonlinear arithmetic".to_owned()));
/// let SmtAnswer::Unknown(reason) = answer else { unreachable!() };
/// assert_eq!(reason.to_string(), "the SMT solver gave up: nonlinear arithmetic");
/// ```
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
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_smt::{SmtAnswer, SolverKind, Sort, Terms};
///
/// let mut terms = Terms::new();
/// let a = terms.symbol("a", Sort::Bool);
/// let a = terms.variable(a);
/// let not_a = terms.not(a);
/// let mut solver = SolverKind::Z3.solver()?;
/// solver.assert(&terms, a)?;
/// assert_eq!(solver.check(&terms, &[], &Budget::unlimited())?, SmtAnswer::Sat);
/// assert_eq!(solver.check(&terms, &[not_a], &Budget::unlimited())?, SmtAnswer::Unsat);
/// assert_eq!(solver.core()?, [not_a]);
/// # Ok::<(), hardbop_smt::SmtError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmtAnswer {
    Sat,
    Unsat,
    Unknown(Unknown),
}

/// An incremental solver.
///
/// Every method fails if the solver refuses, for example because a term is beyond its theories.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use hardbop_base::budget::Budget;
/// use hardbop_logic::factory::Factory;
/// use hardbop_smt::{Purpose, SmtAnswer, SmtError, SmtSolver, SolverKind, Solvers, Term, Terms, Value};
///
/// /// Counts the queries, and passes everything on.
/// struct Counting(Box<dyn SmtSolver>, Arc<AtomicUsize>);
///
/// impl SmtSolver for Counting {
///     fn check(&mut self, terms: &Terms, assumptions: &[Term], budget: &Budget) -> Result<SmtAnswer, SmtError> {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         self.0.check(terms, assumptions, budget)
///     }
///     // and `push`, `pop`, `assert`, `value` and `core` likewise
/// #     fn push(&mut self) -> Result<(), SmtError> { self.0.push() }
/// #     fn pop(&mut self) -> Result<(), SmtError> { self.0.pop() }
/// #     fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError> { self.0.assert(terms, formula) }
/// #     fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> { self.0.value(terms, t) }
/// #     fn core(&self) -> Result<Vec<Term>, SmtError> { self.0.core() }
/// }
///
/// let queries: Arc<AtomicUsize> = Arc::default();
/// let counted = Arc::clone(&queries);
/// let make = move || Ok(Box::new(Counting(SolverKind::Z3.solver()?, Arc::clone(&counted))) as Box<dyn SmtSolver>);
/// // As an option of a check:
/// let solvers = Solvers::own(Factory::new("counting", make), None, Purpose::Abstraction);
/// let mut terms = Terms::new();
/// let formula = terms.bool(true);
/// let answer = solvers.solver()?.check(&terms, &[formula], &Budget::unlimited())?;
/// assert_eq!((answer, queries.load(Ordering::Relaxed)), (SmtAnswer::Sat, 1));
/// # Ok::<(), SmtError>(())
/// ```
#[allow(clippy::missing_errors_doc)]
pub trait SmtSolver {
    /// Opens a level.
    fn push(&mut self) -> Result<(), SmtError>;
    /// Retracts what was asserted since the last level was opened, and closes that level.
    fn pop(&mut self) -> Result<(), SmtError>;
    /// Asserts a formula, at the current level.
    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError>;
    /// Are the assertions satisfiable together with the assumptions?  Any formulas may be
    /// assumptions; literals over Boolean variables are cheapest.
    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError>;
    /// Limits the conflicts of each further check; solvers that do not count conflicts ignore this.
    fn limit_conflicts(&mut self, _most: Option<u32>) {}
    /// The value of any term in the model of the last check, which answered [`SmtAnswer::Sat`];
    /// variables that do not matter have arbitrary values.
    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError>;
    /// [`value`](Self::value) for several terms.
    fn values(&mut self, terms: &Terms, wanted: &[Term]) -> Result<Vec<Value>, SmtError> {
        wanted.iter().map(|&t| self.value(terms, t)).collect()
    }
    /// The assumptions that the last check, which answered [`SmtAnswer::Unsat`], needed; sorted,
    /// not necessarily minimal.
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
