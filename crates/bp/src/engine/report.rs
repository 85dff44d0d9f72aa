//! The report of an engine: its answer, and the effort.

use thiserror::Error;

use super::options::Engine;
use super::statistics::Statistics;
use crate::proof::{Invariant, Outcome};
use hardbop_base::rejected::Rejected;

/// An answer, with the effort it took.
#[derive(Debug, Clone)]
pub struct Report {
    /// The engine that answered: the one asked for, or the winner of a race.
    pub engine: Engine,
    pub outcome: Outcome<Invariant>,
    pub statistics: Statistics,
    /// The earlier answers of other engines, which the interpreter rejected.
    pub rejected: Vec<Rejected>,
}

/// A defect of hardbop itself; never an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The trace of an engine is not an execution of the program.
    #[error("internal error: a counterexample does not replay: {0}")]
    TraceDoesNotReplay(String),
    /// One engine says SAFE, another UNSAFE.
    #[error("internal error: engines disagree about the verdict")]
    Disagreement,
    /// The system refuses threads: not a defect, but there is no answer either.
    #[error("cannot start threads: {0}")]
    Threads(String),
}
