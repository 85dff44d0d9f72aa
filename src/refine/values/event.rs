//! What an exploration of states has found.

use crate::program::cfa::Location;
use crate::solve::smt::Term;

/// The outcome of an exploration.
#[derive(Debug)]
pub enum Event {
    /// A goal is reached by these blocks.  The states after each block except the last are formulas over program
    /// variables.
    Goal { blocks: Vec<usize>, states: Vec<Term>, location: Location },
    /// All states are known: a formula over program variables for each location that is reached, in order.
    Complete(Vec<(Location, Term)>),
    /// There are too many states.
    Abandoned,
}
