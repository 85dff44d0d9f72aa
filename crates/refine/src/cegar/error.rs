//! Why a run ends without a finding.

use thiserror::Error;

use crate::predicate::effort::AbstractionError;
use hardbop_base::budget::Exhausted;
use hardbop_base::rejected::Rejected;
use hardbop_base::verdict::UnknownReason;
use hardbop_bp::engine::EngineError;
use hardbop_smt::{SmtError, Unknown};

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
    /// A defect: the text that was generated is not a Boolean program, or its counterexample is not
    /// a path.
    #[error("internal error: the Boolean program is ill-formed: {0}")]
    IllFormed(String),
}

impl RefineError {
    /// The corresponding reason for the verdict UNKNOWN.
    ///
    /// # Errors
    /// If there is none: a solver that is not ours failed, or hardbop has a defect and is
    /// [strict](super::options::AnalysisOptions::strict).
    pub fn reason(self, strict: bool) -> Result<UnknownReason, Self> {
        match self {
            Self::Abstraction(AbstractionError::Solver(e)) if e.is_defect() && !strict => {
                Ok(UnknownReason::Rejected(Rejected::new("a solver cannot answer", e.to_string())))
            }
            Self::Abstraction(e) => e.reason().map_err(Self::from),
            Self::Engine(EngineError::Threads(_)) => Err(self),
            _ if strict => Err(self),
            Self::Proof { what, why } => Ok(UnknownReason::Rejected(Rejected::new(what, why))),
            Self::Engine(e) => Ok(rejected_program(e.to_string())),
            Self::IllFormed(why) => Ok(rejected_program(why)),
        }
    }
}

fn rejected_program(why: String) -> UnknownReason {
    UnknownReason::Rejected(Rejected::new("a Boolean program was decided wrongly", why))
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
