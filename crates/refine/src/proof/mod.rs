//! Why no goal is reached, as formulas of locations, and whether a solver agrees.
//!
//! An [`Invariant`] is about one automaton.  [`Summaries`] are about the functions of a program,
//! each by itself: a call is what its callee claims.  The [check](Summaries::check) of them makes
//! an automaton without calls of each function (`calls`), and the rest is the check of an
//! invariant.  Neither knows where formulas come from.

mod calls;
pub mod invariant;
pub mod summaries;
mod weaken;

pub use invariant::{Invariant, InvariantError, PartialInvariant};
pub use summaries::{Summaries, Summary, SummaryError};
