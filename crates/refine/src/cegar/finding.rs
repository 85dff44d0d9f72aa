//! The outcome of a run, and the observer of a run.

use super::statistics::Progress;
use crate::block::execution::ErrorPath;
use crate::proof::invariant::Invariant;
use hardbop_base::rejected::Rejected;
use hardbop_base::verdict::UnknownReason;
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::Terms;

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding<P> {
    /// No goal can be reached; the proof has been confirmed.
    Safe(P),
    /// The error can be reached; the observer has accepted the execution.
    Error(ErrorPath),
    Unknown(UnknownReason),
    /// At these goals, calls go deeper than the automaton follows them, but the observer can follow
    /// them.
    TooDeep(Vec<Location>),
}

impl Finding<Invariant> {
    /// A proof with what another invariant of the same automaton has excluded before.
    #[must_use]
    pub fn and(self, terms: &mut Terms, other: &Invariant) -> Self {
        match self {
            Self::Safe(proof) => Self::Safe(proof.and(terms, other)),
            Self::Error(_) | Self::Unknown(_) | Self::TooDeep(_) => self,
        }
    }
}

/// How the tree is explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Values, without solvers.
    Values,
    /// States one by one.
    States,
    /// Abstract states, by predicate abstraction.
    Predicates,
    /// Abstract states, by IMPACT.
    Impact,
}

/// The caller's hooks into a run.
pub trait RefinementObserver {
    /// Reports progress.
    fn progress(&mut self, _progress: Progress) {}
    /// Receives the text of each Boolean program; rounds are numbered from 1.
    fn round(&mut self, _number: u64, _text: &str) {}
    /// Does the program really have this execution?  The formulas allow it, but the automaton may
    /// be coarser than the program.
    ///
    /// # Errors
    /// The reason why it cannot be confirmed.
    fn accept(
        &mut self,
        _terms: &Terms,
        _automaton: &Automaton,
        _path: &ErrorPath,
    ) -> Result<(), UnknownReason> {
        Ok(())
    }
    /// The run explores in another way.
    fn stage(&mut self, _stage: Stage) {}
    /// A proof was rejected, and the search goes on without it.
    fn rejected(&mut self, _rejected: Rejected) {}
    /// Can the observer provide an automaton that follows calls deeper?
    fn goes_deeper(&self) -> bool {
        false
    }
}

impl RefinementObserver for () {}
