//! The verdict on a program of control-flow automata.
//!
//! SAFE rests on an invariant that the other solver has checked.  UNSAFE rests on the
//! [interpreter](crate::program::cfa::execute) of the program as it was given: on the values that were found, it
//! reaches the error.  A path whose values are only approximations is no error.  By way of Boolean programs,
//! SAFE rests on what [`c2bp`](crate::refine::model::Run::decide) confirms.

mod boolean;

pub use boolean::abstraction;

use std::time::Instant;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::exploration::{Task, deeper, explore};
use super::{EXPLICIT_STATES, Phases, Reduction, Route, VerifyError, automaton};
use crate::base::budget::Budget;
use crate::boolean::engine;
use crate::program::cfa::execute::{Choices, Edges, Execution, execute};
use crate::program::cfa::expand::Limits;
use crate::program::cfa::{Automaton, Location, Operation, Origin, Place, Program, Step};
use crate::refine::model;
use crate::refine::tree::cegar::Observer;
use crate::refine::tree::{self, ErrorPath, Finding, Invariant, Statistics};
use crate::solve::smt::{Symbol, Term, Terms, Value};

/// Units of work after which the tree gets a program back whose recursion was too deep for it.
const BOOLEAN: u64 = 4_000_000;

/// How a program is checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Options {
    #[serde(flatten)]
    pub analysis: tree::Options,
    /// Activations of one function that may be open at once.  `None`: a few, and more where these are not
    /// enough, as long as the automaton stays small.  Without a meaning for Boolean programs.
    pub recursion: Option<u32>,
    pub route: Route,
    /// Who decides Boolean programs.
    pub engine: engine::Options,
    /// Tracked from the start ([`model::predicates`] reads them): formulas of the store that the program is of.
    #[serde(skip)]
    pub predicates: Vec<Term>,
}

impl Default for Options {
    fn default() -> Self {
        let analysis =
            tree::Options { explicit_states: EXPLICIT_STATES, ..tree::Options::default() };
        Self {
            analysis,
            recursion: None,
            route: Route::default(),
            engine: engine::Options::default(),
            predicates: vec![],
        }
    }
}

/// What is known of a program.
#[derive(Debug)]
pub enum Outcome {
    /// The error cannot be reached; invariants of the locations of the automaton between blocks (none of them
    /// where Boolean programs have decided).
    Safe(Invariant),
    /// It can.
    Unsafe(Box<Execution>),
    /// Why neither is known.
    Unknown(String),
}

/// Everything that a run leaves.
#[derive(Debug)]
pub struct Report {
    pub outcome: Outcome,
    pub statistics: Statistics,
    pub phases: Phases,
    pub reduction: Reduction,
    /// Of the program, with calls expanded.
    pub automaton: Automaton,
    /// What the route through Boolean programs took, and the predicates of the last one.
    pub boolean: Option<model::Statistics>,
    pub predicates: Vec<Term>,
}

/// Checks a program; `progress` is told now and then how far it is.
///
/// # Errors
/// A solver fails, or the invariant is wrong.  A budget that ends is an outcome, not an error.
pub fn check(
    terms: &mut Terms,
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(&Statistics),
) -> Result<Report, VerifyError> {
    let start = Instant::now();
    let mut report = Report {
        outcome: Outcome::Unknown(String::new()),
        statistics: Statistics::default(),
        phases: Phases::default(),
        reduction: Reduction::default(),
        automaton: Automaton::default(),
        boolean: None,
        predicates: vec![],
    };
    if options.route == Route::Bp {
        boolean::check((terms, program), options, budget, progress, &mut report)?;
        return Ok(report);
    }
    let mut limits = Limits::default();
    limits.recursion = options.recursion.unwrap_or(limits.recursion);
    match automaton(terms, program, &limits, budget, &mut report.reduction) {
        Ok(automaton) => report.automaton = automaton,
        Err(e) => {
            report.outcome = Outcome::Unknown(e.to_string());
            return Ok(report);
        }
    }
    report.phases.lowering = start.elapsed();
    let mut is_last = options.recursion.is_some();
    loop {
        let mut replay = Replay { program, budget, progress, is_last, execution: None };
        let analysis = &options.analysis;
        let task = Task { analysis, predicates: &options.predicates, keep_tree: false, budget };
        let size = report.reduction.sliced;
        let explored = explore(terms, &report.automaton, size, task, &mut replay)?;
        let execution = replay.execution.take();
        report.phases.analysis += explored.analysis;
        report.phases.confirmation += explored.confirmation;
        report.reduction.blocks = explored.blocks;
        report.statistics = explored.statistics;
        report.predicates = explored.predicates;
        report.outcome = match (explored.finding, execution) {
            (Finding::Safe(invariant), _) => Outcome::Safe(invariant),
            (Finding::Error(_), Some(execution)) => Outcome::Unsafe(Box::new(execution)),
            (Finding::Error(_), None) => Outcome::Unknown("an error path was not replayed".into()),
            (Finding::Unknown(reason), _) => Outcome::Unknown(reason),
            (Finding::TooDeep(goals), _) => {
                let start = Instant::now();
                let automata = (program, &report.automaton);
                let last = (budget, &mut report.reduction);
                match deeper(terms, automata, &mut limits, &goals, last) {
                    Some(automaton) => report.automaton = automaton,
                    None if options.route == Route::Auto => {
                        let trial = budget.trial(BOOLEAN);
                        boolean::check((terms, program), options, &trial, progress, &mut report)?;
                        if !matches!(report.outcome, Outcome::Unknown(_)) || budget.check().is_err()
                        {
                            return Ok(report);
                        }
                        report.boolean = None;
                        is_last = true;
                    }
                    None => is_last = true,
                }
                report.phases.lowering += start.elapsed();
                continue;
            }
        };
        return Ok(report);
    }
}

/// Replays the executions that the analysis finds.
struct Replay<'a> {
    program: &'a Program,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(&Statistics),
    /// No other automaton follows calls deeper.
    is_last: bool,
    execution: Option<Execution>,
}

impl Observer for Replay<'_> {
    fn progress(&mut self, statistics: &Statistics) {
        (self.progress)(statistics);
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
        self.execute(terms, (automaton, path), &choices(automaton, path))
    }
}

impl Replay<'_> {
    /// Executes the choices of a path.
    fn execute(
        &mut self,
        terms: &Terms,
        (automaton, path): (&Automaton, &ErrorPath),
        choices: &Choices,
    ) -> Result<(), String> {
        if let Some(place) = approximation(automaton, path) {
            let name = &self.program.functions[place.function as usize].name;
            return Err(format!(
                "an error that could not be confirmed: edge {} of '{name}' gives approximate values",
                place.instruction
            ));
        }
        match execute(terms, self.program, choices, self.budget) {
            Ok(execution) => {
                self.execution = Some(execution);
                Ok(())
            }
            Err(e) => Err(format!("an error that could not be confirmed: {e}")),
        }
    }
}

/// The first edge of a path after which nobody knows whether its values can occur.
fn approximation(automaton: &Automaton, path: &ErrorPath) -> Option<Place> {
    let edges = path.edges.iter().map(|&e| &automaton.edges[e as usize]);
    let mut unsure =
        edges.filter(|e| matches!(e.operation, Operation::Havoc(_, Origin::Approximation)));
    unsure.next().map(|e| e.place)
}

/// A path of the automaton, for the interpreter.
fn choices(automaton: &Automaton, path: &ErrorPath) -> Choices {
    let mut values = path.inputs.iter().peekable();
    let mut steps = vec![];
    for &e in &path.edges {
        let edge = &automaton.edges[e as usize];
        let value = values.next_if(|(at, _)| *at == e).map(|&(_, value)| value);
        // The first edge leads to the entry of `main`, and is no edge of the program.
        if edge.source != automaton.entry {
            steps.push((edge.place, value));
        }
    }
    let own = |&&(symbol, _): &&(Symbol, Value)| !automaton.copies.contains_key(&symbol);
    Choices { initial: path.initial.iter().filter(own).copied().collect(), steps }
}

/// A formula of an invariant, in terms of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationInvariant {
    pub function: usize,
    pub location: Location,
    /// The calls that are open, by their places, the first one first.
    pub calls: Vec<Place>,
    pub formula: Term,
}

/// The formulas of an invariant, in order of functions, locations and calls.
#[must_use]
pub fn invariants(
    program: &Program,
    automaton: &Automaton,
    invariant: &Invariant,
) -> Vec<LocationInvariant> {
    // Boolean programs decide without an automaton.
    if invariant.at.is_empty() {
        return vec![];
    }
    let places = locate(program, automaton);
    let mut all: Vec<LocationInvariant> = invariant
        .at
        .iter()
        .filter_map(|&(l, formula)| {
            let (frame, location) = places[l.index()]?;
            let function = automaton.frames[frame as usize].function;
            Some(LocationInvariant { function, location, calls: automaton.calls(frame), formula })
        })
        .collect();
    all.sort_by(|a, b| (a.function, a.location, &a.calls).cmp(&(b.function, b.location, &b.calls)));
    all
}

/// For each location of the automaton its activation, and the location there.
fn locate(program: &Program, automaton: &Automaton) -> Vec<Option<(u32, Location)>> {
    let edges = Edges::new(program);
    let frames = automaton.frames.iter().enumerate();
    let callees: FxHashMap<(u32, Place), u32> =
        frames.filter_map(|(i, f)| Some((f.caller?, i as u32))).collect();
    let calls = program.functions.iter().flat_map(|f| &f.edges);
    let returns: FxHashMap<Place, Location> = calls
        .filter(|e| matches!(e.step, Step::Call { .. }))
        .map(|e| (e.place, e.target))
        .collect();
    let outgoing = automaton.outgoing();
    let mut places = vec![None; automaton.locations as usize];
    let main = program.functions[program.main].entry;
    let mut todo: Vec<(Location, (u32, Location))> = vec![];
    for &e in &outgoing[automaton.entry.index()] {
        todo.push((automaton.edges[e as usize].target, (0, main)));
    }
    while let Some((location, here)) = todo.pop() {
        if places[location.index()].replace(here).is_some() {
            continue;
        }
        let (frame, at) = here;
        let function = automaton.frames[frame as usize].function;
        for &e in &outgoing[location.index()] {
            let edge = &automaton.edges[e as usize];
            let caller = automaton.frames[frame as usize].caller;
            let next = match caller {
                Some((caller, place)) if at == program.functions[function].exit => {
                    returns.get(&place).map(|&target| (caller, target))
                }
                _ => edges.find(program, (function, at), edge.place).and_then(|found| match &found
                    .step
                {
                    Step::Call { callee, .. } => {
                        let frame = *callees.get(&(frame, edge.place))?;
                        Some((frame, program.functions[*callee].entry))
                    }
                    _ => Some((frame, found.target)),
                }),
            };
            // Goals have no place.
            if let Some(next) = next.filter(|_| automaton.goal(edge.target).is_none()) {
                todo.push((edge.target, next));
            }
        }
    }
    places
}
