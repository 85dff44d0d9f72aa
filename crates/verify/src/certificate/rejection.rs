//! Why a certificate proves nothing.

use serde::Serialize;
use thiserror::Error;

use hardbop_base::budget::Exhausted;
use hardbop_base::verdict::UnknownReason;
use hardbop_smt::SmtError;

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Rejection {
    #[error("the certificate is for another program: its SHA-256 is not {0}")]
    OtherProgram(String),
    #[error("the certificate is for another property: {0}")]
    OtherProperty(String),
    #[error("the inputs do not lead to an error: {0}")]
    Inputs(String),
    #[error("the program has other executions, or one that does not end without an error")]
    Executions,
    #[error("the proof is ill-formed: {0}")]
    Ill(String),
    #[error("'{0}' is not defined, and the proof assumes more of it than the model says")]
    Externals(String),
    #[error("the invariant is no proof: {0}")]
    Unproved(String),
}

impl Rejection {
    /// A stable name of the kind of rejection, as in certificates of Boolean programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OtherProgram(_) => "other-program",
            Self::OtherProperty(_) => "other-property",
            Self::Inputs(_) => "trace",
            Self::Ill(_) => "ill-formed",
            Self::Executions | Self::Externals(_) | Self::Unproved(_) => "unproved",
        }
    }
}

/// Why there is no proof.
pub(super) enum Doubt {
    Rejected(Rejection),
    Undecided(UnknownReason),
    Solver(SmtError),
}

impl From<UnknownReason> for Doubt {
    fn from(reason: UnknownReason) -> Self {
        Self::Undecided(reason)
    }
}

impl From<Exhausted> for Doubt {
    fn from(reason: Exhausted) -> Self {
        Self::Undecided(reason.into())
    }
}

impl From<Rejection> for Doubt {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}
