//! The route by the abstract reachability tree.

use std::sync::Arc;
use std::time::Instant;

use super::expansion::{automaton, deeper};
use super::learned::{Scoped, learned, placed};
use super::options::Options;
use super::phase::Phase;
use super::reduction::Size;
use super::report::{Report, Warm};
use super::subject::interface::Subject;
use super::task::{Replay, Task};
use super::unrolled::unrolled;
use super::verdict::{Outcome, VerifyError};
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_cfa::{Location, Program};
use hardbop_refine::block::problem::Problem;
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::cegar::finding::{Finding, RefinementObserver};
use hardbop_refine::cegar::options::AnalysisOptions;
use hardbop_refine::cegar::run::Cegar;
use hardbop_refine::cegar::statistics::RefinementStatistics;
use hardbop_refine::proof::invariant::Invariant;
use hardbop_refine::tree::{Analysis, Labels, Predicates, ReachabilityTree};

/// Explores the program with its calls expanded, and follows recursion deeper as long as that
/// decides nothing and the automaton stays small.  The result is in the report.
pub(super) fn check<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
) -> Result<(), VerifyError> {
    task.watcher.phase(Phase::Lowering);
    let start = Instant::now();
    let mut limits = ExpansionLimits { limits: options.cfa_limits, ..ExpansionLimits::default() };
    let first = &mut limits.limits.expansion.recursion;
    *first = options.recursion.unwrap_or(*first);
    let report = &mut task.report;
    let expanded =
        automaton(&mut report.terms, &task.program, &limits, budget, &mut report.reduction);
    match expanded {
        Ok(automaton) => report.automaton = Arc::new(automaton),
        Err(e) => {
            report.outcome = Outcome::Unknown(e.into());
            return Ok(());
        }
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
        let deep = explore(task, options, budget, goes_deeper)?;
        if deep.is_empty() {
            return Ok(());
        }
        task.watcher.phase(Phase::Lowering);
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

/// A part of the search.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// All paths are unrolled at once.
    Unroll,
    /// An abstract reachability tree, which begins with these predicates.
    Search(&'a AnalysisOptions, &'a [Scoped]),
}

/// Explores the automaton of the report.  The result is in the report, except where calls go deeper
/// than the automaton follows them and a deeper one is allowed: then the goals at those calls are
/// returned.
fn explore<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
    goes_deeper: bool,
) -> Result<Vec<Location>, VerifyError> {
    let predicates = task.predicates(&options.predicates);
    let learned = task.learned(options);
    let Task { subject, program, watcher, report, .. } = task;
    let automaton = report.automaton.clone();
    report.statistics = RefinementStatistics::default();
    (report.predicates, report.tree, report.outline) = (vec![], None, None);
    report.learned.clear();
    let start = Instant::now();
    let mut replay = Replay::of_expansion(subject, &mut **watcher, budget, goes_deeper);
    let given: Vec<Scoped> = predicates.into_iter().map(|predicate| (None, predicate)).collect();
    let (given, keep_tree) = (&given[..], options.keep_tree);
    let most = options.outline;
    let analysis = &options.analysis;
    let tree_only = AnalysisOptions { explicit_states: 0, ..analysis.clone() };
    let mut take = |step: Step<'_>, budget: &Budget| {
        let mut problem = Problem::new(automaton.clone(), analysis.blocks);
        report.reduction.blocks = Size::of_blocks(report.reduction.sliced, &problem.summary);
        report.outline = None;
        let found = || -> Result<Option<Finding<Invariant>>, RefineError> {
            let (analysis, given) = match step {
                Step::Unroll => {
                    replay.phase(Phase::Unrolling);
                    let known = (&mut report.terms, &mut report.statistics);
                    let found = unrolled(&mut problem, known, (analysis, budget), &mut replay)?;
                    if found.as_ref().is_some_and(is_decided) {
                        report.learned.clear();
                    }
                    return Ok(found);
                }
                Step::Search(analysis, given) => (analysis, given),
            };
            let how = Setting { options: analysis, budget, program, given, keep_tree, most };
            Ok(Some(if analysis.algorithm.is_impact() {
                search(Labels::new(analysis, budget)?, problem, report, &how, &mut replay)?
            } else {
                search(Predicates::new(analysis, budget)?, problem, report, &how, &mut replay)?
            }))
        };
        let found = found().transpose();
        found.map(|found| replay.settled(found, options.analysis.strict)).transpose()
    };
    // Each with the budget that it has; the last one is the whole search.
    let (attempt, limits) = (analysis.attempt(), &analysis.limits);
    let mut steps: Vec<(Step, Option<u64>)> = vec![];
    if let Some(learned) = &learned {
        steps.push((Step::Search(&tree_only, &learned.predicates), Some(learned.work)));
    }
    let is_small = (1..=limits.unrolling.edges).contains(&automaton.edges.len());
    let is_wanted = analysis.explicit_states > 0 && given.is_empty() && !keep_tree;
    if let Some(attempt) = &attempt {
        steps.push((Step::Search(attempt, given), Some(limits.attempt.work)));
    }
    if is_small && is_wanted && !analysis.is_linear() {
        steps.push((Step::Search(analysis, given), Some(limits.unrolling.search)));
        steps.push((Step::Unroll, None));
    }
    steps.push((Step::Search(analysis, given), None));
    let last = steps.len() - 1;
    let mut finding = Finding::Unknown(UnknownReason::Interrupted);
    let (mut warm, before) = (Warm::default(), budget.work());
    for (i, (step, work)) in steps.into_iter().enumerate() {
        let share = match i < last {
            true => budget.with_memory_share(options.route_limits.memory),
            false => budget.clone(),
        };
        let within = work.map_or(share.clone(), |work| share.trial(work));
        let Some(found) = take(step, &within)? else { continue };
        finding = found;
        let has_decided = is_decided(&finding);
        if learned.is_some() && i == 0 {
            warm = Warm { work: budget.work() - before, has_decided };
        }
        if has_decided || budget.check().is_err() {
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
    task.conclude(finding, execution, |invariant| invariant);
    Ok(vec![])
}

fn is_decided<P>(finding: &Finding<P>) -> bool {
    !matches!(finding, Finding::Unknown(_))
}

/// How a search is done.
struct Setting<'a> {
    options: &'a AnalysisOptions,
    budget: &'a Budget,
    program: &'a Program,
    given: &'a [Scoped],
    keep_tree: bool,
    /// Nodes of the tree that the report shows.
    most: usize,
}

/// Explores a problem with an analysis, and puts what it found on the way into the report.
fn search<A: Analysis, X>(
    analysis: A,
    problem: Problem,
    report: &mut Report<X>,
    setting: &Setting<'_>,
    observer: &mut dyn RefinementObserver,
) -> Result<Finding<Invariant>, RefineError> {
    let &Setting { options, budget, program, given, keep_tree, most } = setting;
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
    report.tree = keep_tree.then(|| run.model.reached.dot(run.context.terms));
    report.outline = (most > 0).then(|| run.model.reached.outline(run.context.terms, most));
    let earlier = std::mem::replace(&mut report.statistics, run.statistics);
    report.statistics.add(&earlier);
    finding
}
