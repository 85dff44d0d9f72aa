//! The verdict on a program, and why a check may come to none.

use thiserror::Error;

use hardbop_base::verdict;
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::predicate::effort::AbstractionError;
use hardbop_refine::proof::invariant::Invariant;
use hardbop_smt::SmtError;

pub use hardbop_base::verdict::UnknownReason;

/// The outcome for a program with executions `E`.
///
/// SAFE comes with invariants of the locations between blocks (none of them where executions or
/// Boolean programs have decided), UNSAFE with an execution of the program that reaches the error.
pub type Outcome<E> = verdict::Outcome<Invariant, Box<E>>;

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A proof or an engine is wrong: a mistake in hardbop.
    #[error(transparent)]
    Refinement(RefineError),
    /// One route says SAFE, the other UNSAFE: a mistake in hardbop.
    #[error("internal error: the routes disagree about the verdict")]
    Disagreement,
    #[error("no thread can be started: {0}")]
    Thread(String),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

impl From<RefineError> for VerifyError {
    fn from(e: RefineError) -> Self {
        match e {
            RefineError::Abstraction(AbstractionError::Solver(e)) => Self::Solver(e),
            other => Self::Refinement(other),
        }
    }
}
