//! The route through Boolean programs.

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Options, Outcome, Replay, Report};
use crate::base::budget::Budget;
use crate::base::source::Span;
use crate::program::cfa::execute::Choices;
use crate::program::cfa::{Automaton, CallEdge, Function, Location, Place, Program, Step, known};
use crate::refine::model::{self, BooleanProgram, C2bpError, Finding, Run, Skeleton, SmtLib, Text};
use crate::refine::predicate::abstraction::AbstractionError;
use crate::refine::tree::{ErrorPath, Invariant, Statistics};
use crate::solve::smt::{Symbol, Terms, Value};
use crate::verify::VerifyError;
use crate::verify::boolean::ended;

/// The Boolean program of a program and the predicates, blocks and abstraction of the options.
///
/// # Errors
/// A solver fails, or the budget ends.
pub fn abstraction(
    terms: &mut Terms,
    program: &Program,
    options: &Options,
    budget: &Budget,
) -> Result<BooleanProgram, C2bpError> {
    let started = Started::new(terms, program);
    let known = known::propagate(terms, &started.program, budget)
        .map_err(|e| AbstractionError::Unknown(e.into()))?;
    let skeleton = Skeleton::new(terms, &known);
    let text = Text { source: None, naming: &SmtLib };
    let mut run = Run::new(terms, &skeleton, &how(options), &text, None, budget)?;
    run.add(&options.predicates);
    run.abstraction()
}

fn how(options: &Options) -> model::Options {
    model::Options { analysis: options.analysis.clone(), engine: options.engine.clone() }
}

/// The result is in the report.
pub(super) fn check(
    (terms, program): (&mut Terms, &Program),
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(&Statistics),
    report: &mut Report,
) -> Result<(), VerifyError> {
    let start = Instant::now();
    let started = Started::new(terms, program);
    let known = match known::propagate(terms, &started.program, budget) {
        Ok(known) => known,
        Err(e) => {
            report.outcome = Outcome::Unknown(e.to_string());
            return Ok(());
        }
    };
    let skeleton = Skeleton::new(terms, &known);
    let text = Text { source: None, naming: &SmtLib };
    let replay = Replay { program, budget, progress, is_last: true, execution: None };
    let mut rounds = Rounds { replay, started: &started, skeleton: &skeleton };
    let finding = match Run::new(terms, &skeleton, &how(options), &text, None, budget) {
        Err(e) => ended(e)?,
        Ok(mut run) => {
            run.add(&options.predicates);
            let finding = run.decide(&mut rounds).or_else(ended)?;
            run.count();
            let confirmation = run.statistics.confirmation_time;
            report.phases.confirmation += confirmation;
            report.phases.analysis += start.elapsed().saturating_sub(confirmation);
            report.predicates = run.predicates.all().collect();
            report.boolean = Some(run.statistics);
            finding
        }
    };
    report.outcome = match (finding, rounds.replay.execution) {
        (Finding::Safe(..), _) => Outcome::Safe(Invariant::default()),
        (Finding::Error(..), Some(execution)) => Outcome::Unsafe(Box::new(execution)),
        (Finding::Error(..), None) => Outcome::Unknown("an error path was not replayed".into()),
        (Finding::Unknown(reason), _) => Outcome::Unknown(reason),
    };
    Ok(())
}

/// A program whose `main` nobody calls: where somebody does, a function in front of it is another one.
struct Started {
    program: Program,
    /// Is there a function in front of `main`?
    is_other: bool,
    /// The parameters of `main`, by the variables that they get their first values of.
    parameters: FxHashMap<Symbol, Symbol>,
    /// Edges that call.
    calls: FxHashSet<Place>,
}

impl Started {
    fn new(terms: &mut Terms, program: &Program) -> Self {
        let mut program = program.clone();
        let main = program.main;
        let edges = program.functions.iter().flat_map(|f| &f.edges);
        let calls = edges.filter(|e| matches!(e.step, Step::Call { .. }));
        let is_other =
            calls.clone().any(|e| matches!(e.step, Step::Call { callee, .. } if callee == main));
        let calls = calls.map(|e| e.place).collect();
        let formals = program.functions[main].parameters.clone();
        if !is_other {
            let parameters = formals.into_iter().map(|p| (p, p)).collect();
            return Self { program, is_other, parameters, calls };
        }
        let mut locals = vec![];
        for &formal in &formals {
            let name = format!("{} at the start", terms.name(formal));
            locals.push(terms.fresh(&name, terms.symbol_sort(formal)));
        }
        let arguments = locals.iter().map(|&s| terms.variable(s)).collect();
        let nowhere =
            Place { function: main as u32, instruction: Place::NOWHERE, span: Span::default() };
        let call = CallEdge {
            source: Location(0),
            target: Location(1),
            step: Step::Call { callee: main, arguments, result: None },
            place: nowhere,
        };
        program.main = program.functions.len();
        program.functions.push(Function {
            name: "(start)".into(),
            entry: Location(0),
            exit: Location(1),
            locations: 2,
            edges: vec![call],
            parameters: vec![],
            result: None,
            locals: locals.clone(),
        });
        let parameters = locals.into_iter().zip(formals).collect();
        Self { program, is_other, parameters, calls }
    }
}

/// What the caller sees of the rounds.
struct Rounds<'a> {
    replay: Replay<'a>,
    started: &'a Started,
    skeleton: &'a Skeleton<'a>,
}

impl model::Observer for Rounds<'_> {
    fn progress(&mut self, s: &model::Statistics) {
        // What both routes count.
        let common = Statistics {
            refinements: s.rounds.saturating_sub(1),
            predicates: s.predicates,
            ..Statistics::default()
        };
        (self.replay.progress)(&common);
    }

    fn accept(
        &mut self,
        terms: &Terms,
        automaton: &Automaton,
        path: &ErrorPath,
    ) -> Result<(), String> {
        let choices = self.choices(automaton, path);
        self.replay.execute(terms, (automaton, path), &choices)
    }
}

impl Rounds<'_> {
    /// A path of an automaton that c2bp made of a counterexample, for the interpreter.
    ///
    /// Its edges are those of the program, and some more: the first one of all and of each activation, and
    /// one before and after each edge that calls, as well as after the one that returns, with its place.
    fn choices(&self, automaton: &Automaton, path: &ErrorPath) -> Choices {
        let mut values = path.inputs.iter().peekable();
        let mut steps: Vec<(Place, Option<Value>)> = vec![];
        let mut entered = vec![false; automaton.frames.len()];
        let mut last = 0;
        for (i, &e) in path.edges.iter().enumerate() {
            let edge = &automaton.edges[e as usize];
            let value = values.next_if(|(at, _)| *at == e).map(|&(_, value)| value);
            let frame = edge.frame as usize;
            let before = std::mem::replace(&mut last, frame);
            if edge.source == automaton.entry || self.started.is_other && frame == 0 {
                continue;
            }
            if !std::mem::replace(&mut entered[frame], true) {
                continue;
            }
            if self.started.calls.contains(&edge.place) {
                // An activation's first edge follows the one that calls, and its last edge comes before the one
                // that returns.
                let next =
                    path.edges.get(i + 1).map(|&e| automaton.edges[e as usize].frame as usize);
                let is_call = next.is_some_and(|next| next != frame && !entered[next]);
                if !is_call && before == frame {
                    continue;
                }
            }
            steps.push((edge.place, value));
        }
        let mut initial = FxHashMap::default();
        for &(symbol, value) in &path.initial {
            if let Some(&parameter) = self.started.parameters.get(&symbol) {
                initial.insert(parameter, value);
            } else if self.skeleton.is_global(symbol) {
                initial.insert(symbol, value);
            }
        }
        Choices { initial, steps }
    }
}
