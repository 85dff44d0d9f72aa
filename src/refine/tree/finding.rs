//! What comes of a run, and who watches it.

use super::Invariant;
use super::options::Statistics;
use super::path::ErrorPath;
use crate::program::cfa::{Automaton, Location};
use crate::solve::smt::Terms;

/// What a run finds out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// No goal can be reached.
    Safe(Invariant),
    /// The error can be reached: an execution that the caller has accepted.
    Error(ErrorPath),
    /// Neither is known: why, in words.
    Unknown(String),
    /// Calls go deeper than the automaton follows them, at these goals, and the caller can follow them.
    TooDeep(Vec<Location>),
}

/// What the caller does while a run goes on.
pub trait Observer {
    /// Something has been done.
    fn progress(&mut self, _statistics: &Statistics) {}
    /// Is this execution one of the program?  The formulas allow it, but the automaton may be coarser
    /// than the program.  `Err`: why it is not known to be.
    fn accept(
        &mut self,
        _terms: &Terms,
        _automaton: &Automaton,
        _path: &ErrorPath,
    ) -> Result<(), String> {
        Ok(())
    }
    /// Can there be an automaton that follows calls deeper?
    fn goes_deeper(&self) -> bool {
        false
    }
}

impl Observer for () {}
