//! A function of the program by itself: a separate automaton whose blocks end at calls.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::block::operator::{BlockOperator, Blocks};
use crate::block::problem::Problem;
use hardbop_base::source::Span;
use hardbop_cfa::live::Liveness;
use hardbop_cfa::prune::prune;
use hardbop_cfa::{
    Automaton, Cut, Edge, Frame, Function, Goal, Location, Operation, Place, Program, Step,
};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// Index into [`Program::functions`].
    pub callee: usize,
    /// The arguments for the callee's parameters, over the caller's variables.
    pub arguments: Vec<Term>,
    pub result: Option<Symbol>,
    pub place: Place,
    /// The caller's locations before and after the call.
    pub site: Location,
    pub back: Location,
}

/// A function's own automaton, in which a call is one `Skip` edge between two cuts.
pub struct Procedure {
    pub automaton: Arc<Automaton>,
    /// The location after all returns; `None` if it never returns.
    pub exit: Option<Location>,
    /// The calls that are reachable in the graph.
    pub calls: Vec<Call>,
}

/// The variables that may be read after the function is left, or in the functions that it calls.
pub struct Outside<'a> {
    /// The function's result, and the variables through which others see its changes.
    pub at_exit: &'a [Symbol],
    /// Variables that are not local to any function.
    pub globals: &'a [Symbol],
}

impl Procedure {
    /// The automaton of a function, without parts that lead nowhere.
    pub fn new(program: &Program, number: usize) -> Self {
        let function = &program.functions[number];
        let mut draft = Draft::new(function, number);
        let mut calls = vec![];
        for edge in &function.edges {
            let (source, target) = (at(edge.source), at(edge.target));
            match &edge.step {
                Step::Operation(operation) => {
                    draft.edge(source, target, operation.clone(), edge.place);
                }
                Step::Error => {
                    let goal = draft.goal(Goal::Error);
                    draft.edge(source, goal, Operation::Skip, edge.place);
                }
                Step::Unsupported(reason) => {
                    let goal = draft.goal(Goal::Unsupported(reason.clone(), edge.place));
                    draft.edge(source, goal, Operation::Skip, edge.place);
                }
                Step::Call { callee, arguments, result } => {
                    let number = calls.len() as u32;
                    let (site, back) = (draft.location(), draft.location());
                    draft.edge(source, site, Operation::Skip, edge.place);
                    draft.edge(site, back, Operation::Skip, edge.place);
                    draft.edge(back, target, Operation::Skip, edge.place);
                    draft.0.cuts.push((site, Cut::Call(number)));
                    draft.0.cuts.push((back, Cut::Return(number)));
                    let (callee, result, place) = (*callee, *result, edge.place);
                    let arguments = arguments.clone();
                    calls.push(Call { callee, arguments, result, place, site, back });
                }
            }
        }
        let automaton = prune(draft.0);
        let find = |cut: Cut| automaton.cuts.iter().find(|(_, c)| *c == cut).map(|(l, _)| *l);
        let exit = find(Cut::Exit);
        let calls = (0..).zip(calls).filter_map(|(i, call)| {
            let (site, back) = (find(Cut::Call(i))?, find(Cut::Return(i))?);
            Some(Call { site, back, ..call })
        });
        let calls = calls.collect();
        Self { exit, calls, automaton: Arc::new(automaton) }
    }

    /// The function's blocks; variables that may be read outside count as live at its exit and at
    /// calls.
    pub fn problem(&self, terms: &mut Terms, blocks: Blocks, outside: &Outside) -> Problem {
        let summary = blocks.divide(&self.automaton);
        let mut further: Vec<(Location, Symbol)> = vec![];
        if let Some(exit) = self.exit {
            further.extend(outside.at_exit.iter().map(|&s| (exit, s)));
        }
        for call in &self.calls {
            further.extend(outside.globals.iter().map(|&s| (call.site, s)));
            for leaf in terms.support_of(&call.arguments) {
                if let Node::Variable(s) = *terms.node(leaf) {
                    further.push((call.site, s));
                }
            }
        }
        let live = Liveness::with_uses(terms, &self.automaton, &further);
        Problem::with_blocks(self.automaton.clone(), summary, live)
    }

    /// The call at a location.
    pub fn call_at(&self, site: Location) -> Option<usize> {
        self.calls.iter().position(|c| c.site == site)
    }

    /// The variables that it changes itself, among them those that take results; not those that its
    /// calls change.
    pub fn changes(&self) -> FxHashSet<Symbol> {
        let edges = self.automaton.edges.iter();
        let changes = edges.flat_map(|e| e.operation.changes().map(|(s, _)| s));
        changes.chain(self.calls.iter().filter_map(|call| call.result)).collect()
    }
}

const NOWHERE: Place =
    Place { function: 0, instruction: Place::NOWHERE, span: Span { start: 0, end: 0 } };

/// Shifts a location of the function to make room for the new entry.
fn at(location: Location) -> Location {
    Location(location.0 + 1)
}

struct Draft(Automaton);

impl Draft {
    fn new(function: &Function, number: usize) -> Self {
        let mut draft = Self(Automaton {
            entry: Location(0),
            locations: function.locations + 1,
            frames: vec![Frame { function: number, caller: None }],
            cuts: vec![(at(function.exit), Cut::Exit)],
            ..Automaton::default()
        });
        let first = function.edges.first().map(|e| e.place);
        let place = Place { instruction: Place::NOWHERE, ..first.unwrap_or(NOWHERE) };
        // No edge leads to the entry of an automaton.
        draft.edge(Location(0), at(function.entry), Operation::Skip, place);
        draft
    }

    fn location(&mut self) -> Location {
        self.0.locations += 1;
        Location(self.0.locations - 1)
    }

    fn edge(&mut self, source: Location, target: Location, operation: Operation, place: Place) {
        self.0.edges.push(Edge { source, target, operation, place, frame: 0 });
    }

    /// The location of a goal; all error goals share one.
    fn goal(&mut self, goal: Goal) -> Location {
        let known = self.0.goals.iter().find(|(_, g)| *g == goal).map(|(l, _)| *l);
        known.unwrap_or_else(|| {
            let location = self.location();
            self.0.goals.push((location, goal));
            location
        })
    }
}
