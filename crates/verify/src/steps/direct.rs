//! Steps that decide an automaton without a search: they have an invariant, or an execution, at
//! once.

use std::sync::Arc;
use std::time::Instant;

use super::partial::Partial;
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_refine::block::execution::feasible;
use hardbop_refine::block::path;
use hardbop_refine::block::problem::Problem;
use hardbop_refine::block::unroll::{Unrolled, unroll};
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::cegar::finding::{Finding, RefinementObserver};
use hardbop_refine::cegar::options::AnalysisOptions;
use hardbop_refine::cegar::statistics::RefinementStatistics;
use hardbop_refine::houdini::houdini;
use hardbop_refine::proof::invariant::{Invariant, InvariantError, PartialInvariant};
use hardbop_refine::values::interval_analysis;
use hardbop_smt::{Purpose, Terms, Unknown};

/// An automaton that is decided without a search.
pub(super) struct Direct<'a, S> {
    pub problem: &'a mut Problem,
    pub terms: &'a mut Terms,
    pub statistics: &'a mut RefinementStatistics<S>,
    pub options: &'a AnalysisOptions,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn RefinementObserver,
}

/// A finding, or nothing where the step decides nothing.
///
/// # Errors
/// The budget runs out, a solver fails, or hardbop has a defect.
pub(super) type Decision = Result<Option<Finding<Invariant>>, RefineError>;

impl<S> Direct<'_, S> {
    /// Unrolls the blocks, all paths at once, as long as they are short: an error is executed, and
    /// another solver proves that nothing goes on.
    pub fn unrolled(mut self) -> Decision {
        let solvers = self.options.solvers(Purpose::Path);
        let limits = &self.options.limits.unrolling;
        let Self { problem, terms, budget, observer, .. } = &mut self;
        match unroll(terms, problem, solvers.solver()?, limits, budget)? {
            Unrolled::Complete(rounds) => {
                let what = "the unrolling does not prove the program safe";
                self.proved(Invariant::bounded(rounds), what)
            }
            Unrolled::Error(blocks) => {
                let formula = path::formula(terms, problem, &blocks);
                let found = feasible(terms, problem, (&blocks, &formula), &[], &solvers, budget)?;
                let Some(Some(execution)) = found else { return Ok(None) };
                let accepted = observer.accept(terms, &problem.automaton, &execution);
                Ok(accepted.is_ok().then_some(Finding::Error(execution)))
            }
            Unrolled::Longer | Unrolled::Hard => Ok(None),
        }
    }

    /// Computes the intervals of variables, which may exclude all goals, or some of the ways into them: a partial proof.
    pub fn intervals(mut self, partial: &mut Option<Partial>) -> Decision {
        let limits = self.options.limits.values;
        let Self { problem, terms, budget, .. } = &mut self;
        let found = interval_analysis(terms, problem, limits, budget).map_err(Unknown::from)?;
        self.partly(found, partial, "the intervals do not exclude what they should")
    }

    /// Looks for an invariant among conjunctions of candidates, which may exclude all goals, or some of the ways into them where a
    /// `part` is enough: it takes longer to find.
    pub fn houdini(mut self, partial: &mut Option<Partial>, part: bool) -> Decision {
        let solvers = self.options.solvers(Purpose::Invariant);
        let limits = self.options.limits;
        let Self { problem, terms, budget, .. } = &mut self;
        let found = houdini(terms, problem, &solvers, (limits, part), budget)?;
        self.partly(found, partial, "the invariant from candidates does not exclude what it should")
    }

    /// A proof of all, or of a part, if another solver accepts it.
    fn partly(
        self,
        found: Option<PartialInvariant>,
        partial: &mut Option<Partial>,
        what: &'static str,
    ) -> Decision {
        let Some(PartialInvariant { invariant, open }) = found else { return Ok(None) };
        if open.is_empty() {
            return self.proved(invariant, what);
        }
        let Self { problem, terms, statistics, options, budget, observer } = self;
        let automaton = Arc::clone(&problem.automaton);
        if automaton.goal_edges(terms).all(|edge| open.contains(&edge)) {
            return Ok(None);
        }
        let claimed = Arc::new(automaton.without(terms, open.iter().copied()));
        // The invariant is about all that is live, also where only an open way reads it.
        let live = problem.live(terms).clone();
        let problem = &mut Problem::with_blocks(claimed, problem.summary.clone(), live);
        let claim = Direct { problem, terms: &mut *terms, statistics, options, budget, observer };
        match claim.proved(invariant, what)? {
            Some(Finding::Safe(invariant)) => {
                *partial = Some(match partial.take() {
                    Some(earlier) => earlier.and(terms, &invariant, open),
                    None => Partial::new(terms, &automaton, invariant, open),
                });
                Ok(None)
            }
            other => Ok(other),
        }
    }

    /// The proof, if another solver accepts it.
    fn proved(self, proof: Invariant, what: &'static str) -> Decision {
        let Self { problem, terms, statistics, options, budget, observer } = self;
        let start = Instant::now();
        let checkers = options.checkers();
        let limits = options.limits.invariant;
        let checked = proof.check(terms, problem, || checkers.solver(), limits, budget);
        statistics.confirmation_time += start.elapsed();
        match checked {
            Ok(()) => Ok(Some(Finding::Safe(proof))),
            Err(InvariantError::Unknown(Unknown::Incomplete(_))) => Ok(None),
            Err(InvariantError::Unknown(unknown)) => Err(unknown.into()),
            Err(InvariantError::Solver(e)) => Err(e.into()),
            Err(wrong) => match options.wrong_proof(what, wrong.to_string())? {
                UnknownReason::Rejected(rejected) => {
                    observer.rejected(rejected);
                    Ok(None)
                }
                reason => Ok(Some(Finding::Unknown(reason))),
            },
        }
    }
}
