//! Interpolants by strongest postconditions or weakest preconditions of the sliced path (Dietsch,
//! Heizmann, Musa, Nutz and Podelski, "Craig vs. Newton in software model checking", FSE 2017).

use super::path::InfeasiblePath;
use super::solve::eliminate;
use super::strategy::{Interpolator, Proposal};
use hardbop_base::budget::Budget;
use hardbop_smt::solver::{SmtError, Unknown};
use hardbop_smt::term::{Term, Terms};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Strongest postconditions.
    Forward,
    /// Weakest preconditions: strongest postconditions of the path read backwards, negated.
    Backward,
}

/// The strategy (see the module).  A variable that no equation defines is projected by dropping the
/// conjuncts that contain it, so the result can be too weak forward, and too strong backward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Projection {
    pub direction: Direction,
    /// The largest postcondition that is kept, in subterms.
    pub subterms: usize,
}

impl Interpolator for Projection {
    fn name(&self) -> &'static str {
        match self.direction {
            Direction::Forward => "strongest postconditions",
            Direction::Backward => "weakest preconditions",
        }
    }

    fn propose(
        &self,
        terms: &mut Terms,
        path: &InfeasiblePath,
        budget: &Budget,
    ) -> Result<Proposal, SmtError> {
        let cuts = path.cuts();
        let mut all = vec![terms.bool(true); cuts];
        let mut state: Vec<Term> = Vec::new();
        for step in 0..cuts {
            if let Err(spent) = budget.check() {
                return Ok(Proposal::Nothing(spent.into()));
            }
            // The block that this step passes, and the cut behind it in this direction.
            let (block, cut) = match self.direction {
                Direction::Forward => (step, step),
                Direction::Backward => (cuts - step, cuts - step - 1),
            };
            state.extend(&path.blocks[block]);
            let shared = &path.shared[cut];
            let keep = |t: Term| shared.binary_search(&t).is_ok();
            state = eliminate(terms, &state, &keep);
            state.retain(|&t| terms.support(t).into_iter().all(keep));
            let formula = terms.and(&state);
            if terms.size(formula) > self.subterms {
                let reason = format!("{} too large", self.name());
                return Ok(Proposal::Nothing(Unknown::Incomplete(reason)));
            }
            all[cut] = match self.direction {
                Direction::Forward => formula,
                Direction::Backward => terms.not(formula),
            };
        }
        Ok(Proposal::Found(all))
    }
}
