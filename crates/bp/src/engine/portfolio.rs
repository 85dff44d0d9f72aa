//! Engines race, each on its own thread; the answer does not depend on scheduling.
//!
//! The time that an engine takes differs from run to run; its work ([`Budget::work`]) does not.  So
//! the race is one of work: once an engine has answered, the others may go on until they have done
//! `grace` as much, and only answers within that limit count.  If they are traces, the shortest
//! wins; ties go to the lexicographically least.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::limits;
use super::localize;
use super::observer::Observer;
use super::options::{Engine, Options};
use super::parallel;
use super::report::{EngineError, Report};
use crate::language::program::Program;
use crate::proof::Outcome;
use hardbop_base::budget::Budget;

/// The engines by rank.  With n threads the first n of them race, but at least two.
pub const RACERS: [Engine; 5] =
    [Engine::Auto, Engine::Pdr, Engine::Bdd, Engine::Universal, Engine::Qbf];

/// Work that every engine may do in all, once one has answered after `work`.
fn grace(work: u64, limits: &limits::Race) -> u64 {
    let more = u128::from(work) * u128::from(limits.grace) / 100;
    work.saturating_add(u64::try_from(more).unwrap_or(u64::MAX))
}

/// Races as many of [`RACERS`] as there are threads.  `observer` sees the progress of all, but no
/// queries.
///
/// # Errors
/// The first error by rank; [`EngineError::Disagreement`] if one says SAFE and another UNSAFE.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let racers = &RACERS[..options.threads.get().clamp(2, RACERS.len())];
    let pool = parallel::pool(racers.len())?;
    let ceiling = Arc::new(AtomicU64::new(u64::MAX));
    let progress = |statistics| observer.progress(&statistics);
    let results = parallel::each(&pool, racers.to_vec(), progress, |_, engine, relay| {
        let budget = budget.racer(Arc::clone(&ceiling));
        let options = Options { engine, threads: NonZeroUsize::MIN, ..options.clone() };
        let report = localize::check(program, &options, &budget, relay);
        if let Ok(Report { outcome: Outcome::Safe(_) | Outcome::Unsafe(_), .. }) = &report {
            ceiling.fetch_min(grace(budget.work(), &options.limits.race), Relaxed);
        }
        report
    });
    let reports: Vec<Report> = results.into_iter().collect::<Result<_, _>>()?;
    decide(reports, ceiling.load(Relaxed))
}

/// The report that wins; `reports` are in order of rank.
fn decide(reports: Vec<Report>, ceiling: u64) -> Result<Report, EngineError> {
    let is = |wanted: fn(&Report) -> bool| reports.iter().any(wanted);
    if is(|r| matches!(r.outcome, Outcome::Safe(_)))
        && is(|r| matches!(r.outcome, Outcome::Unsafe(_)))
    {
        return Err(EngineError::Disagreement);
    }
    let best = reports.into_iter().min_by(|a, b| {
        let late = |r: &Report| r.statistics.work > ceiling;
        undecided(a).cmp(&undecided(b)).then(late(a).cmp(&late(b))).then_with(|| by_trace(a, b))
    });
    Ok(best.expect("at least one engine races"))
}

fn undecided(report: &Report) -> bool {
    matches!(report.outcome, Outcome::Unknown(_))
}

fn by_trace(a: &Report, b: &Report) -> Ordering {
    match (&a.outcome, &b.outcome) {
        (Outcome::Unsafe(a), Outcome::Unsafe(b)) => {
            a.steps.len().cmp(&b.steps.len()).then_with(|| a.cmp(b))
        }
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Invariant, Statistics};
    use crate::language::program::{EdgeId, ProcId};
    use crate::language::trace::{Trace, TraceStep};
    use crate::proof::UnknownReason;

    fn report(outcome: Outcome<Invariant>, work: u64) -> Report {
        let statistics = Statistics { work, ..Statistics::default() };
        Report { engine: Engine::Auto, outcome, statistics, rejected: vec![] }
    }

    fn failing(edges: &[u32], work: u64) -> Report {
        let step = |&e: &u32| TraceStep { procedure: ProcId(0), edge: EdgeId(e), choices: vec![] };
        let steps = edges.iter().map(step).collect();
        report(Outcome::Unsafe(Trace { initial: vec![], steps }), work)
    }

    fn work(reports: Vec<Report>, ceiling: u64) -> u64 {
        decide(reports, ceiling).unwrap().statistics.work
    }

    #[test]
    fn shortest_trace_then_least() {
        assert_eq!(work(vec![failing(&[0, 0, 0], 1), failing(&[7, 7], 2)], 9), 2);
        assert_eq!(work(vec![failing(&[0, 2], 1), failing(&[0, 1], 2)], 9), 2);
        assert_eq!(work(vec![failing(&[0, 1], 1), failing(&[0, 2], 2)], 9), 1);
    }

    #[test]
    fn too_much_work_does_not_count() {
        assert_eq!(
            work(
                vec![failing(&[1], 10), failing(&[1, 2, 3], 2)],
                grace(2, &limits::Race::default())
            ),
            2
        );
        let unknown = || report(Outcome::Unknown(UnknownReason::Interrupted), 0);
        assert_eq!(
            work(vec![unknown(), failing(&[1], 5), unknown()], grace(5, &limits::Race::default())),
            5
        );
    }

    #[test]
    fn disagreement_is_no_verdict() {
        let safe = report(Outcome::Safe(Invariant::default()), 1);
        let result = decide(vec![safe, failing(&[1], 50)], 1);
        assert!(matches!(result, Err(EngineError::Disagreement)));
    }
}
