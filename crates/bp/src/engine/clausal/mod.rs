//! Clausal invariants: what is known of every reachable state before the search begins.
//!
//! This finds, for each cut node, the strongest inductive conjunction of candidate clauses
//! (Houdini: Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001).  All
//! variables take part; contexts, and relations between entry and exit values, do not.  That is
//! enough for the bookkeeping that programs are full of (which predicates exclude each other, which
//! flag says that a lock is held) and keeps it out of the searches.

mod candidates;
mod houdini;
mod premises;
mod samples;
mod scope;
mod step;
mod trial;

use super::limits;
use super::prepare::Prepared;
use super::prepare::facts::Facts;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;
use hardbop_logic::sat::{Backend, Effort};

/// Computes the invariants, and reports the effort of the SAT calls; `aig` holds the blocks of
/// `prepared`.  The facts do not depend on `seed`.
///
/// # Errors
/// If the budget is exhausted.
pub fn infer(
    prepared: &Prepared,
    aig: &mut Aig,
    seed: u64,
    backend: Backend,
    limits: &limits::Clausal,
    budget: &Budget,
) -> Result<(Facts, Effort), Exhausted> {
    houdini::Houdini::new(prepared, aig, seed, backend, limits, budget)?.run()
}
