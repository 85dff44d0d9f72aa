//! The route by the abstract reachability tree.

use std::time::{Duration, Instant};

use super::exploration::{Task, deeper, explore};
use super::{Options, Outcome, Prepared, Replay, Report, VerifyError, Watcher, automaton};
use crate::base::budget::Budget;
use crate::program::c::flow::Flow;
use crate::program::cfa::Location;
use crate::program::cfa::expand::Limits;
use crate::refine::tree::Finding;

/// The result is in the report.
pub(super) fn check(
    flow: &Flow,
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
    report: &mut Report,
) -> Result<(), VerifyError> {
    let start = Instant::now();
    let mut limits = Limits::default();
    limits.recursion = options.recursion.unwrap_or(limits.recursion);
    let (program, reduction) = (&prepared.lowered.program, &mut report.reduction);
    match automaton(&mut report.terms, program, &limits, budget, reduction) {
        Ok(automaton) => report.automaton = automaton,
        Err(e) => {
            report.outcome = Outcome::Unknown(e.to_string());
            return Ok(());
        }
    }
    report.phases.lowering += start.elapsed();
    let mut is_last = options.recursion.is_some();
    loop {
        let copies = report.automaton.copies.iter();
        let copies = copies.filter(|(_, of)| prepared.pointers.contains(of)).map(|(&s, _)| s);
        report.pointers = prepared.pointers.iter().copied().chain(copies).collect();
        let deep = analyse((flow, prepared, is_last), options, budget, watcher, report)?;
        if deep.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        let automata = (program, &report.automaton);
        let last = (budget, &mut report.reduction);
        match deeper(&mut report.terms, automata, &mut limits, &deep, last) {
            Some(automaton) => report.automaton = automaton,
            None => is_last = true,
        }
        report.phases.lowering += start.elapsed();
    }
}

/// The result is in the report, unless calls go deeper than the automaton follows them and it is not
/// the last one: then goals where they do.
fn analyse(
    (flow, prepared, is_last): (&Flow, &Prepared, bool),
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
    report: &mut Report,
) -> Result<Vec<Location>, VerifyError> {
    let Report { automaton, terms, .. } = report;
    let predicates = watcher.predicates(terms);
    let (execution, time) = (None, Duration::ZERO);
    let parts = &prepared.lowered.parts;
    let mut replay = Replay { flow, parts, budget, watcher, is_last, execution, time };
    let (analysis, keep_tree) = (&options.analysis, options.keep_tree);
    let task = Task { analysis, predicates: &predicates, keep_tree, budget };
    let explored = explore(terms, automaton, report.reduction.sliced, task, &mut replay)?;
    let (execution, replaying) = (replay.execution.take(), replay.time);
    report.reduction.blocks = explored.blocks;
    report.phases.analysis += explored.analysis.saturating_sub(replaying);
    report.phases.confirmation += replaying + explored.confirmation;
    report.statistics = explored.statistics;
    report.predicates = explored.predicates;
    report.tree = explored.tree;
    report.outcome = match explored.finding {
        Finding::TooDeep(goals) => return Ok(goals),
        Finding::Unknown(reason) => Outcome::Unknown(reason),
        Finding::Safe(invariant) => Outcome::Safe(invariant),
        Finding::Error(_) => match execution {
            Some(execution) => {
                report.found(flow, execution);
                return Ok(vec![]);
            }
            None => Outcome::Unknown("an error path was not replayed".into()),
        },
    };
    Ok(vec![])
}
