//! An engine's answer, [`Outcome`], with its evidence; and checks of that evidence.

pub mod certificate;
pub mod check;
pub mod failure;
pub mod formula;
pub mod invariant;
pub mod judge;
pub mod solving;

use crate::base::verdict;
use crate::boolean::language::trace::Trace;

pub use crate::base::verdict::UnknownReason;
pub use invariant::Invariant;

/// The answer of an engine: evidence of type `I`, or a trace to an error node.
pub type Outcome<I> = verdict::Outcome<I, Trace>;
