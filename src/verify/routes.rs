//! Which way to a verdict: one after the other, or a race.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Options, Outcome, Prepared, Report, Route, VerifyError, Watcher, boolean, tree};
use crate::base::budget::Budget;
use crate::boolean::engine;
use crate::program::c::flow::Flow;
use crate::program::c::on_large_stack;

/// How far the tree looks at first into a program with recursion: units of work, and calls that may be open
/// at once.  It refines nothing then.
const TREE: u64 = 400_000;
const SHALLOW: u32 = 8;
/// Units of work that Boolean programs may take where the tree is another way.
const BOOLEAN: u64 = 4_000_000;

/// Takes a route, or chooses between them.
pub(super) fn check(
    flow: &Flow,
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
    report: &mut Report,
) -> Result<(), VerifyError> {
    match options.route {
        Route::Tree => return tree::check(flow, prepared, options, budget, watcher, report),
        Route::Bp => return boolean::check(flow, prepared, options, budget, watcher, report),
        Route::Auto => {}
    }
    // The tree copies what is called; whether it ends then depends on how deep calls go.
    if recurs(prepared) {
        let mut shallow = options.clone();
        shallow.recursion = options.recursion.or(Some(SHALLOW));
        shallow.analysis.refinements = Some(0);
        let trial = budget.trial(TREE);
        tree::check(flow, prepared, &shallow, &trial, watcher, report)?;
        if is_decided(report) || budget.check().is_err() {
            return Ok(());
        }
        let trial = budget.trial(BOOLEAN);
        boolean::check(flow, prepared, options, &trial, watcher, report)?;
        if is_decided(report) || budget.check().is_err() {
            return Ok(());
        }
        report.boolean = None;
        return tree::check(flow, prepared, options, budget, watcher, report);
    }
    tree::check(flow, prepared, options, budget, watcher, report)?;
    if is_decided(report) || budget.check().is_err() {
        return Ok(());
    }
    // What the tree cannot do, Boolean programs rarely can; it does not take them long to say so.
    let reason = std::mem::replace(&mut report.outcome, Outcome::Unknown(String::new()));
    boolean::check(flow, prepared, options, &budget.trial(BOOLEAN), watcher, report)?;
    if !is_decided(report) {
        report.outcome = reason;
        report.boolean = None;
    }
    Ok(())
}

/// May a function be active more than once?
fn recurs(prepared: &Prepared) -> bool {
    let program = &prepared.lowered.program;
    (0..program.functions.len()).any(|f| program.recursive_calls(f) > 0)
}

fn is_decided(report: &Report) -> bool {
    !matches!(report.outcome, Outcome::Unknown(_))
}

/// Work that the other route may do after one has answered with so much.
fn grace(work: u64) -> u64 {
    work.saturating_add(work / 4)
}

/// Both routes at once, each on a thread of its own.  What counts is work, not time, so that the answer does
/// not depend on the scheduler: of two answers, that of the tree.
///
/// # Errors
/// A solver fails, or a route is wrong; one verdict may not contradict the other.
pub(super) fn race(flow: &Flow, options: &Options, budget: &Budget) -> Result<Report, VerifyError> {
    let ceiling = Arc::new(AtomicU64::new(u64::MAX));
    let run = |route: Route| -> Result<(Report, u64), VerifyError> {
        let budget = budget.racer(Arc::clone(&ceiling));
        let engine = engine::Options { threads: NonZeroUsize::MIN, ..options.engine.clone() };
        let options = Options { route, engine, ..options.clone() };
        let report = on_large_stack(|| super::check(flow, &options, &budget, &mut ()));
        let report = report.map_err(|e| VerifyError::Thread(e.to_string()))??;
        if is_decided(&report) {
            ceiling.fetch_min(grace(budget.work()), Relaxed);
        }
        Ok((report, budget.work()))
    };
    let (by_tree, by_boolean) = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(Route::Bp));
        let own = run(Route::Tree);
        (own, other.join())
    });
    let by_boolean = by_boolean.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let ((by_tree, tree_work), (by_boolean, boolean_work)) = (by_tree?, by_boolean?);
    let contradicts = |a: &Report, b: &Report| {
        matches!((&a.outcome, &b.outcome), (Outcome::Safe(_), Outcome::Unsafe(_)))
    };
    if contradicts(&by_tree, &by_boolean) || contradicts(&by_boolean, &by_tree) {
        return Err(VerifyError::Disagreement);
    }
    let limit = ceiling.load(Relaxed);
    let counts = |report: &Report, work: u64| is_decided(report) && work <= limit;
    Ok(if counts(&by_boolean, boolean_work) && !counts(&by_tree, tree_work) {
        by_boolean
    } else {
        by_tree
    })
}
