//! Described control-flow automata.
//!
//! UNSAFE rests on the [interpreter](hardbop_cfa::execute) of the program as it was given: on the
//! values that were found, it reaches the error.  A path whose values are only approximations is no
//! error.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::interface::{PathOrigin, Prepared, Subject};
use super::started::Started;
use crate::options::Options;
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_cfa::execute::{Choices, Execution, execute};
use hardbop_cfa::{Automaton, Operation, Origin, Place, Program, known};
use hardbop_refine::block::execution::ErrorPath;
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::model::boolean::BooleanModel;
use hardbop_refine::model::skeleton::frame::Skeleton;
use hardbop_refine::model::text::names::SmtLib;
use hardbop_refine::model::text::program::{BooleanProgram, Text};
use hardbop_smt::{Symbol, Terms, Value};

/// A program of control-flow automata.
#[derive(Debug, Clone)]
pub struct Automata<'a> {
    program: &'a Program,
    /// The program and its store; `None` once it is prepared.
    terms: Terms,
    /// The program as it starts, once Boolean programs are made of it.
    started: Option<Started>,
}

impl<'a> Automata<'a> {
    /// The program, whose formulas are of this store; the report has the store afterwards.
    pub fn new(terms: Terms, program: &'a Program) -> Self {
        Self { program, terms, started: None }
    }
}

impl Subject for Automata<'_> {
    type Execution = Execution;

    fn prepare(&mut self, _: &Options, _: &Budget) -> Result<Prepared, UnknownReason> {
        Ok(Prepared {
            program: self.program.clone(),
            terms: std::mem::take(&mut self.terms),
            assumptions: vec![],
            pointers: FxHashSet::default(),
            floats: FxHashSet::default(),
            addresses: FxHashMap::default(),
            many: 0,
            has_arguments: false,
        })
    }

    fn started<'p>(&mut self, terms: &mut Terms, program: &'p Program) -> Cow<'p, Program> {
        let started = self.started.insert(Started::new(terms, program));
        Cow::Owned(started.program.clone())
    }

    fn replay(
        &self,
        terms: &Terms,
        (automaton, path): (&Automaton, &ErrorPath),
        origin: PathOrigin,
        budget: &Budget,
    ) -> Result<Execution, UnknownReason> {
        if let Some(place) = approximation(automaton, path) {
            let name = &self.program.functions[place.function as usize].name;
            let edge = place.instruction;
            let reason = format!("edge {edge} of '{name}' gives approximate values");
            return Err(UnknownReason::not_confirmed(reason));
        }
        let choices = match (origin, &self.started) {
            (PathOrigin::BooleanProgram(skeleton), Some(started)) => {
                started.choices(skeleton, automaton, path)
            }
            _ => choices(automaton, path),
        };
        execute(terms, self.program, &choices, budget)
            .map_err(|e| UnknownReason::not_confirmed(e.to_string()))
    }
}

/// The Boolean program of a program and the predicates, blocks and abstraction of the options.
///
/// # Errors
/// A solver fails, or the budget ends.
pub fn abstraction(
    terms: &mut Terms,
    program: &Program,
    options: &Options,
    budget: &Budget,
) -> Result<BooleanProgram, RefineError> {
    let started = Started::new(terms, program);
    let known = known::propagate(terms, &started.program, budget)?;
    let skeleton = Skeleton::new(terms, &known);
    let text = Text { source: None, naming: &SmtLib };
    let how = (&options.analysis, &options.engine);
    let mut model = BooleanModel::new(terms, &skeleton, how, &text, None, budget)?;
    model.track(terms, &options.predicates);
    model.abstraction(terms, budget)
}

/// The first edge of a path whose values are only approximated, so that they may not occur.
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
