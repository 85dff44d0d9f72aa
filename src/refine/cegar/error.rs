//! Why a run ends without a finding.

use thiserror::Error;

use crate::base::budget::Exhausted;
use crate::base::verdict::UnknownReason;
use crate::boolean::engine::EngineError;
use crate::refine::predicate::effort::AbstractionError;
use crate::solve::smt::{SmtError, Unknown};

/// Why a run ends without a finding.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RefineError {
    /// The budget ran out, or a solver gave up or failed.
    #[error(transparent)]
    Abstraction(#[from] AbstractionError),
    /// An engine for Boolean programs is defective.
    #[error(transparent)]
    Engine(EngineError),
    /// A proof is wrong, which is a defect: what it should have shown, and what is wrong with it.
    #[error("{what}: {why}")]
    Proof { what: &'static str, why: String },
    /// A defect: the text that was generated is not a Boolean program, or its counterexample is not a path.
    #[error("internal error: the Boolean program is ill-formed: {0}")]
    IllFormed(String),
}

impl RefineError {
    /// The corresponding reason for the verdict UNKNOWN.
    ///
    /// # Errors
    /// If there is none: a solver failed, or hardbop has a defect.
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
