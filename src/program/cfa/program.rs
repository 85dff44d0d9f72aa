//! Programs: an automaton per function, with edges that call.

use super::operation::Operation;
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
