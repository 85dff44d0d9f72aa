//! An execution: how it ended, what it asked for, and where it went.

use super::fault::{Fault, Undefined};
use crate::base::budget::Exhausted;
use crate::base::source::Span;
use crate::program::c::flow::{Flow, Instruction, VariableId, Violation};
use crate::program::c::trace::{CTrace, EdgeIndex, Input, InputKind};
use crate::program::c::types::TypeId;

/// Why a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `main` returned.
    Returned,
    /// `exit`, `abort` and the like.
    Stopped,
    /// An assumption is false.
    Assumption,
}

/// A limit of [`ExecutionOptions`](super::ExecutionOptions).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    Steps,
    Depth,
    Memory,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExecutionOutcome {
    /// The property is violated.
    Error {
        edge: EdgeIndex,
        span: Span,
    },
    /// The program ended without an error.
    Ended(End),
    /// It has no meaning from here on.
    Fault {
        fault: Fault,
        span: Span,
    },
    /// An instruction that is not supported.
    Unsupported {
        what: String,
        span: Span,
    },
    /// The oracle had no value.
    NoInput,
    Limit(Limit),
    Exhausted(Exhausted),
}

/// When a value from outside was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// By a call, as its result.
    Call,
    /// By a call whose result is not used: no value was asked for, it is 0.
    Unused,
    /// By a declaration of a scalar.
    Declaration,
    /// By the first read of something uninitialised.
    Read,
}

/// A value that an execution asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub input: Input,
    /// Whether it represents a `float` or `double`.
    pub float: bool,
    pub pointer: bool,
    /// Bits that it has in memory: 8 of a `_Bool`, otherwise those of the input.
    pub width: u32,
    /// What it points to, if that is an object of its own.
    pub object: Option<OutsideObject>,
    pub demand: Demand,
    /// The edge that asked; `None`: the initial values of globals.
    pub edge: Option<EdgeIndex>,
    pub span: Span,
}

impl Recorded {
    /// Whether it is a number in the text, that stands for itself.
    pub fn is_number(&self) -> bool {
        matches!(self.input.kind, InputKind::Address { .. }) && self.object.is_none()
    }
}

/// An object that a pointer from outside points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideObject {
    /// Counted from 0.
    pub number: u64,
    /// In bytes.
    pub size: u64,
    /// How far from its start the pointer points, in bytes.
    pub start: u64,
}

/// An object that was used as a larger one from its start, and got as large as that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargerObject {
    pub owner: Owner,
    /// What it was used as.
    pub ty: TypeId,
    /// In bytes; of `ty`.
    pub size: u64,
}

/// What an object belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Variable(VariableId),
    /// A block of `malloc` and its like, by the call that made it; `alloca` where `stack`.
    Block {
        edge: EdgeIndex,
        stack: bool,
    },
}

/// A place that got a value, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub value: String,
}

/// An edge that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub edge: EdgeIndex,
    /// Number of open calls around it: 0 in `main`.
    pub depth: u32,
    /// A call returned (the call's edge again, with its result) instead of a step.
    pub back: bool,
    /// With [`Recording::Values`](super::Recording::Values); without temporaries.
    pub changed: Vec<Change>,
}

/// An execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    pub outcome: ExecutionOutcome,
    /// In order of time.
    pub inputs: Vec<Recorded>,
    /// With [`Recording::Edges`](super::Recording::Edges) or [`Recording::Values`](super::Recording::Values).  Edges that were not completed are there
    /// too, as the last one.
    pub events: Vec<Event>,
    /// Where in the text numbers stand for pointers to objects.
    pub addresses: Vec<(Span, OutsideObject)>,
    /// Objects that the execution needs to be larger than the program makes them.
    pub larger: Vec<LargerObject>,
    /// Edges taken.
    pub steps: u64,
    /// Of a fault by an access to memory, where it was.
    pub wild: Option<u64>,
    /// What `main` returned, if it returned an integer that is initialised.
    pub status: Option<u64>,
    /// With [`Recording::Values`](super::Recording::Values): what the execution does on its way that C does not define, in order
    /// of the text.
    pub undefined: Vec<(Span, Undefined)>,
}

impl Execution {
    /// The trace that replays to this execution.
    pub fn trace(&self) -> CTrace {
        let used = self.inputs.iter().filter(|i| i.demand != Demand::Unused && !i.is_number());
        let edges = self.events.iter().filter(|e| !e.back).map(|e| e.edge).collect::<Vec<_>>();
        CTrace {
            inputs: used.map(|i| i.input.clone()).collect(),
            guesses: Vec::new(),
            edges: if edges.is_empty() { None } else { Some(edges) },
        }
    }

    /// How the property is violated, if it is.
    pub fn violation(&self, flow: &Flow) -> Option<Violation> {
        let ExecutionOutcome::Error { edge, .. } = self.outcome else { return None };
        let body = flow.functions.get(edge.function as usize)?.body.as_ref()?;
        match body.edges.get(edge.edge as usize)?.instruction {
            Instruction::Error(violation) => Some(violation),
            _ => None,
        }
    }

    /// Whether the property is violated.
    pub fn reaches_error(&self) -> bool {
        matches!(self.outcome, ExecutionOutcome::Error { .. })
    }
}
