//! Control-flow automata: A = (L, G), a program's locations and the operations between them
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", Sect. II-A).
//!
//! A [`Program`] has an automaton per function, with edges that call.  [`expand`](expand::expand)
//! puts copies of the callees in their place, so that what is left is one [`Automaton`] whose
//! operations are assumptions and assignments only, and in which a location stands for a place in the
//! text and a call stack.  [`summarise`] makes large blocks of it.

pub mod constant;
pub mod description;
pub mod dot;
pub mod encode;
pub mod execute;
pub mod expand;
pub mod known;
pub mod live;
pub mod operation;
pub mod prune;
pub mod slice;
pub mod summarise;

pub use operation::{Operation, Origin};

use rustc_hash::FxHashMap;

use crate::base::source::Span;
use crate::solve::smt::{Symbol, Term};

/// A location of an automaton: an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Location(pub u32);

impl Location {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where an edge comes from in the program text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The function, by its number in the front end.
    pub function: u32,
    /// The instruction, by its number in the function's body; [`Place::NOWHERE`] where there is none.
    pub instruction: u32,
    pub span: Span,
}

impl Place {
    /// No instruction of the text.
    pub const NOWHERE: u32 = u32::MAX;
}

/// What an edge of a function does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Operation(Operation),
    /// Evaluates the arguments into the callee's parameters, runs it, and puts its result into
    /// `result`.
    Call {
        /// Index into [`Program::functions`].
        callee: usize,
        arguments: Vec<Term>,
        result: Option<Symbol>,
    },
    /// The property is violated.  Where the edge leads to does not matter.
    Error,
    /// What happens is not modelled: the reason.  Where the edge leads to does not matter.
    Unsupported(String),
}

/// An edge of a function's automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallEdge {
    pub source: Location,
    pub target: Location,
    pub step: Step,
    pub place: Place,
}

/// A function's automaton.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub entry: Location,
    /// After every return.
    pub exit: Location,
    pub locations: u32,
    pub edges: Vec<CallEdge>,
    /// Where the arguments go.
    pub parameters: Vec<Symbol>,
    /// Holds the result at the exit.
    pub result: Option<Symbol>,
    /// All variables of which each activation has its own, parameters and result among them.
    pub locals: Vec<Symbol>,
}

/// A program: one automaton per function.
#[derive(Debug, Clone)]
pub struct Program {
    pub functions: Vec<Function>,
    /// Index of the function where execution starts.
    pub main: usize,
}

/// An edge (l, op, l').
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub source: Location,
    pub target: Location,
    pub operation: Operation,
    pub place: Place,
    /// The activation that it belongs to, in [`Automaton::frames`].
    pub frame: u32,
}

/// An activation of a function: a node of the tree of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Index into [`Program::functions`].
    pub function: usize,
    /// The caller's activation and the place of the call; `None` for the first.
    pub caller: Option<(u32, Place)>,
}

/// A location that the analysis asks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// l_E.
    Error,
    /// Whoever comes here does something that is not modelled.
    Unsupported(String, Place),
    /// A call is too deep: more activations of this function than the expansion follows.
    Depth(String, usize),
}

/// A program P = (A, l_0, l_E) as one automaton without calls.
#[derive(Debug, Clone, Default)]
pub struct Automaton {
    /// l_0; no edge leads there.
    pub entry: Location,
    /// Locations without outgoing edges (Rule 0 holds from the start), with what they mean.
    pub goals: Vec<(Location, Goal)>,
    pub locations: u32,
    pub edges: Vec<Edge>,
    pub frames: Vec<Frame>,
    /// The variable of the program that a variable of a later activation is a copy of.
    pub copies: FxHashMap<Symbol, Symbol>,
    /// Locations besides the goals that blocks do not reach over.
    pub cuts: Vec<(Location, Cut)>,
}

/// Why blocks end at a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// The end of the function.
    Exit,
    /// Before a call of the function, by its number among the calls.
    Call(u32),
    /// After it.
    Return(u32),
}

impl Program {
    /// Calls in the body of a function that may lead back to it: with more than one, activations
    /// double with each level.
    pub fn recursive_calls(&self, function: usize) -> usize {
        let calls = |f: usize| {
            self.functions[f].edges.iter().filter_map(|e| match e.step {
                Step::Call { callee, .. } => Some(callee),
                _ => None,
            })
        };
        let leads_back = |from: usize| {
            let mut seen = vec![false; self.functions.len()];
            let mut todo = vec![from];
            while let Some(f) = todo.pop() {
                if f == function {
                    return true;
                }
                if !std::mem::replace(&mut seen[f], true) {
                    todo.extend(calls(f));
                }
            }
            false
        };
        calls(function).filter(|&f| leads_back(f)).count()
    }
}

impl Automaton {
    /// The variable of the program that this one is, or is a copy of.
    pub fn original(&self, symbol: Symbol) -> Symbol {
        self.copies.get(&symbol).copied().unwrap_or(symbol)
    }

    /// How many activations of a function are on the stack of one, itself included.
    pub fn activations(&self, frame: u32, function: usize) -> u32 {
        self.stack(frame).filter(|f| f.function == function).count() as u32
    }

    /// The places of the calls that led to an activation, the first one first.
    pub fn calls(&self, frame: u32) -> Vec<Place> {
        let mut places: Vec<Place> =
            self.stack(frame).filter_map(|f| f.caller.map(|(_, place)| place)).collect();
        places.reverse();
        places
    }

    /// An activation, its caller, and so on.
    fn stack(&self, frame: u32) -> impl Iterator<Item = &Frame> + '_ {
        let first = &self.frames[frame as usize];
        std::iter::successors(Some(first), |f| Some(&self.frames[f.caller?.0 as usize]))
    }

    /// Numbers of the outgoing edges of each location, in order.
    pub fn outgoing(&self) -> Vec<Vec<u32>> {
        let mut out = vec![vec![]; self.locations as usize];
        for (i, edge) in self.edges.iter().enumerate() {
            out[edge.source.index()].push(i as u32);
        }
        out
    }

    /// Why blocks end at a location that is not a goal.
    pub fn cut(&self, location: Location) -> Option<Cut> {
        self.cuts.iter().find(|(l, _)| *l == location).map(|(_, c)| *c)
    }

    /// What it means to be at a location, where it is a goal.
    pub fn goal(&self, location: Location) -> Option<&Goal> {
        self.goals.iter().find(|(l, _)| *l == location).map(|(_, g)| g)
    }
}
