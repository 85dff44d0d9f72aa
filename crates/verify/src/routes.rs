//! The routes to a verdict, one after the other or in a race: the reachability tree, and Boolean
//! programs.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::limits::RouteLimits;
use super::options::{Options, Route};
use super::phase::Phase;
use super::report::Report;
use super::subject::interface::{Found, Subject};
use super::task::Task;
use super::verdict::{Outcome, UnknownReason, VerifyError};
use super::watcher::Watcher;
use super::{boolean, tree};
use hardbop_base::budget::Budget;
use hardbop_bp::engine;
use hardbop_c::lower::{Assumption, Model};
use hardbop_c::on_large_stack;
use hardbop_c::points_to::Externals;
use hardbop_refine::proof::invariant::Invariant;

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
        return check_cells(subject, options, budget, watcher);
    }
    let first = Options { externals: Externals::Reachable, ..options.clone() };
    let mut report = check_cells(subject.clone(), &first, budget, watcher)?;
    let undefined = report.assumptions.iter().find_map(|a| match a {
        Assumption::ReachingFunction(name) => Some(name.clone()),
        _ => None,
    });
    let (Some(name), Outcome::Safe(_)) = (undefined, &report.outcome) else { return Ok(report) };
    let again = Options { executions: 0, ..options.clone() };
    let mut second = check_cells(subject, &again, budget, watcher)?;
    report.rejected.append(&mut second.rejected);
    match second.outcome {
        Outcome::Safe(_) => {
            second.rejected = report.rejected;
            return Ok(second);
        }
        Outcome::Unknown(reason @ UnknownReason::Callback(..)) => {
            report.outcome = Outcome::Unknown(reason);
        }
        Outcome::Unknown(reason) if budget.check().is_err() => {
            report.outcome = Outcome::Unknown(reason);
        }
        // No execution of the program alone reaches an error: the first run has shown that.
        Outcome::Unsafe(_) | Outcome::Unknown(_) => {
            report.outcome = Outcome::Unknown(UnknownReason::Undefined(name));
        }
    }
    Ok(report)
}

/// Units of work that are no limit.
const ENDLESS: u64 = 1 << 40;

/// Tries [`Model::OneCell`] where objects stand for many, and the tree does not decide without it,
/// or not soon.
fn check_cells<S: Subject>(
    subject: S,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report<S::Execution>, VerifyError> {
    let first = check_once(subject.clone(), options, budget, watcher)?;
    let undecided = !first.outcome.is_decided() && budget.check().is_ok();
    if !undecided || first.many == 0 || options.memory != Model::Regions {
        return Ok(first);
    }
    let mut one_cell = Options { memory: Model::OneCell, executions: 0, ..options.clone() };
    // Which cell it is, and what is in it, are too many values to enumerate.
    one_cell.analysis.explicit_states = 0;
    let most = options.route_limits.cell_refinements;
    one_cell.analysis.refinements =
        Some(options.analysis.refinements.map_or(most, |n| n.min(most)));
    let limits = &options.route_limits;
    let trial = budget.with_memory_share(limits.memory).trial(limits.cell_work);
    let mut second = check_once(subject.clone(), &one_cell, &trial, watcher)?;
    second.follow(first);
    if second.outcome.is_decided() {
        return Ok(second);
    }
    let limits = RouteLimits { region_work: ENDLESS, ..options.route_limits };
    let options = Options { route_limits: limits, executions: 0, ..options.clone() };
    let mut third = check_once(subject, &options, budget, watcher)?;
    third.follow(second);
    Ok(third)
}

fn check_once<S: Subject>(
    mut subject: S,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report<S::Execution>, VerifyError> {
    if options.route == Route::Auto && options.engine.threads > NonZeroUsize::MIN {
        watcher.phase(Phase::Race);
        return race(&subject, options, budget);
    }
    let start = Instant::now();
    let mut report = Report::begun();
    report.externals = options.externals;
    report.memory = options.memory;
    report.reduction.parsed = subject.size();
    watcher.phase(Phase::Executions);
    let found = subject.search(options, budget);
    report.phases.testing = start.elapsed();
    if let Found::Error(execution) = found {
        subject.assume(&execution, &mut report.assumptions);
        report.outcome = Outcome::Unsafe(Box::new(execution));
        report.by_executions = true;
        return Ok(report);
    }
    watcher.phase(Phase::Lowering);
    let start = Instant::now();
    let prepared = match subject.prepare(options, budget) {
        Ok(prepared) => prepared,
        Err(reason) => {
            report.outcome = Outcome::Unknown(reason);
            return Ok(report);
        }
    };
    report.terms = prepared.terms;
    report.assumptions = prepared.assumptions;
    report.addresses = prepared.addresses;
    report.floats = prepared.floats;
    report.many = prepared.many;
    report.phases.lowering = start.elapsed();
    if let Found::OnlyExecution = found {
        let mut assumptions = report.assumptions.clone();
        if subject.assume_determined(&mut assumptions) {
            report.outcome = Outcome::Safe(Invariant::default());
            report.assumptions = assumptions;
            report.by_executions = true;
            return Ok(report);
        }
    }
    let (program, pointers) = (prepared.program, prepared.pointers);
    let mut task = Task { subject, program, pointers, watcher, report };
    let limits = &options.route_limits;
    if task.report.many > 0 && options.memory == Model::Regions && limits.region_work < ENDLESS {
        let mut soon = options.clone();
        let most = limits.region_refinements;
        soon.analysis.refinements =
            Some(options.analysis.refinements.map_or(most, |n| n.min(most)));
        let trial = budget.with_memory_share(limits.memory).trial(limits.region_work);
        match options.route {
            Route::Bp => boolean::check(&mut task, &soon, &trial)?,
            Route::Auto if recurs(&task) => choose(&mut task, &soon, &trial)?,
            _ => tree::check(&mut task, &soon, &trial)?,
        }
    } else {
        choose(&mut task, options, budget)?;
    }
    Ok(task.report)
}

/// Takes a route, or chooses between them.
fn choose<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
) -> Result<(), VerifyError> {
    let limits = &options.route_limits;
    let share = || budget.with_memory_share(limits.memory);
    match options.route {
        Route::Tree => return tree::check(task, options, budget),
        Route::Bp => return boolean::check(task, options, budget),
        Route::Auto => {}
    }
    // The tree copies what is called; whether it ends then depends on how deep calls go. Boolean
    // programs have summaries, but take long where values matter.
    if recurs(task) {
        let mut look = options.clone();
        look.route_limits.deeper_edges = limits.deeper_edges.min(limits.look_edges);
        let steps = &mut look.analysis.limits.values.steps;
        *steps = limits.look_steps.min(*steps);
        tree::check(task, &look, &share().trial(limits.look_work))?;
        if task.is_decided() || budget.check().is_err() {
            return Ok(());
        }
        boolean::check(task, options, &share().trial(limits.boolean_work))?;
        if task.is_decided() || budget.check().is_err() {
            return Ok(());
        }
        task.report.boolean = None;
        return tree::check(task, options, budget);
    }
    tree::check(task, options, &share())?;
    if task.is_decided() || budget.check().is_err() {
        return Ok(());
    }
    // What the tree cannot do, Boolean programs rarely can; it does not take them long to say so.
    let nothing = Outcome::Unknown(UnknownReason::Interrupted);
    let reason = std::mem::replace(&mut task.report.outcome, nothing);
    boolean::check(task, options, &budget.trial(limits.boolean_work))?;
    if !task.is_decided() {
        task.report.outcome = reason;
        task.report.boolean = None;
    }
    Ok(())
}

/// Whether a function may be active more than once.
fn recurs<S: Subject>(task: &Task<S>) -> bool {
    let program = &task.program;
    (0..program.functions.len()).any(|f| program.recursive_calls(f) > 0)
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
    let run = |subject: S, route: Route| -> Result<(Report<S::Execution>, u64), VerifyError> {
        let budget = budget.racer(Arc::clone(&ceiling));
        let engine = engine::Options { threads: NonZeroUsize::MIN, ..options.engine.clone() };
        let options = Options { route, engine, ..options.clone() };
        let report = on_large_stack(|| check_once(subject, &options, &budget, &mut ()));
        let report = report.map_err(|e| VerifyError::Thread(e.to_string()))??;
        if report.outcome.is_decided() {
            ceiling.fetch_min(grace(budget.work(), options.route_limits.grace), Relaxed);
        }
        Ok((report, budget.work()))
    };
    let (own, twin) = (subject.clone(), subject.clone());
    let (by_tree, by_boolean) = std::thread::scope(|scope| {
        let run = &run;
        let other = scope.spawn(move || run(twin, Route::Bp));
        (run(own, Route::Tree), other.join())
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
