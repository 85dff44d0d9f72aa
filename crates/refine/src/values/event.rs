//! The events of an exploration of states.

use hardbop_cfa::Location;
use hardbop_smt::Term;

/// The outcome of an exploration.
#[derive(Debug)]
pub enum Event {
    /// A goal is reached by these blocks.  The states after each block except the last are formulas
    /// over program variables.
    Goal { blocks: Vec<usize>, states: Vec<Term>, location: Location },
    /// All states are known: a formula over program variables for each location that is reached, in
    /// order.
    Complete(Vec<(Location, Term)>),
    /// The exploration was given up, since there are too many states.
    Abandoned,
}
