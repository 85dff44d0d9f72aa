//! An engine's answer, [`Outcome`], with its evidence; and checks of that evidence.

pub mod certificate;
pub mod check;
pub mod failure;
pub mod formula;
pub mod invariant;
pub mod judge;
pub mod solving;

use crate::language::trace::Trace;
use hardbop_base::verdict;

pub use hardbop_base::verdict::UnknownReason;
pub use invariant::Invariant;

/// The answer of an engine: evidence of type `I`, or a trace to an error node.
pub type Outcome<I> = verdict::Outcome<I, Trace>;
