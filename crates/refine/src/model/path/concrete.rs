//! An abstract counterexample as a path of the program: a separate automaton in which every
//! activation has its own variables.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::block::problem::Problem;
use crate::model::skeleton::frame::Skeleton;
use crate::model::text::program::{BooleanProgram, Meaning};
use hardbop_bp::language::trace::Trace;
use hardbop_cfa::summarise::{Block, Point, Summary};
use hardbop_cfa::{Automaton, Edge, Frame, Goal, Location, Operation, Place};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// An activation of a function on the path.
#[derive(Debug, Clone)]
pub struct Activation {
    pub function: usize,
    /// The activation's variables by those of the function, where their names differ.
    own: FxHashMap<Symbol, Symbol>,
    /// The segments of its call and of its return.
    pub call: Option<usize>,
    pub back: Option<usize>,
}

impl Activation {
    /// The activation's variable.
    pub fn symbol(&self, symbol: Symbol) -> Symbol {
        self.own.get(&symbol).copied().unwrap_or(symbol)
    }

    /// A formula over the function's variables, for this activation.
    pub fn term(&self, terms: &mut Terms, formula: Term) -> Term {
        if self.own.is_empty() {
            return formula;
        }
        terms.substitute(formula, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(s) => self.own.get(&s).map(|&to| terms.variable(to)),
            _ => None,
        })
    }

    fn operation(&self, terms: &mut Terms, operation: &Operation) -> Operation {
        operation.renamed(|s| self.symbol(s), |t| self.term(terms, t))
    }
}

/// A part of the path.
#[derive(Debug, Clone, Copy)]
pub struct Segment {
    pub meaning: Meaning,
    /// The activation in which it ends.
    pub activation: usize,
}

/// The path.
#[derive(Debug, Clone)]
pub struct ConcretePath {
    /// The edges of the path in order; the last location is that of the goal.
    pub automaton: Arc<Automaton>,
    /// The summary, with one block per segment.
    pub summary: Summary,
    pub segments: Vec<Segment>,
    pub activations: Vec<Activation>,
    /// The goal that the path reaches, in the automaton of its function.
    pub goal: (usize, Location),
}

/// The meanings of the statements of a counterexample, in order.
pub fn meanings(program: &BooleanProgram, trace: &Trace) -> Vec<Meaning> {
    let mut all = vec![];
    for step in &trace.steps {
        let edge = program.program.procedure(step.procedure).edge(step.edge);
        all.extend(program.meanings.get(&edge.span.start));
    }
    all
}

impl ConcretePath {
    /// The path of these statements.  `None` if they do not follow each other, which would be a
    /// defect of hardbop.
    pub fn new(
        terms: &mut Terms,
        skeleton: &Skeleton,
        problems: &[Problem],
        meanings: &[Meaning],
    ) -> Option<Self> {
        let mut builder = Builder {
            skeleton,
            problems,
            automaton: Automaton { entry: Location(0), locations: 1, ..Automaton::default() },
            blocks: vec![],
            segments: vec![],
            activations: vec![],
            copies: vec![0; skeleton.procedures.len()],
            open: vec![],
            here: Location(0),
        };
        builder.start(terms);
        let mut goal = None;
        for &meaning in meanings {
            goal = builder.add(terms, meaning)?;
        }
        let Builder { mut automaton, blocks, segments, activations, here, .. } = builder;
        let goal = goal?;
        let meant = problems[goal.0].automaton.goal(goal.1)?.clone();
        automaton.goals.push((here, meant));
        let locations = std::iter::once(automaton.entry);
        let locations = locations.chain(blocks.iter().map(|b: &Block| b.target)).collect();
        let summary = Summary { locations, blocks };
        let automaton = Arc::new(automaton);
        Some(Self { automaton, summary, segments, activations, goal })
    }

    /// The goal at the end of the path.
    pub fn goal(&self) -> &Goal {
        &self.automaton.goals[0].1
    }

    /// The numbers of the blocks.
    pub fn blocks(&self) -> Vec<usize> {
        (0..self.segments.len()).collect()
    }
}

struct Builder<'a, 's> {
    skeleton: &'a Skeleton<'s>,
    problems: &'a [Problem],
    automaton: Automaton,
    blocks: Vec<Block>,
    segments: Vec<Segment>,
    activations: Vec<Activation>,
    /// The number of activations of each function so far.
    copies: Vec<u32>,
    /// The activations that have not returned, innermost last.
    open: Vec<usize>,
    here: Location,
}

impl Builder<'_, '_> {
    fn location(&mut self) -> Location {
        self.automaton.locations += 1;
        Location(self.automaton.locations - 1)
    }

    fn edge(&mut self, ends: (Location, Location), operation: Operation, at: (Place, u32)) -> u32 {
        let (source, target) = ends;
        let (place, frame) = at;
        self.automaton.edges.push(Edge { source, target, operation, place, frame });
        self.automaton.edges.len() as u32 - 1
    }

    /// Opens a new activation, and a frame with the same number.
    fn activate(&mut self, terms: &mut Terms, function: usize, caller: Option<(u32, Place)>) {
        let copy = self.copies[function];
        self.copies[function] += 1;
        let own = &self.skeleton.program.functions[function];
        let olds = self.skeleton.olds(function);
        let mut names = FxHashMap::default();
        if copy > 0 {
            let formals = own.parameters.iter().chain(&own.result);
            let locals = own.locals.iter().chain(formals).copied();
            for symbol in locals.chain(olds.iter().map(|&(old, _)| old)) {
                if names.contains_key(&symbol) {
                    continue;
                }
                let name = format!("{}#{copy}", terms.name(symbol));
                let to = terms.symbol(&name, terms.symbol_sort(symbol));
                self.automaton.copies.insert(to, symbol);
                names.insert(symbol, to);
            }
        }
        let call = caller.is_some().then_some(self.blocks.len());
        self.open.push(self.activations.len());
        self.automaton.frames.push(Frame { function, caller });
        self.activations.push(Activation { function, own: names, call, back: None });
    }

    /// Enters the main function.
    fn start(&mut self, terms: &mut Terms) {
        let main = self.skeleton.program.main;
        self.activate(terms, main, None);
        let same = self.skeleton.olds(main);
        let same = same.into_iter().map(|(old, of)| (old, terms.variable(of))).collect();
        let place = self.problems[main].automaton.edges.first().map(|e| e.place);
        let Some(place) = place else { return };
        let to = self.location();
        self.edge((self.here, to), Operation::Parallel(same), (place, 0));
        self.here = to;
    }

    /// Appends a statement.  `None` if it does not fit, otherwise the goal if one is reached.
    fn add(&mut self, terms: &mut Terms, meaning: Meaning) -> Option<Option<(usize, Location)>> {
        let current = *self.open.last()?;
        // The first block begins at the program's entry.
        let first = if self.blocks.is_empty() { 0 } else { self.automaton.edges.len() };
        let source = if self.blocks.is_empty() { self.automaton.entry } else { self.here };
        let mut reached = None;
        match meaning {
            Meaning::Block(function, block) => {
                if self.activations[current].function != function {
                    return None;
                }
                let problem = &self.problems[function];
                self.block(terms, current, problem, block);
                let target = problem.target(block);
                reached = problem.automaton.goal(target).map(|_| (function, target));
            }
            Meaning::Call(function, number) => {
                if self.activations[current].function != function {
                    return None;
                }
                self.call(terms, current, number);
            }
            Meaning::Return(function, number) => {
                self.open.pop();
                let caller = *self.open.last()?;
                if self.activations[caller].function != function {
                    return None;
                }
                self.back(terms, current, caller, number);
            }
        }
        let activation = *self.open.last()?;
        let edges = (first as u32..self.automaton.edges.len() as u32).collect();
        self.blocks.push(Block { source, target: self.here, edges, ..Block::default() });
        self.segments.push(Segment { meaning, activation });
        Some(reached)
    }

    /// Copies the edges of a block.
    fn block(&mut self, terms: &mut Terms, current: usize, problem: &Problem, block: usize) {
        let block = &problem.summary.blocks[block];
        let mut at: FxHashMap<Point, Location> = FxHashMap::default();
        let end = self.location();
        at.extend([(block.start(), self.here), (block.end(), end)]);
        for (e, from, to) in block.steps(&problem.automaton) {
            let edge = &problem.automaton.edges[e as usize];
            let source = at[&from];
            let target = match at.get(&to) {
                Some(&known) => known,
                None => {
                    let new = self.location();
                    at.insert(to, new);
                    new
                }
            };
            let operation = self.activations[current].operation(terms, &edge.operation);
            self.edge((source, target), operation, (edge.place, current as u32));
        }
        self.here = end;
    }

    fn call(&mut self, terms: &mut Terms, current: usize, number: usize) {
        let function = self.activations[current].function;
        let call = self.skeleton.procedures[function].calls[number].clone();
        let arguments: Vec<Term> =
            call.arguments.iter().map(|&a| self.activations[current].term(terms, a)).collect();
        self.activate(terms, call.callee, Some((current as u32, call.place)));
        let callee = &self.activations[self.activations.len() - 1];
        let formals = self.skeleton.formals(call.callee);
        let given: FxHashMap<Symbol, Term> = formals.iter().copied().zip(arguments).collect();
        let mut passed: Vec<(Symbol, Term)> = vec![];
        for formal in formals {
            passed.extend(given.get(formal).map(|&a| (callee.symbol(*formal), a)));
        }
        for (old, of) in self.skeleton.olds(call.callee) {
            let value = given.get(&of).copied().unwrap_or_else(|| terms.variable(of));
            passed.push((callee.symbol(old), value));
        }
        let to = self.location();
        self.edge((self.here, to), Operation::Parallel(passed), (call.place, current as u32));
        self.here = to;
    }

    fn back(&mut self, terms: &mut Terms, callee: usize, caller: usize, number: usize) {
        let function = self.activations[caller].function;
        let call = &self.skeleton.procedures[function].calls[number];
        let result = self.skeleton.program.functions[call.callee].result;
        let operation = match (call.result, result) {
            (Some(to), Some(from)) => {
                let from = self.activations[callee].symbol(from);
                let to = self.activations[caller].symbol(to);
                Operation::Assign(to, terms.variable(from))
            }
            _ => Operation::Skip,
        };
        self.activations[callee].back = Some(self.blocks.len());
        let to = self.location();
        self.edge((self.here, to), operation, (call.place, caller as u32));
        self.here = to;
    }
}
