//! The route by the abstract reachability tree.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use super::direct::Direct;
use super::expansion::{automaton, deeper};
use super::partial::Partial;
use super::task::{Replay, Task};
use crate::learned::{Scoped, learned, placed};
use crate::options::Options;
use crate::phase::Phase;
use crate::reduction::Size;
use crate::report::{Report, Warm};
use crate::strategy::{Action, Begun, Gave, Log, Step};
use crate::subject::interface::Subject;
use crate::verdict::{Outcome, VerifyError};
use crate::watcher::Watcher;
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_c::lower::Assumption;
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_cfa::{Location, Place, Program};
use hardbop_refine::block::problem::Problem;
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::cegar::finding::{Finding, RefinementObserver};
use hardbop_refine::cegar::run::Cegar;
use hardbop_refine::cegar::statistics::{RefinementStatistics, TreeStatistics};
use hardbop_refine::proof::invariant::Invariant;
use hardbop_refine::tree::{Analysis, Labels, Predicates, ReachabilityTree};

/// Takes steps on the program with its calls expanded, and follows recursion deeper as long as that
/// decides nothing and the automaton stays small.  The result is in the report.
pub(super) fn check<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
    (steps, watcher, log): (&[Step], &mut dyn Watcher, &mut Log),
) -> Result<(), VerifyError> {
    watcher.phase(Phase::Lowering);
    let start = Instant::now();
    let mut limits = ExpansionLimits { limits: options.cfa_limits, ..ExpansionLimits::default() };
    let first = &mut limits.limits.expansion.recursion;
    *first = options.recursion.unwrap_or(*first);
    let report = &mut task.report;
    if let Some((automaton, reduction)) = &task.expanded {
        report.automaton = Arc::clone(automaton);
        report.reduction = *reduction;
    } else {
        let reduction = &mut report.reduction;
        match automaton(&mut report.terms, &task.program, &limits, budget, reduction) {
            Ok(automaton) => report.automaton = Arc::new(automaton),
            Err(e) => {
                report.outcome = Outcome::Unknown(e.into());
                return Ok(());
            }
        }
        task.expanded = Some((Arc::clone(&report.automaton), report.reduction));
    }
    report.phases.lowering += start.elapsed();
    report.expansion = limits.clone();
    let mut goes_deeper = options.recursion.is_none();
    loop {
        let Task { report, pointers: own, .. } = task;
        let copies = report.automaton.copies.iter();
        let copies = copies.filter(|(_, of)| own.contains(of)).map(|(&s, _)| s);
        report.pointers = own.iter().copied().chain(copies).collect();
        let copies = report.automaton.copies.iter();
        let copies = copies.filter(|(_, of)| report.floats.contains(of)).map(|(&s, _)| s);
        report.floats.extend(copies.collect::<Vec<_>>());
        let deep = explore(task, options, budget, goes_deeper, (steps, &mut *watcher, &mut *log))?;
        if deep.is_empty() {
            return Ok(());
        }
        watcher.phase(Phase::Lowering);
        let start = Instant::now();
        let report = &mut task.report;
        let automata = (&task.program, &*report.automaton);
        let last = (budget, &mut report.reduction);
        match deeper(&mut report.terms, automata, (&mut limits, &options.route_limits), &deep, last)
        {
            Some(automaton) => {
                report.automaton = Arc::new(automaton);
                report.expansion = limits.clone();
            }
            None => goes_deeper = false,
        }
        report.phases.lowering += start.elapsed();
    }
}

/// Takes steps on the automaton of the report.  The result is in the report, except where calls go deeper
/// than the automaton follows them and a deeper one is allowed: then the goals at those calls are
/// returned.
fn explore<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
    goes_deeper: bool,
    (steps, watcher, log): (&[Step], &mut dyn Watcher, &mut Log),
) -> Result<Vec<Location>, VerifyError> {
    let given = task.predicates(&options.predicates, watcher).into_iter();
    let given: Vec<Scoped> = given.map(|predicate| (None, predicate)).collect();
    let learned = task.learned(options, watcher);
    let Task { subject, program, report, partial, .. } = task;
    let automaton = report.automaton.clone();
    *partial = partial.take().filter(|partial| partial.is_about(&automaton));
    report.statistics = RefinementStatistics::default();
    (report.predicates, report.tree, report.outline) = (vec![], None, None);
    report.learned.clear();
    let start = Instant::now();
    let mut replay = Replay::of_expansion(subject, watcher, budget, goes_deeper);
    let mut take = |step: &Step, is_last: bool, given: &[Scoped], budget: &Budget| {
        let own = step.options(options);
        let rest = partial.as_ref().map_or(&automaton, |partial| &partial.rest);
        let mut problem = Problem::new(Arc::clone(rest), own.analysis.blocks);
        report.reduction.blocks = Size::of_blocks(report.reduction.sliced, &problem.summary);
        report.outline = None;
        let found = || -> Result<Option<Finding<Invariant>>, RefineError> {
            let alone = match step.action {
                Action::Intervals => Some(Phase::Intervals),
                Action::Unrolling => Some(Phase::Unrolling),
                Action::Houdini => Some(Phase::Houdini),
                _ => None,
            };
            if let Some(phase) = alone {
                replay.phase(phase);
                report.statistics.model = TreeStatistics::of(&problem);
                let direct = Direct {
                    problem: &mut problem,
                    terms: &mut report.terms,
                    statistics: &mut report.statistics,
                    options: &own.analysis,
                    budget,
                    observer: &mut replay,
                };
                let found = match phase {
                    Phase::Intervals if partial.is_some() => Ok(None),
                    Phase::Intervals => direct.intervals(partial),
                    Phase::Unrolling => direct.unrolled(),
                    // Where others follow, these may decide all at once, in less time than the parts take.
                    _ => direct.houdini(partial, is_last),
                }?;
                if found.as_ref().is_some_and(is_decided) {
                    report.learned.clear();
                }
                return Ok(found);
            }
            let how = Setting { options: &own, budget, program, given };
            let analysis = &own.analysis;
            Ok(Some(if analysis.algorithm.is_impact() {
                search(Labels::new(analysis, budget)?, problem, report, &how, &mut replay)?
            } else {
                search(Predicates::new(analysis, budget)?, problem, report, &how, &mut replay)?
            }))
        };
        let found = found().transpose();
        // That undefined functions call nothing back is asked for in the end.
        let calls_back = |a: &Assumption| matches!(a, Assumption::ReachingFunction(_));
        if let Some(open) = open_errors(partial.as_ref(), report)
            && !report.assumptions.iter().any(calls_back)
        {
            replay.open(&open, &report.assumptions);
        }
        found.map(|found| replay.settled(found, options.analysis.strict)).transpose()
    };
    let is_taken = |step: &&Step| {
        (step.action != Action::Learned || learned.is_some())
            && step.most_edges.is_none_or(|most| (1..=most).contains(&automaton.edges.len()))
            && step.when.iter().all(|c| c.holds(options, &given))
    };
    let steps: Vec<&Step> = steps.iter().filter(is_taken).collect();
    let mut finding = Finding::Unknown(UnknownReason::Interrupted);
    let mut warm = Warm::default();
    for (i, &step) in steps.iter().enumerate() {
        let begun = Begun::now(budget);
        let is_last = i + 1 == steps.len();
        let mut within = step.budget(options, budget, is_last);
        let mut begins_with = &given[..];
        if let (Action::Learned, Some(learned)) = (&step.action, &learned) {
            within = within.trial(learned.work);
            begins_with = &learned.predicates;
        }
        let found = take(step, is_last, begins_with, &within)?;
        let gave = found.as_ref().map_or(Gave::Nothing(None), gave);
        let has_decided = found.as_ref().is_some_and(is_decided);
        if step.action == Action::Learned {
            warm = Warm { work: budget.work() - begun.work, has_decided };
        }
        log.note(&step.action, begun, budget, gave);
        finding = found.unwrap_or(finding);
        if has_decided || budget.check_after_part().is_err() {
            break;
        }
    }
    report.rejected.append(&mut replay.rejected);
    report.warm.work += warm.work;
    report.warm.has_decided = warm.has_decided;
    let elapsed = start.elapsed();
    let (execution, replaying) = (replay.execution.take(), replay.time);
    let confirmation = report.statistics.confirmation_time + replaying;
    report.phases.analysis += elapsed.saturating_sub(confirmation);
    report.phases.confirmation += confirmation;
    if let Finding::TooDeep(goals) = finding {
        return Ok(goals);
    }
    let Task { report, partial, .. } = task;
    if let Some(partial) = partial {
        report.open_errors = open_errors(Some(partial), report);
        finding = finding.and(&mut report.terms, &partial.invariant);
    }
    task.conclude(finding, execution, |invariant| invariant);
    Ok(vec![])
}

/// The errors that executions of the program may reach, as far as some are excluded.
fn open_errors<E>(partial: Option<&Partial>, report: &Report<E>) -> Option<BTreeSet<Place>> {
    partial?.open_errors().filter(|_| !report.memory.is_partial())
}

/// What a step has given, where it has found this.
fn gave<P>(finding: &Finding<P>) -> Gave {
    match finding {
        Finding::Safe(_) => Gave::Safe,
        Finding::Error(_) => Gave::Unsafe,
        Finding::Unknown(reason) => Gave::Nothing(Some(reason.clone())),
        Finding::TooDeep(_) => Gave::Nothing(None),
    }
}

fn is_decided<P>(finding: &Finding<P>) -> bool {
    !matches!(finding, Finding::Unknown(_))
}

/// How a search is done.
struct Setting<'a> {
    options: &'a Options,
    budget: &'a Budget,
    program: &'a Program,
    given: &'a [Scoped],
}

/// Explores a problem with an analysis, and puts what it found on the way into the report.
fn search<A: Analysis, X>(
    analysis: A,
    problem: Problem,
    report: &mut Report<X>,
    setting: &Setting<'_>,
    observer: &mut dyn RefinementObserver,
) -> Result<Finding<Invariant>, RefineError> {
    let &Setting { budget, program, given, .. } = setting;
    let (options, most) = (&setting.options.analysis, setting.options.outline);
    let mut tree = ReachabilityTree::new(problem, analysis, options.order);
    let given = placed(&tree.reached.analysis, &tree.reached.problem, program, given);
    tree.reached.analysis.track(&report.terms, given)?;
    let mut run = Cegar::new(tree, &mut report.terms, options, budget);
    let finding = run.decide(observer);
    let reached = &run.model.reached;
    report.predicates = reached.analysis.predicates();
    let own = learned(&reached.analysis, &reached.problem, program);
    if finding.as_ref().is_ok_and(is_decided) {
        report.learned = own;
    } else if reached.analysis.has_precision() {
        // A later run goes on with all that this one has found.
        let new: Vec<Scoped> = own.into_iter().filter(|p| !report.learned.contains(p)).collect();
        report.learned.extend(new);
    }
    report.tree = setting.options.keep_tree.then(|| run.model.reached.dot(run.context.terms));
    report.outline = (most > 0).then(|| run.model.reached.outline(run.context.terms, most));
    let earlier = std::mem::replace(&mut report.statistics, run.statistics);
    report.statistics.add(&earlier);
    finding
}
