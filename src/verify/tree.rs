//! The route by the abstract reachability tree.

use std::sync::Arc;
use std::time::Instant;

use super::expansion::{automaton, deeper};
use super::options::Options;
use super::phase::Phase;
use super::reduction::Size;
use super::report::Report;
use super::subject::interface::Subject;
use super::task::{Replay, Task};
use super::verdict::{Outcome, VerifyError};
use crate::base::budget::Budget;
use crate::program::cfa::Location;
use crate::program::cfa::expand::ExpansionLimits;
use crate::refine::block::execution::feasible;
use crate::refine::block::path;
use crate::refine::block::problem::Problem;
use crate::refine::block::unroll::{Unrolled, unroll};
use crate::refine::cegar::error::RefineError;
use crate::refine::cegar::finding::{Finding, RefinementObserver};
use crate::refine::cegar::options::AnalysisOptions;
use crate::refine::cegar::run::Cegar;
use crate::refine::cegar::statistics::RefinementStatistics;
use crate::refine::tree::{
    Analysis, Invariant, InvariantError, Labels, Predicates, ReachabilityTree,
};
use crate::solve::smt::{Purpose, Term, Unknown};

/// Explores the program with its calls expanded, and follows recursion deeper as long as that decides nothing and the
/// automaton stays small.  The result is in the report.
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
        task.watcher.phase(Phase::Tree);
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

/// Explores the automaton of the report.  The result is in the report, except where calls go deeper than the
/// automaton follows them and a deeper one is allowed: then the goals at those calls are returned.
fn explore<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
    goes_deeper: bool,
) -> Result<Vec<Location>, VerifyError> {
    let predicates = task.predicates(&options.predicates);
    let Task { subject, watcher, report, .. } = task;
    let automaton = report.automaton.clone();
    report.statistics = RefinementStatistics::default();
    (report.predicates, report.tree) = (vec![], None);
    let start = Instant::now();
    let mut replay = Replay::of_expansion(subject, &mut **watcher, budget, goes_deeper);
    let (given, keep_tree) = (&predicates[..], options.keep_tree);
    let analysis = &options.analysis;
    let mut finding = None;
    if analysis.explicit_states > 0 && given.is_empty() && !keep_tree && !analysis.is_linear() {
        let mut problem = Problem::new(automaton.clone(), analysis.blocks);
        let found = unrolled(&mut problem, report, (analysis, budget), &mut replay);
        finding = found.or_else(|e| e.reason().map(|reason| Some(Finding::Unknown(reason))))?;
    }
    let mut run = |analysis: &AnalysisOptions, budget: &Budget| {
        let problem = Problem::new(automaton.clone(), analysis.blocks);
        let setting = (analysis, budget, given, keep_tree);
        let found = || -> Result<_, RefineError> {
            if analysis.algorithm.is_impact() {
                search(Labels::new(analysis, budget)?, problem, report, setting, &mut replay)
            } else {
                search(Predicates::new(analysis, budget)?, problem, report, setting, &mut replay)
            }
        };
        found().or_else(|e| e.reason().map(Finding::Unknown))
    };
    if finding.is_none()
        && let Some(attempt) = analysis.attempt()
    {
        let found = run(&attempt, &budget.trial(analysis.limits.attempt.work))?;
        let is_undecided = matches!(found, Finding::Unknown(_)) && budget.check().is_ok();
        finding = (!is_undecided).then_some(found);
    }
    let finding = finding.map_or_else(|| run(analysis, budget), Ok)?;
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

/// What all paths at once show, as long as they are short and few: no abstraction is needed then.
fn unrolled<X>(
    problem: &mut Problem,
    report: &mut Report<X>,
    (options, budget): (&AnalysisOptions, &Budget),
    observer: &mut dyn RefinementObserver,
) -> Result<Option<Finding<Invariant>>, RefineError> {
    let terms = &mut report.terms;
    let solvers = options.solvers(Purpose::Path);
    match unroll(terms, problem, solvers.solver()?, &options.limits.unrolling, budget)? {
        Unrolled::Complete(rounds) => {
            report.reduction.blocks = Size::of_blocks(report.reduction.sliced, &problem.summary);
            let start = Instant::now();
            let (proof, checkers) = (Invariant::bounded(rounds), options.checkers());
            let limits = options.limits.invariant;
            let checked = proof.check(terms, problem, || checkers.solver(), limits, budget);
            report.statistics.confirmation_time += start.elapsed();
            match checked {
                Ok(()) => Ok(Some(Finding::Safe(proof))),
                Err(InvariantError::Unknown(Unknown::Incomplete(_))) => Ok(None),
                Err(InvariantError::Unknown(unknown)) => Err(unknown.into()),
                Err(InvariantError::Solver(e)) => Err(e.into()),
                Err(wrong) => {
                    let what = "the unrolling does not prove the program safe";
                    Err(RefineError::Proof { what, why: wrong.to_string() })
                }
            }
        }
        Unrolled::Error(blocks) => {
            report.reduction.blocks = Size::of_blocks(report.reduction.sliced, &problem.summary);
            let formula = path::formula(terms, problem, &blocks);
            let found = feasible(terms, problem, (&blocks, &formula), &[], &solvers, budget)?;
            let Some(Some(execution)) = found else { return Ok(None) };
            let is_accepted = observer.accept(terms, &problem.automaton, &execution).is_ok();
            Ok(is_accepted.then_some(Finding::Error(execution)))
        }
        Unrolled::Longer | Unrolled::Hard => Ok(None),
    }
}

/// Explores a problem with an analysis, and puts what it found on the way into the report.
fn search<A: Analysis, X>(
    analysis: A,
    problem: Problem,
    report: &mut Report<X>,
    (options, budget, given, keep_tree): (&AnalysisOptions, &Budget, &[Term], bool),
    observer: &mut dyn RefinementObserver,
) -> Result<Finding<Invariant>, RefineError> {
    report.reduction.blocks = Size::of_blocks(report.reduction.sliced, &problem.summary);
    let mut tree = ReachabilityTree::new(problem, analysis, options.order);
    let given = given.iter().map(|&p| (None, p)).collect();
    tree.reached.analysis.track(&report.terms, given)?;
    let mut run = Cegar::new(tree, &mut report.terms, options, budget);
    let finding = run.decide(observer);
    report.predicates = run.model.reached.analysis.predicates();
    report.tree = keep_tree.then(|| run.model.reached.dot(run.context.terms));
    let earlier = std::mem::replace(&mut report.statistics, run.statistics);
    report.statistics.add(&earlier);
    finding
}
