//! Executions: how they end, which values they request, and which edges they take.

use super::fault::{Fault, Undefined};
use crate::flow::{Flow, Instruction, VariableId, Violation};
use crate::trace::{CTrace, EdgeIndex, Input, InputKind};
use crate::types::TypeId;
use hardbop_base::budget::Exhausted;
use hardbop_base::source::Span;

/// Why a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `main` returned.
    Returned,
    /// `exit`, `abort` and the like.
    Stopped,
    /// An assumption is false.
    Assumption,
    /// Never: a state without input comes again and again.
    Never,
    /// It goes on as earlier ones of the same [`Ways`](super::Ways) did, or later ones will.
    Reached,
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
    /// The execution has no meaning from here on.
    Fault {
        fault: Fault,
        span: Span,
    },
    /// The execution came to an unsupported instruction.
    Unsupported {
        what: String,
        span: Span,
    },
    /// The oracle had no value.
    NoInput,
    Limit(Limit),
    Exhausted(Exhausted),
}

/// When an input was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// By a call, as its result.
    Call,
    /// By a call, as its result, of which the execution leaves no choice.
    Known,
    /// By a call whose result is not used: nothing was actually requested, and the value is 0.
    Unused,
    /// By a declaration of a scalar.
    Declaration,
    /// By the first read of something uninitialised.
    Read,
}

/// A request for an input.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub kind: &'a InputKind,
    /// From 1 (for a `_Bool`) to 64.
    pub bits: u32,
    /// Whether the value represents a `float` or `double`.
    pub float: bool,
    /// Whether it represents a pointer.
    pub pointer: bool,
    /// Whether only a value will do, and no term: of how many arguments there are, or whether a call fails.
    pub concrete: bool,
    pub span: Span,
}

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// A value; bits above [`Request::bits`] are ignored.
    Bits(u64),
    /// A pointer to a new, uninitialised object.
    Object,
}

/// An input of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub input: Input,
    /// Whether the value represents a `float` or `double`.
    pub float: bool,
    pub pointer: bool,
    /// The number of bits in memory: 8 for a `_Bool`, otherwise those of the input.
    pub width: u32,
    /// The bits of memory that get the value; the others had values already.
    pub fresh: u64,
    /// The new object that the value points to, if any.
    pub object: Option<OutsideObject>,
    pub demand: Demand,
    /// The edge that requested it; `None` during the initialisation of globals.
    pub edge: Option<EdgeIndex>,
    pub span: Span,
}

impl Recorded {
    /// Whether it is a number in the text that keeps its own value as a pointer.
    pub fn is_number(&self) -> bool {
        matches!(self.input.kind, InputKind::Address { .. }) && self.object.is_none()
    }
}

/// An object that a pointer from outside points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideObject {
    /// The object's number, counted from 0.
    pub number: u64,
    /// The size in bytes.
    pub size: u64,
    /// The offset at which the pointer points, in bytes.
    pub start: u64,
}

/// An object that was enlarged because the program used it, from its start, as a larger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargerObject {
    pub owner: Owner,
    /// The type that it was used as.
    pub ty: TypeId,
    /// The size of `ty` in bytes.
    pub size: u64,
}

/// What created an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Variable(VariableId),
    /// A block of `malloc` and the like (of `alloca` if `stack`), named by the call that made it.
    Block {
        edge: EdgeIndex,
        stack: bool,
    },
}

/// A place that got a new value, as text for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub value: String,
    /// Does the name begin with that of a global variable?  Else it means something in its activation only.
    pub is_global: bool,
}

/// An edge that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub edge: EdgeIndex,
    /// The number of open calls: 0 in `main`.
    pub depth: u32,
    /// Whether this is the return of a call (listed under the edge of the call, with its result).
    pub back: bool,
    /// Only with [`Recording::Values`](super::Recording::Values); temporaries are left out.
    pub changed: Vec<Change>,
}

/// Rounds of a loop that were taken at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leap {
    /// How many of [`Execution::events`] come before them.
    pub after: usize,
    /// The edges of a round, with the number of open calls after each, and whether it is a return.
    pub edges: Vec<(EdgeIndex, u32, bool)>,
    pub rounds: u64,
    /// What they change in the end; only with [`Recording::Values`](super::Recording::Values).
    pub changed: Vec<Change>,
}

/// An execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    pub outcome: ExecutionOutcome,
    /// In the order in which they were requested.
    pub inputs: Vec<Recorded>,
    /// Only with [`Recording::Edges`](super::Recording::Edges) or [`Recording::Values`](super::Recording::Values). An
    /// edge that was not completed is included, as the last one.
    pub events: Vec<Event>,
    /// What `events` leaves out, in order.
    pub leaps: Vec<Leap>,
    /// The places in the text where numbers stand for pointers to objects.
    pub addresses: Vec<(Span, OutsideObject)>,
    /// Objects that have to be larger than the program makes them.
    pub larger: Vec<LargerObject>,
    /// Whether a function was called that may do something of which the interpreter does not know.
    pub foreign: bool,
    /// Whether the address of an object became a number: other machines give other ones.
    pub numbers: bool,
    /// Whether where objects lie may have decided something else; an [`Exploration`](super::Exploration) watches that.
    pub located: bool,
    /// A function of `math.h` that gave a number of which another library's may differ in its last digits.
    pub inexact: Option<&'static str>,
    /// The number of edges taken one by one.
    pub steps: u64,
    /// The address of the access that led to a fault, if there was one.
    pub wild: Option<u64>,
    /// The return value of `main`, if it is an initialised integer.
    pub status: Option<u64>,
    /// Only with [`Recording::Values`](super::Recording::Values): the operations on the way whose
    /// results C does not define, in order of the text.
    pub undefined: Vec<(Span, Undefined)>,
}

impl Execution {
    /// The trace that replays as this execution.
    pub fn trace(&self) -> CTrace {
        let used = self.inputs.iter().filter(|i| i.demand != Demand::Unused && !i.is_number());
        let edges = self.events.iter().filter(|e| !e.back).map(|e| e.edge).collect::<Vec<_>>();
        CTrace {
            inputs: used.map(|i| i.input.clone()).collect(),
            guesses: Vec::new(),
            edges: if edges.is_empty() { None } else { Some(edges) },
        }
    }

    /// The number of edges that `events` leaves out, as far as edges are recorded.
    pub fn leapt(&self) -> u64 {
        let edges = |leap: &Leap| leap.rounds.saturating_mul(leap.edges.len() as u64);
        self.leaps.iter().map(edges).fold(0, u64::saturating_add)
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

    /// Whether nothing from outside has a part in it: it is the only execution of the program, if numbers do not
    /// depend on where objects lie.  Last digits of functions of `math.h` are not determined.
    pub fn is_determined(&self) -> bool {
        let determined =
            |r: &Recorded| matches!(r.demand, Demand::Unused | Demand::Known) || r.is_number();
        self.is_closed() && self.inputs.iter().all(determined)
    }

    /// Whether nothing but its inputs comes from outside.
    pub fn is_closed(&self) -> bool {
        !self.foreign && self.inexact.is_none() && self.larger.is_empty()
    }

    /// Whether a limit ended it.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.outcome, ExecutionOutcome::Limit(_) | ExecutionOutcome::Exhausted(_))
    }

    /// Whether the property is violated.
    pub fn reaches_error(&self) -> bool {
        matches!(self.outcome, ExecutionOutcome::Error { .. })
    }
}
