//! Programs: one automaton per function, with call edges.

use super::operation::Operation;
use hardbop_base::source::Span;
use hardbop_smt::{Symbol, Term};

/// A location of an automaton, given by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Location(pub u32);

impl Location {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The origin of an edge in the program text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The number of the function in the front end.
    pub function: u32,
    /// The number of the instruction in the function's body, or [`Place::NOWHERE`].
    pub instruction: u32,
    pub span: Span,
}

impl Place {
    /// Marks edges that come from no instruction.
    pub const NOWHERE: u32 = u32::MAX;
}

/// The step of an edge of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Operation(Operation),
    /// Evaluates the arguments into the callee's parameters, runs it, and puts its result into
    /// `result`.
    Call {
        /// The index in [`Program::functions`].
        callee: usize,
        arguments: Vec<Term>,
        result: Option<Symbol>,
    },
    /// The property is violated. The target of the edge does not matter.
    Error,
    /// The behaviour is not modelled, for this reason. The target of the edge does not matter.
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

/// A function's automaton; by default, one of a single location without variables.
#[derive(Debug, Clone, Default)]
pub struct Function {
    pub name: String,
    pub entry: Location,
    /// Reached by every return.
    pub exit: Location,
    pub locations: u32,
    pub edges: Vec<CallEdge>,
    /// The variables that receive the arguments.
    pub parameters: Vec<Symbol>,
    /// The variable that holds the result at the exit.
    pub result: Option<Symbol>,
    /// The variables that each activation has for itself, including parameters and result.
    pub locals: Vec<Symbol>,
    /// The locals that hold intermediate values, and have no name in the text.
    pub temporaries: Vec<Symbol>,
}

/// A program: one automaton per function.
#[derive(Debug, Clone)]
pub struct Program {
    pub functions: Vec<Function>,
    /// The index of the function in which executions start.
    pub main: usize,
}

impl Program {
    /// The number of calls in a function's body that may lead back to it. If there are several, the
    /// number of activations at least doubles at each level.
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
