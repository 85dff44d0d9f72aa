//! Programs that call `main` themselves: Boolean programs then start in a new function, which calls
//! it.

use rustc_hash::{FxHashMap, FxHashSet};

use hardbop_base::source::Span;
use hardbop_cfa::execute::Choices;
use hardbop_cfa::{Automaton, CallEdge, Function, Location, Place, Program, Step};
use hardbop_refine::block::execution::ErrorPath;
use hardbop_refine::model::skeleton::frame::Skeleton;
use hardbop_smt::{Symbol, Terms, Value};

/// A program that starts in a function which is never called: where `main` is, a new function that
/// calls it.
#[derive(Debug, Clone)]
pub struct Started {
    /// The program with the function in front, if there is one.
    pub program: Program,
    /// Is there a function in front of `main`?
    is_other: bool,
    /// The parameters of `main`, by the variables that they get their first values of.
    parameters: FxHashMap<Symbol, Symbol>,
    /// Edges that call.
    calls: FxHashSet<Place>,
}

impl Started {
    /// The program from its start.
    pub fn new(terms: &mut Terms, program: &Program) -> Self {
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
            exit: Location(1),
            locations: 2,
            edges: vec![call],
            locals: locals.clone(),
            ..Function::default()
        });
        let parameters = locals.into_iter().zip(formals).collect();
        Self { program, is_other, parameters, calls }
    }

    /// A path of an automaton that was made of a counterexample of a Boolean program, for the
    /// interpreter.
    ///
    /// The choices of a path.  Its edges are those of the program, and some more: the first one of
    /// all and of each activation, and one before and after each edge that calls, as well as after
    /// the one that returns, with its place.
    pub fn choices(&self, skeleton: &Skeleton, automaton: &Automaton, path: &ErrorPath) -> Choices {
        let mut values = path.inputs.iter().peekable();
        let mut steps: Vec<(Place, Option<Value>)> = vec![];
        let mut entered = vec![false; automaton.frames.len()];
        let mut last = 0;
        for (i, &e) in path.edges.iter().enumerate() {
            let edge = &automaton.edges[e as usize];
            let value = values.next_if(|(at, _)| *at == e).map(|&(_, value)| value);
            let frame = edge.frame as usize;
            let before = std::mem::replace(&mut last, frame);
            if edge.source == automaton.entry || self.is_other && frame == 0 {
                continue;
            }
            if !std::mem::replace(&mut entered[frame], true) {
                continue;
            }
            if self.calls.contains(&edge.place) {
                // An activation's first edge follows the one that calls, and its last edge comes
                // before the one that returns.
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
            if let Some(&parameter) = self.parameters.get(&symbol) {
                initial.insert(parameter, value);
            } else if skeleton.is_global(symbol) {
                initial.insert(symbol, value);
            }
        }
        Choices { initial, steps }
    }
}
