//! A C program's verdict: control flow becomes automata, the analysis explores them, and the concrete
//! interpreter has the last word on every error.  [`automata`] does the same for automata that somebody
//! else has made.
//!
//! SAFE rests on the automata, which do all that the program does under the printed assumptions, and
//! on the invariant, which a solver that the analysis did not use has checked.  UNSAFE rests on the
//! interpreter alone: the program text, executed on the inputs that were found, reaches the error.

pub mod automata;
mod boolean;
mod exploration;
mod reduction;
mod routes;
mod testing;
mod tree;
mod witness;

pub use reduction::{Reduction, Size};

use std::num::NonZeroUsize;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::budget::{Budget, Exhausted};
use crate::boolean::engine;
use crate::program::c::execute::{self, Execution, Owner, Recording, ReplayError};
use crate::program::c::flow::{Flow, FunctionId};
use crate::program::c::lower::{self, Assumption, LowerError, Lowered, Model, Part};
use crate::program::c::memory::ObjectKind;
use crate::program::c::trace::InputKind;
use crate::program::cfa::constant::propagate;
use crate::program::cfa::expand::{ExpandError, Limits, expand};
use crate::program::cfa::prune::prune;
use crate::program::cfa::slice::slice;
use crate::program::cfa::{Automaton, Program};
use crate::refine::model::{self, C2bpError, Cache, Naming, SmtLib};
use crate::refine::tree::cegar::Observer;
use crate::refine::tree::invariant::InvariantError;
use crate::refine::tree::{ErrorPath, Invariant, Options as Analysis, Statistics};
use crate::solve::smt::{SmtError, Symbol, Term, Terms};

/// [`Options::executions`] where nobody says anything else.
pub const EXECUTIONS: u32 = 100;
/// [`Analysis::explicit_states`] where nobody says anything else.
pub const EXPLICIT_STATES: u64 = 2000;

/// How a verdict is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// The tree, and Boolean programs for recursion and where the tree has no answer; with `--threads 2`
    /// both at once.
    ///
    /// Recursive programs by the tree as long as it needs no predicates and calls are few, then through Boolean
    /// programs, then by the tree; others by the tree, and through Boolean programs where it has no answer.
    /// With several threads ([`Options::engine`]) both at once.
    #[default]
    Auto,
    /// The abstract reachability tree.
    Tree,
    /// Abstraction to Boolean programs, one procedure per function, which their engines decide.
    Bp,
}

/// How a program is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub analysis: Analysis,
    pub route: Route,
    /// Who decides Boolean programs.
    pub engine: engine::Options,
    /// `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// How much of memory the automata have.
    pub memory: Model,
    /// Executions on zeros and random inputs that are tried before anything is proved.
    pub executions: u32,
    /// Activations of one function that may be open at once.  `None`: a few, and more where these are not
    /// enough, as long as the automaton stays small.
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
    /// What the route through Boolean programs took.
    pub boolean: Option<model::Statistics>,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// The analysis found an invariant that the check rejects: a mistake in hardbop.
    #[error("the invariant does not prove the program safe: {0}")]
    Invariant(InvariantError),
    /// One route says SAFE, the other UNSAFE: a mistake in hardbop.
    #[error("internal error: the routes disagree about the verdict")]
    Disagreement,
    #[error("no thread can be started: {0}")]
    Thread(String),
    /// A Boolean program or its engine is wrong: a mistake in hardbop.
    #[error(transparent)]
    Boolean(C2bpError),
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
    limits: &Limits,
    budget: &Budget,
    reduction: &mut Reduction,
) -> Result<Automaton, ExpandError> {
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
    /// The same while Boolean programs are made and checked.
    fn boolean_progress(&mut self, _statistics: &model::Statistics) {}
    /// The Boolean program of a round, from 1.
    fn round(&mut self, _number: u64, _program: &model::BooleanProgram) {}
    /// What predicates are called in Boolean programs: SMT-LIB text, unless there is something better.
    /// `pointers` are the variables that hold some, `addresses` the names of the objects there.
    fn naming(
        &mut self,
        _pointers: &FxHashSet<Symbol>,
        _addresses: &FxHashMap<u64, String>,
    ) -> Box<dyn Naming> {
        Box::new(SmtLib)
    }
    /// What keeps abstractions of blocks from one run to the next.
    fn cache(&mut self) -> Option<Rc<dyn Cache>> {
        None
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
    if options.route == Route::Auto && options.engine.threads > NonZeroUsize::MIN {
        return routes::race(flow, options, budget);
    }
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
        boolean: None,
    };
    if let Some(execution) = testing::search(flow, options.executions, budget) {
        report.phases.testing = start.elapsed();
        report.found(flow, execution);
        return Ok(report);
    }
    report.phases.testing = start.elapsed();
    let start = Instant::now();
    let memory = lower::Options {
        malloc_may_fail: options.malloc_may_fail,
        model: options.memory,
        ..lower::Options::default()
    };
    let lowered = match lower::lower(flow, &mut report.terms, memory, budget) {
        Ok(lowered) => lowered,
        Err(LowerError::Exhausted(e)) => return Ok(report.unknown(e)),
        Err(e) => return Ok(report.unknown(e)),
    };
    report.assumptions.clone_from(&lowered.assumptions);
    report.addresses.clone_from(&lowered.addresses);
    let pointers = lowered.parts.iter().filter(|(_, part)| part.is_pointer);
    let pointers = pointers.map(|(&s, _)| s).collect();
    report.phases.lowering = start.elapsed();
    let prepared = Prepared { lowered, pointers };
    routes::check(flow, &prepared, options, budget, watcher, &mut report)?;
    Ok(report)
}

/// A program as automata.
struct Prepared {
    lowered: Lowered,
    /// Its variables that hold pointers.
    pointers: FxHashSet<Symbol>,
}

impl Report {
    /// An execution reaches the error.
    fn found(&mut self, flow: &Flow, execution: Execution) {
        // Those of the model may be more than the execution needs.
        self.assumptions.retain(|a| !a.concerns_errors());
        let larger = execution.larger.iter().filter_map(|larger| {
            let object = match larger.owner {
                Owner::Variable(variable) => ObjectKind::Variable(variable),
                Owner::Block { edge, .. } => {
                    ObjectKind::Allocation(FunctionId(edge.function), edge.edge)
                }
            };
            Assumption::larger(flow, object, larger.ty)
        });
        self.assumptions.extend(larger);
        for input in execution.inputs.iter().map(|i| &i.input).filter(|i| i.object) {
            let assumption = match input.kind {
                InputKind::Address { number } => Assumption::ObjectAt(number),
                _ => Assumption::OutsideObjects,
            };
            if !self.assumptions.contains(&assumption) {
                self.assumptions.push(assumption);
            }
        }
        self.outcome = Outcome::Unsafe(Box::new(execution));
    }

    fn unknown(mut self, reason: impl ToString) -> Self {
        self.outcome = Outcome::Unknown(reason.to_string());
        self
    }
}

/// Replays the executions that the analysis finds.
struct Replay<'a> {
    flow: &'a Flow,
    parts: &'a Parts,
    budget: &'a Budget,
    watcher: &'a mut dyn Watcher,
    /// No other automaton follows calls deeper.
    is_last: bool,
    execution: Option<Execution>,
    time: Duration,
}

impl Observer for Replay<'_> {
    fn progress(&mut self, statistics: &Statistics) {
        self.watcher.progress(statistics);
    }

    fn goes_deeper(&self) -> bool {
        !self.is_last
    }

    fn accept(
        &mut self,
        terms: &Terms,
        automaton: &Automaton,
        path: &ErrorPath,
    ) -> Result<(), String> {
        let start = Instant::now();
        let trace = witness::trace(self.flow, self.parts, automaton, terms, path);
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
                let reason = witness::approximation(self.flow, automaton, path);
                let reason = reason.map_or(String::new(), |r| format!(" ({r})"));
                let line = match &e {
                    ReplayError::Fault { span, .. } | ReplayError::Unsupported { span, .. } => {
                        format!(" in line {}", self.flow.source.position(span.start).line)
                    }
                    _ => String::new(),
                };
                Err(format!("an error that could not be confirmed: {e}{line}{reason}"))
            }
        }
    }
}

impl From<Exhausted> for Outcome {
    fn from(e: Exhausted) -> Self {
        Self::Unknown(e.to_string())
    }
}
