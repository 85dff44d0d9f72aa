//! The routes to a verdict, one after the other or in a race: the reachability tree, and Boolean
//! programs.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::options::{Options, Route};
use super::phase::Phase;
use super::report::Report;
use super::steps::run;
use super::subject::interface::Subject;
use super::verdict::{Outcome, UnknownReason, VerifyError};
use super::watcher::Watcher;
use hardbop_base::budget::Budget;
use hardbop_bp::engine;
use hardbop_c::lower::Assumption;
use hardbop_c::on_large_stack;
use hardbop_c::points_to::Externals;

/// Checks a program.
///
/// Undefined functions that may do anything cost precision.  So they are first taken to change only
/// what they are given, which is enough for an error, and for a proof in which none of them takes
/// part.
///
/// # Errors
/// A solver fails, or hardbop has made a mistake.  A budget that ends is an outcome, not an error.
pub fn check<S: Subject>(
    subject: S,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report<S::Execution>, VerifyError> {
    let report = check_externals(subject, options, budget, watcher)?;
    Ok(Report { outcome: report.outcome.of_run(budget), ..report })
}

fn check_externals<S: Subject>(
    subject: S,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report<S::Execution>, VerifyError> {
    if options.externals != Externals::Any {
        return check_once(subject, options, budget, watcher);
    }
    let first = Options { externals: Externals::Reachable, ..options.clone() };
    let mut report = check_once(subject.clone(), &first, budget, watcher)?;
    let undefined = report.assumptions.iter().find_map(|a| match a {
        Assumption::ReachingFunction(name) => Some(name.clone()),
        _ => None,
    });
    if undefined.is_some() {
        // That they do no more than that is not known.
        report.open_errors = None;
    }
    let (Some(name), Outcome::Safe(_)) = (undefined, &report.outcome) else { return Ok(report) };
    let again = Options { executions: 0, ..options.clone() };
    let mut second = check_once(subject, &again, budget, watcher)?;
    match second.outcome {
        Outcome::Safe(_) => {
            second.follow(&mut report);
            return Ok(second);
        }
        Outcome::Unknown(ref reason)
            if matches!(reason, UnknownReason::Callback(..))
                || budget.check_after_part().is_err() =>
        {
            report.outcome = Outcome::Unknown(reason.clone());
        }
        // No execution of the program alone reaches an error: the first run has shown that.
        Outcome::Unsafe(_) | Outcome::Unknown(_) => {
            report.outcome = Outcome::Unknown(UnknownReason::Undefined(name));
        }
    }
    report.precede(&mut second);
    Ok(report)
}

/// Takes the steps of the route; with several threads those of both, in a race.
fn check_once<S: Subject>(
    subject: S,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report<S::Execution>, VerifyError> {
    if options.route == Route::Auto && options.engine.threads > NonZeroUsize::MIN {
        watcher.phase(Phase::Race);
        return race(&subject, options, budget);
    }
    run(subject, options, budget, watcher)
}

/// Work that the other route may do after one has answered with so much.
fn grace(work: u64, per_cent: u64) -> u64 {
    let more = u128::from(work) * u128::from(per_cent) / 100;
    work.saturating_add(u64::try_from(more).unwrap_or(u64::MAX))
}

/// Takes both routes at once, each on a thread of its own.  What counts is work, not time, so that
/// the answer does not depend on the scheduler: of two answers, that of the tree.
///
/// # Errors
/// A solver fails, or a route is wrong; one verdict may not contradict the other.
fn race<S: Subject>(
    subject: &S,
    options: &Options,
    budget: &Budget,
) -> Result<Report<S::Execution>, VerifyError> {
    let ceiling = Arc::new(AtomicU64::new(u64::MAX));
    let racer = |subject: S, route: Route| -> Result<(Report<S::Execution>, u64), VerifyError> {
        let budget = budget.racer(Arc::clone(&ceiling));
        let engine = engine::Options { threads: NonZeroUsize::MIN, ..options.engine.clone() };
        let options = Options { route, engine, ..options.clone() };
        let report = on_large_stack(|| run(subject, &options, &budget, &mut ()));
        let report = report.map_err(|e| VerifyError::Thread(e.to_string()))??;
        if report.outcome.is_decided() {
            ceiling.fetch_min(grace(budget.work(), options.route_limits.grace), Relaxed);
        }
        Ok((report, budget.work()))
    };
    let (own, twin) = (subject.clone(), subject.clone());
    let (by_tree, by_boolean) = std::thread::scope(|scope| {
        let racer = &racer;
        let other = scope.spawn(move || racer(twin, Route::Bp));
        (racer(own, Route::Tree), other.join())
    });
    let by_boolean = by_boolean.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let ((by_tree, tree_work), (by_boolean, boolean_work)) = (by_tree?, by_boolean?);
    let contradicts = |a: &Report<S::Execution>, b: &Report<S::Execution>| {
        matches!((&a.outcome, &b.outcome), (Outcome::Safe(_), Outcome::Unsafe(_)))
    };
    if contradicts(&by_tree, &by_boolean) || contradicts(&by_boolean, &by_tree) {
        return Err(VerifyError::Disagreement);
    }
    let limit = ceiling.load(Relaxed);
    let counts =
        |report: &Report<S::Execution>, work: u64| report.outcome.is_decided() && work <= limit;
    let (mut winner, other) =
        match counts(&by_boolean, boolean_work) && !counts(&by_tree, tree_work) {
            true => (by_boolean, by_tree),
            false => (by_tree, by_boolean),
        };
    winner.rejected.extend(other.rejected);
    Ok(winner)
}
