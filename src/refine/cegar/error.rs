//! Why a run has no finding.

use thiserror::Error;

use crate::base::budget::Exhausted;
use crate::base::verdict::UnknownReason;
use crate::boolean::engine::EngineError;
use crate::refine::predicate::effort::AbstractionError;
use crate::solve::smt::{SmtError, Unknown};

/// Why a run has no finding.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RefineError {
    /// The budget ends, or a solver gives up or fails.
    #[error(transparent)]
    Abstraction(#[from] AbstractionError),
    /// A defect of an engine for Boolean programs.
    #[error(transparent)]
    Engine(EngineError),
    /// A proof is wrong: a defect.  What it was to show, and what is wrong.
    #[error("{what}: {why}")]
    Proof { what: &'static str, why: String },
    /// Our own text is not a Boolean program, or its counterexample is no path: a defect.
    #[error("internal error: the Boolean program is ill-formed: {0}")]
    IllFormed(String),
}

impl RefineError {
    /// The reason for UNKNOWN that it is.
    ///
    /// # Errors
    /// It is none: a solver fails, or hardbop has a defect.
    pub fn reason(self) -> Result<UnknownReason, Self> {
        match self {
            Self::Abstraction(e) => e.reason().map_err(Self::from),
            other => Err(other),
        }
    }
}

impl From<SmtError> for RefineError {
    fn from(e: SmtError) -> Self {
        Self::Abstraction(e.into())
    }
}

impl From<Unknown> for RefineError {
    fn from(e: Unknown) -> Self {
        Self::Abstraction(e.into())
    }
}

impl From<Exhausted> for RefineError {
    fn from(e: Exhausted) -> Self {
        Self::Abstraction(AbstractionError::Unknown(e.into()))
    }
}

impl From<EngineError> for RefineError {
    fn from(e: EngineError) -> Self {
        Self::Engine(e)
    }
}
