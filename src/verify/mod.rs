//! A C program's verdict: control flow becomes automata, the analysis explores them, and the concrete
//! interpreter has the last word on every error.
//!
//! SAFE rests on the automata, which do all that the program does under the printed assumptions, and
//! on the invariant, which a solver that the analysis did not use has checked.  UNSAFE rests on the
//! interpreter alone: the program text, executed on the inputs that were found, reaches the error.

mod reduction;
mod testing;
mod witness;

pub use reduction::{Reduction, Size};

use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::budget::{Budget, Exhausted};
use crate::c::execute::{self, Execution, Recording};
use crate::c::flow::Flow;
use crate::c::lower::{self, Assumption, LowerError, Part};
use crate::cfa::constant::propagate;
use crate::cfa::expand::{ExpandError, Limits, expand};
use crate::cfa::prune::prune;
use crate::cfa::slice::slice;
use crate::cfa::{Automaton, Program};
use crate::cpa::cegar::{Observer, Run};
use crate::cpa::invariant::InvariantError;
use crate::cpa::options::Options as Analysis;
use crate::cpa::{self, Blocks, CpaError, ErrorPath, Finding, Invariant, Problem, Statistics};
use crate::smt::{Purpose, SmtError, SolverKind, Solvers, Symbol, Term, Terms, Unknown};

/// How a program is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub analysis: cpa::Options,
    /// `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// Executions on zeros and random inputs that are tried before anything is proved.
    pub executions: u32,
    /// Activations of one function that may be open at once.
    pub recursion: Option<u32>,
    /// The report has the tree.
    pub keep_tree: bool,
}

/// What is known of the program.
#[derive(Debug)]
pub enum Outcome {
    /// The error cannot be reached; invariants of the locations between blocks.
    Safe(Invariant),
    /// It can: an execution of the program text.
    Unsafe(Box<Execution>),
    /// Why neither is known.
    Unknown(String),
}

/// Time by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Phases {
    /// Executions that look for the error.
    pub testing: Duration,
    /// From control flow to one automaton.
    pub lowering: Duration,
    pub analysis: Duration,
    /// Check of the invariant, or replay of executions.
    pub confirmation: Duration,
}

/// Everything that a run leaves.
pub struct Report {
    pub outcome: Outcome,
    pub statistics: Statistics,
    pub phases: Phases,
    pub reduction: Reduction,
    /// What the automata take for granted, and what an error rests on besides the program text.
    pub assumptions: Vec<Assumption>,
    pub automaton: Automaton,
    pub terms: Terms,
    /// The variables that hold pointers, and the objects at addresses.
    pub pointers: FxHashSet<Symbol>,
    pub addresses: FxHashMap<u64, String>,
    /// All predicates, over program variables.
    pub predicates: Vec<Term>,
    /// The tree at the end, in DOT, where it was asked for.
    pub tree: Option<String>,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// The analysis found an invariant that the check rejects: a mistake in hardbop.
    #[error("the invariant does not prove the program safe: {0}")]
    Invariant(InvariantError),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

/// The program's automata as one, without what cannot matter; `reduction` gets the sizes.
///
/// # Errors
/// It gets too large, or the budget ends.
pub fn automaton(
    terms: &mut Terms,
    program: &Program,
    options: &Options,
    budget: &Budget,
    reduction: &mut Reduction,
) -> Result<Automaton, ExpandError> {
    let limits = Limits::default();
    let limits = Limits { recursion: options.recursion.unwrap_or(limits.recursion), ..limits };
    let automaton = prune(expand(terms, program, limits, budget)?);
    reduction.expanded = Size::of_automaton(terms, &automaton);
    let automaton = propagate(terms, automaton, budget)?;
    let automaton = slice(terms, automaton);
    reduction.sliced = Size::of_automaton(terms, &automaton);
    Ok(automaton)
}

/// Where variables are in memory.
type Parts = FxHashMap<Symbol, Part>;

/// What the caller sees of a run.
pub trait Watcher {
    fn progress(&mut self, _statistics: &Statistics) {}
    /// What is tracked everywhere from the start: formulas over the variables of the automaton, all of
    /// which the store knows by now.
    fn predicates(&mut self, _terms: &mut Terms) -> Vec<Term> {
        vec![]
    }
}

impl Watcher for () {}

/// Checks a program.
///
/// # Errors
/// A solver fails, or the invariant is wrong.  A budget that ends is an outcome, not an error.
pub fn check(
    flow: &Flow,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report, VerifyError> {
    let start = Instant::now();
    let mut report = Report {
        outcome: Outcome::Unknown(String::new()),
        statistics: Statistics::default(),
        phases: Phases::default(),
        reduction: Reduction { parsed: Size::of_flow(flow), ..Reduction::default() },
        assumptions: vec![],
        automaton: Automaton::default(),
        terms: Terms::new(),
        pointers: FxHashSet::default(),
        addresses: FxHashMap::default(),
        predicates: vec![],
        tree: None,
    };
    if let Some(execution) = testing::search(flow, options.executions, budget) {
        report.phases.testing = start.elapsed();
        report.found(execution);
        return Ok(report);
    }
    report.phases.testing = start.elapsed();
    let start = Instant::now();
    let memory =
        lower::Options { malloc_may_fail: options.malloc_may_fail, ..lower::Options::default() };
    let lowered = match lower::lower(flow, &mut report.terms, memory, budget) {
        Ok(lowered) => lowered,
        Err(LowerError::Exhausted(e)) => return Ok(report.unknown(e)),
        Err(e) => return Ok(report.unknown(e)),
    };
    report.assumptions = lowered.assumptions;
    report.addresses = lowered.addresses;
    let parts = lowered.parts;
    match automaton(&mut report.terms, &lowered.program, options, budget, &mut report.reduction) {
        Ok(automaton) => report.automaton = automaton,
        Err(e) => return Ok(report.unknown(e)),
    }
    report.pointers = parts.iter().filter(|(_, part)| part.is_pointer).map(|(&s, _)| s).collect();
    let copies = report.automaton.copies.iter();
    let copies = copies.filter(|(_, of)| report.pointers.contains(of)).map(|(&s, _)| s);
    let copies: Vec<Symbol> = copies.collect();
    report.pointers.extend(copies);
    report.phases.lowering = start.elapsed();
    analyse((flow, &parts), options, budget, watcher, &mut report)?;
    Ok(report)
}

impl Report {
    /// An execution reaches the error.
    fn found(&mut self, execution: Execution) {
        if execution.inputs.iter().any(|i| i.input.object) {
            self.assumptions.push(Assumption::OutsideObjects);
        }
        self.outcome = Outcome::Unsafe(Box::new(execution));
    }

    fn unknown(mut self, reason: impl ToString) -> Self {
        self.outcome = Outcome::Unknown(reason.to_string());
        self
    }
}

fn analyse(
    (flow, parts): (&Flow, &Parts),
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
    report: &mut Report,
) -> Result<(), VerifyError> {
    let Report { automaton, terms, .. } = report;
    let mut problem = Problem::new(automaton, options.analysis.blocks);
    report.reduction.blocks = Size::of_blocks(report.reduction.sliced, &problem.summary);
    let start = Instant::now();
    let predicates = watcher.predicates(terms);
    let mut replay =
        Replay { flow, parts, automaton, budget, watcher, execution: None, time: Duration::ZERO };
    let ended = |e: CpaError| match e {
        CpaError::Solver(e) => Err(VerifyError::Solver(e)),
        other => Ok(Finding::Unknown(words(&other))),
    };
    let (finding, statistics, predicates, tree) =
        match Run::new(terms, &mut problem, &options.analysis, budget) {
            Err(e) => (ended(e)?, Statistics::default(), vec![], None),
            Ok(mut run) => {
                let finding = cpa::check(&mut run, &predicates, &mut replay).or_else(ended)?;
                let predicates = run.vocabulary.terms().collect();
                let tree = options.keep_tree.then(|| run.dot());
                (finding, run.statistics, predicates, tree)
            }
        };
    let (execution, replaying) = (replay.execution.take(), replay.time);
    report.phases.analysis = start.elapsed().saturating_sub(replaying);
    report.phases.confirmation = replaying;
    report.statistics = statistics;
    report.predicates = predicates;
    report.tree = tree;
    report.outcome = match finding {
        Finding::Unknown(reason) => Outcome::Unknown(reason),
        Finding::Error(_) => match execution {
            Some(execution) => {
                report.found(execution);
                return Ok(());
            }
            None => Outcome::Unknown("an error path was not replayed".into()),
        },
        Finding::Safe(invariant) => {
            let start = Instant::now();
            let Analysis { solver, log, .. } = &options.analysis;
            let solvers = Solvers::new(solver.other(), log.as_ref(), Purpose::Invariant);
            let checked = invariant.check(terms, &mut problem, || solvers.solver(), budget);
            report.phases.confirmation += start.elapsed();
            match checked {
                Ok(()) => Outcome::Safe(invariant),
                Err(InvariantError::Unknown(Unknown::Exhausted(e))) => {
                    Outcome::Unknown(e.to_string())
                }
                Err(InvariantError::Unknown(e)) => {
                    Outcome::Unknown(format!("the invariant could not be checked: {e}"))
                }
                Err(InvariantError::Solver(e)) => return Err(e.into()),
                Err(wrong) if *solver == SolverKind::Linear => Outcome::Unknown(format!(
                    "the proof holds for unbounded integers only: {wrong}"
                )),
                Err(wrong) => return Err(VerifyError::Invariant(wrong)),
            }
        }
    };
    Ok(())
}

fn words(error: &CpaError) -> String {
    match error {
        CpaError::Unknown(Unknown::Exhausted(e)) => e.to_string(),
        other => other.to_string(),
    }
}

/// Replays the executions that the analysis finds.
struct Replay<'a> {
    flow: &'a Flow,
    parts: &'a Parts,
    automaton: &'a Automaton,
    budget: &'a Budget,
    watcher: &'a mut dyn Watcher,
    execution: Option<Execution>,
    time: Duration,
}

impl Observer for Replay<'_> {
    fn progress(&mut self, statistics: &Statistics) {
        self.watcher.progress(statistics);
    }

    fn accept(&mut self, terms: &Terms, path: &ErrorPath) -> Result<(), String> {
        let start = Instant::now();
        let trace = witness::trace(self.flow, self.parts, self.automaton, terms, path);
        let options = execute::Options {
            record: Recording::Values,
            budget: self.budget.clone(),
            ..execute::Options::default()
        };
        let replayed = execute::replay(self.flow, &trace, &options);
        self.time += start.elapsed();
        match replayed {
            Ok(execution) => {
                self.execution = Some(execution);
                Ok(())
            }
            Err(e) => {
                let reason = witness::approximation(self.flow, self.automaton, path);
                let reason = reason.map_or(String::new(), |r| format!(" ({r})"));
                Err(format!("an error that could not be confirmed: {e}{reason}"))
            }
        }
    }
}

/// Large or single blocks, for the preset names of the paper.
pub fn preset(name: &str) -> Option<cpa::Options> {
    use crate::predicate::abstraction::Abstraction::{Boolean, Cartesian};
    let (blocks, abstraction) = match name {
        "sbe-cartesian" => (Blocks::Single, Cartesian),
        "sbe-boolean" => (Blocks::Single, Boolean),
        "lbe-cartesian" => (Blocks::Large, Cartesian),
        "lbe-boolean" => (Blocks::Large, Boolean),
        _ => return None,
    };
    Some(cpa::Options { blocks, abstraction, ..cpa::Options::default() })
}

impl From<Exhausted> for Outcome {
    fn from(e: Exhausted) -> Self {
        Self::Unknown(e.to_string())
    }
}
