//! The cost of abstractions, and the reasons why there may be none.

use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use hardbop_base::verdict::UnknownReason;
use hardbop_logic::bdd::Stop;
use hardbop_smt::{SmtError, Unknown};

/// Counts and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Effort {
    /// Abstractions requested.
    pub abstractions: u64,
    /// Abstractions that were already known.
    pub cache_hits: u64,
    /// Solver calls for the Cartesian part.
    pub cartesian_calls: u64,
    /// Solver calls that enumerate models.
    pub model_calls: u64,
    /// Models that represented several valuations of the predicates.
    pub generalised: u64,
    pub time: Duration,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.abstractions += other.abstractions;
        self.cache_hits += other.cache_hits;
        self.cartesian_calls += other.cartesian_calls;
        self.model_calls += other.model_calls;
        self.generalised += other.generalised;
        self.time += other.time;
    }
}

/// Why there is no abstraction.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AbstractionError {
    #[error("the table of BDD nodes is full")]
    Full,
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

impl From<Stop> for AbstractionError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Full => Self::Full,
            Stop::Exhausted(e) => Self::Unknown(e.into()),
        }
    }
}

impl AbstractionError {
    /// The corresponding reason for the verdict UNKNOWN.
    ///
    /// # Errors
    /// If there is none: a solver failed.
    pub fn reason(self) -> Result<UnknownReason, SmtError> {
        match self {
            Self::Full => Ok(UnknownReason::BddTable),
            Self::Unknown(unknown) => Ok(unknown.into()),
            Self::Solver(e) => Err(e),
        }
    }
}
