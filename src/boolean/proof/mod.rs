//! What an engine answers: [`Outcome`], with the evidence for it; and whether the evidence proves it.

pub mod certificate;
pub mod check;
pub mod failure;
pub mod formula;
pub mod invariant;
pub mod judge;
pub mod solving;

use serde::Serialize;
use thiserror::Error;

use crate::base::budget::Exhausted;
use crate::boolean::language::trace::Trace;

pub use invariant::Invariant;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownReason {
    #[error("time limit reached")]
    Time,
    #[error("memory limit reached")]
    Memory,
    #[error("interrupted")]
    Interrupted,
    /// A solver gave up for a reason of its own.
    #[error("solver gave up: {0}")]
    Solver(String),
}

impl From<Exhausted> for UnknownReason {
    fn from(e: Exhausted) -> Self {
        match e {
            Exhausted::Time => Self::Time,
            Exhausted::Memory => Self::Memory,
            Exhausted::Cancelled => Self::Interrupted,
            Exhausted::Solver(failure) => Self::Solver(failure.to_string()),
        }
    }
}

/// The answer of an engine.
#[derive(Debug, Clone)]
pub enum Outcome<I> {
    /// No error node is reachable; the invariant shows it.
    Safe(I),
    /// An error node is reachable along this trace.
    Unsafe(Trace),
    /// No answer, and why.
    Unknown(UnknownReason),
}
