//! Proves proposals, and drops what the proof does not need.

use super::path::{Path, conjuncts};
use super::refutes;
use crate::budget::Budget;
use crate::smt::solver::{Answer, SmtError};
use crate::smt::term::{Term, Terms};
use crate::smt::z3::Z3;

/// The proposal with fewer conjuncts, if it is a sequence of interpolants; none if it is not, or
/// that is not known in time.
///
/// From the end backwards: of the conjuncts of an interpolant those stay that are needed for the
/// next one.  Fewer conjuncts are weaker, so the step before still holds; the first one is checked at the end.
pub(super) fn prove(
    solver: &mut Z3,
    terms: &mut Terms,
    path: &Path,
    proposal: &[Term],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, SmtError> {
    let vocabulary = proposal.len() == path.cuts()
        && proposal.iter().zip(&path.shared).all(|(&t, shared)| {
            terms.support(t).iter().all(|leaf| shared.binary_search(leaf).is_ok())
        });
    if !vocabulary {
        return Ok(None);
    }
    let mut proved = proposal.to_vec();
    let mut goal = terms.bool(false);
    for i in (0..path.blocks.len()).rev() {
        let not_goal = terms.not(goal);
        let mut asserted = path.blocks[i].clone();
        asserted.push(not_goal);
        let assumed = match i {
            0 => Vec::new(),
            _ => conjuncts(terms, &[proposal[i - 1]]),
        };
        let (answer, core) = refutes(solver, terms, &asserted, &assumed, budget)?;
        if answer != Answer::Unsat {
            return Ok(None);
        }
        if i > 0 {
            goal = terms.and(&core);
            proved[i - 1] = goal;
        }
    }
    Ok(Some(proved))
}
