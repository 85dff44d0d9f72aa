//! What comes of a run, and who watches it.

use super::statistics::Progress;
use crate::base::verdict::UnknownReason;
use crate::program::cfa::{Automaton, Location};
use crate::refine::block::execution::ErrorPath;
use crate::solve::smt::Terms;

/// What a run finds out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding<P> {
    /// No goal can be reached: a proof that has been confirmed.
    Safe(P),
    /// The error can be reached: an execution that the observer has accepted.
    Error(ErrorPath),
    Unknown(UnknownReason),
    /// Calls go deeper than the automaton follows them, at these goals, and the observer can follow them.
    TooDeep(Vec<Location>),
}

/// What the caller does while a run goes on.
pub trait RefinementObserver {
    /// Something has been done.
    fn progress(&mut self, _progress: Progress) {}
    /// The text of the Boolean program of a round, from 1.
    fn round(&mut self, _number: u64, _text: &str) {}
    /// Is this execution one of the program?  The formulas allow it, but the automaton may be coarser
    /// than the program.
    ///
    /// # Errors
    /// Why it is not known to be one.
    fn accept(
        &mut self,
        _terms: &Terms,
        _automaton: &Automaton,
        _path: &ErrorPath,
    ) -> Result<(), UnknownReason> {
        Ok(())
    }
    /// Can there be an automaton that follows calls deeper?
    fn goes_deeper(&self) -> bool {
        false
    }
}

impl RefinementObserver for () {}
