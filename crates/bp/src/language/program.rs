//! A resolved Boolean program: variables, and one control-flow graph per procedure.
//!
//! Nodes are program locations, edges carry the operations (SPIN'07 paper, Sect. 2.2).  The failing
//! side of an assertion is an edge to the procedure's *error node*, so an error is reachable iff an
//! error node is.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::concurrent::ThreadStep;
use hardbop_base::source::{Source, Span};

/// Index of a variable in [`Program::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VarId(pub u32);

/// Index of a procedure in [`Program::procedures`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProcId(pub u32);

/// Index of a node in [`Procedure::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// Index of an edge in [`Procedure::edges`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EdgeId(pub u32);

macro_rules! index {
    ($($t:ty),*) => {$(
        impl $t {
            /// The number as an index into the vector that it numbers.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}
index!(VarId, ProcId, NodeId, EdgeId);

/// One operator or operand of a resolved expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    Constant(bool),
    Variable(VarId),
    /// The variable after the assignment; only in [`Assignment::constrain`].
    Next(VarId),
    /// A fresh value (consumes one choice).
    Nondet,
    Not,
    And,
    Or,
    Xor,
    Equal,
    Implies,
    /// Pops n, then p: T if p, else F if n, else a fresh value (always consumes one choice).
    Choose,
}

impl Op {
    /// The number of values that it pops.
    pub fn arity(self) -> usize {
        match self {
            Self::Constant(_) | Self::Variable(_) | Self::Next(_) | Self::Nondet => 0,
            Self::Not => 1,
            Self::And | Self::Or | Self::Xor | Self::Equal | Self::Implies | Self::Choose => 2,
        }
    }
}

/// A resolved expression in postfix order.  Invariant: well-formed and not empty.
///
/// Choices are consumed in postfix order, one per `Nondet` or `Choose`.  Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expr {
    pub ops: Arc<[Op]>,
}

impl Expr {
    pub fn constant(value: bool) -> Self {
        Self { ops: Arc::new([Op::Constant(value)]) }
    }

    pub fn nondet() -> Self {
        Self { ops: Arc::new([Op::Nondet]) }
    }

    pub fn variable(v: VarId) -> Self {
        Self { ops: Arc::new([Op::Variable(v)]) }
    }

    /// The number of choices that one evaluation consumes.
    pub fn choices(&self) -> usize {
        self.ops.iter().filter(|o| matches!(o, Op::Nondet | Op::Choose)).count()
    }

    /// The variables that it reads before the assignment (`Op::Variable`).
    pub fn reads(&self) -> impl Iterator<Item = VarId> + '_ {
        self.ops.iter().filter_map(|o| if let Op::Variable(v) = o { Some(*v) } else { None })
    }
}

/// `targets := values constrain c`, in parallel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Distinct variables, as many as `values`; at least one.
    pub targets: Vec<VarId>,
    pub values: Vec<Expr>,
    /// Reads pre-state (`Op::Variable`) and post-state (`Op::Next`, of targets only); blocks if it
    /// is false.
    pub constrain: Option<Expr>,
}

/// A procedure call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub callee: ProcId,
    /// The arguments, as many as the callee has formals; evaluated in the caller's state, in order.
    pub arguments: Vec<Expr>,
    /// The targets, as many as the callee has returns; `None` drops the value.  Assigned left to
    /// right.
    pub targets: Vec<Option<VarId>>,
}

/// The operation of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    Skip,
    /// Passes if the expression can be true.
    Assume(Expr),
    Assign(Assignment),
    Call(Call),
}

/// Why an edge is there; for traces, messages and graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeRole {
    /// A statement of the text.
    Statement,
    /// The condition of `if`/`elsif`/`while` taken (true) or not taken (false).
    Branch(bool),
    /// `enforce`, in force at this location.
    Enforce,
    /// The passing side of an assertion.
    AssertHolds,
    /// The failing side of an assertion: into the error node.
    AssertFails,
    /// `abortif e` with e true: into the error node.
    Abort,
    /// An error label was reached: into the error node.
    ErrorLabel,
    /// Falling off the end of the body: return slots get fresh values.
    FallOff,
    /// Glue without a statement of its own (joins, jumps to a label).
    Glue,
}

/// An edge of a control-flow graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub source: NodeId,
    pub target: NodeId,
    pub operation: Operation,
    pub role: EdgeRole,
    /// The statement or condition from which it stems.
    pub span: Span,
    /// What it does to threads; nothing in sequential programs.
    pub thread: Option<Box<ThreadStep>>,
}

/// A program location.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// The statement that starts here.
    pub span: Span,
    pub labels: Vec<String>,
}

/// The kind of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableKind {
    Global,
    Formal(ProcId),
    Local(ProcId),
    /// Slot of a returned value: assigned on every edge into the exit node.
    Return(ProcId),
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name as written; return slots are called `return#0`, `return#1`, ...
    pub name: String,
    pub kind: VariableKind,
    pub span: Span,
}

/// A procedure as a control-flow graph.
///
/// Invariants: `exit` and `error` have no outgoing edges; every edge into `exit` leaves all
/// return slots assigned; `entry` has no incoming edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Procedure {
    pub name: String,
    pub formals: Vec<VarId>,
    pub locals: Vec<VarId>,
    pub returns: Vec<VarId>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Outgoing edges of each node, in the order of the text.
    pub outgoing: Vec<Vec<EdgeId>>,
    pub entry: NodeId,
    pub exit: NodeId,
    pub error: NodeId,
    pub span: Span,
}

impl Procedure {
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The numbers of all nodes.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

/// A whole program.
///
/// Semantics of the start: globals, and the entry procedure's formals and locals, hold any value.
/// Each call gives the callee's locals fresh values.
#[derive(Debug, Clone)]
pub struct Program {
    pub source: Source,
    pub variables: Vec<Variable>,
    pub globals: Vec<VarId>,
    pub procedures: Vec<Procedure>,
    pub entry: ProcId,
    /// Whether the text has an assertion or an error label that counts, also where no execution comes: without one there
    /// is nothing to check.
    pub states_error: bool,
}

impl Program {
    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.index()]
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    pub fn is_global(&self, id: VarId) -> bool {
        matches!(self.variable(id).kind, VariableKind::Global)
    }

    /// All procedures with their numbers.
    pub fn procedure_ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.procedures.len() as u32).map(ProcId)
    }
}
