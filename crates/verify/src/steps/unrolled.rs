//! Checks all paths at once, as long as they are short: no abstraction is needed then.

use std::time::Instant;

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
use hardbop_refine::proof::invariant::{Invariant, InvariantError};
use hardbop_smt::{Purpose, Terms, Unknown};

/// Unrolls the blocks: an error is executed, and another solver proves that nothing goes on.
/// `None` if that decides nothing.
///
/// # Errors
/// If the budget runs out, a solver fails, or hardbop has a defect.
pub(super) fn unrolled<S>(
    problem: &mut Problem,
    (terms, statistics): (&mut Terms, &mut RefinementStatistics<S>),
    (options, budget): (&AnalysisOptions, &Budget),
    observer: &mut dyn RefinementObserver,
) -> Result<Option<Finding<Invariant>>, RefineError> {
    let solvers = options.solvers(Purpose::Path);
    let limits = &options.limits.unrolling;
    match unroll(terms, problem, solvers.solver()?, limits, budget)? {
        Unrolled::Complete(rounds) => {
            let start = Instant::now();
            let (proof, checkers) = (Invariant::bounded(rounds), options.checkers());
            let limits = options.limits.invariant;
            let checked = proof.check(terms, problem, || checkers.solver(), limits, budget);
            statistics.confirmation_time += start.elapsed();
            match checked {
                Ok(()) => Ok(Some(Finding::Safe(proof))),
                Err(InvariantError::Unknown(Unknown::Incomplete(_))) => Ok(None),
                Err(InvariantError::Unknown(unknown)) => Err(unknown.into()),
                Err(InvariantError::Solver(e)) => Err(e.into()),
                Err(wrong) => {
                    let what = "the unrolling does not prove the program safe";
                    match options.wrong_proof(what, wrong.to_string())? {
                        UnknownReason::Rejected(rejected) => {
                            observer.rejected(rejected);
                            Ok(None)
                        }
                        reason => Ok(Some(Finding::Unknown(reason))),
                    }
                }
            }
        }
        Unrolled::Error(blocks) => {
            let formula = path::formula(terms, problem, &blocks);
            let found = feasible(terms, problem, (&blocks, &formula), &[], &solvers, budget)?;
            let Some(Some(execution)) = found else { return Ok(None) };
            let is_accepted = observer.accept(terms, &problem.automaton, &execution).is_ok();
            Ok(is_accepted.then_some(Finding::Error(execution)))
        }
        Unrolled::Longer | Unrolled::Hard => Ok(None),
    }
}
