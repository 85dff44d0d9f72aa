//! A resolved Boolean program with threads.
//!
//! Its graphs are those of a [`Program`], in which some edges have a [`ThreadStep`] beside their
//! operation.  The engines for sequential programs know nothing of these steps, so such a program
//! is of a type of its own, and `resolve` refuses its text.

use super::program::{Call, Expr, ProcId, Program, VarId};

/// What an edge does beside its operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThreadStep {
    /// A thread begins where the edge [`Born`](Self::Born) out of the same node leads, with a copy
    /// of the starter's innermost activation.
    Start,
    /// The way of the thread that is started at this node; never a step of the starter.
    Born,
    /// A thread begins that executes a procedure; the arguments are evaluated in the starter.
    Call(Call),
    /// The thread ends, whatever calls are open in it.
    End,
    /// No other thread steps from now on.
    AtomicBegin,
    AtomicEnd,
    /// Variables of all other threads get values.
    Broadcast(Broadcast),
}

/// `x$ := e`, together with the assignment of the edge.
///
/// `x$` is a variable of its own in expressions: [`Concurrent::passive`] tells of which variable of
/// another thread it has the value.  For each other thread that has these variables, values are
/// chosen for themselves; if there is one for which `constrain` cannot hold, the step cannot be
/// taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Broadcast {
    /// The variables `x$`, distinct.
    pub targets: Vec<VarId>,
    pub values: Vec<Expr>,
    pub constrain: Option<Expr>,
}

impl Broadcast {
    /// The choices that are made for each other thread.
    pub fn choices(&self) -> usize {
        self.values.iter().chain(&self.constrain).map(Expr::choices).sum()
    }
}

/// A program with threads.
#[derive(Debug, Clone)]
pub struct Concurrent {
    pub program: Program,
    /// Globals of which each thread has its own; a started thread gets a copy of the starter's.
    pub thread_locals: Vec<VarId>,
    /// Each `x$` with its x, a variable of the entry procedure, which nothing calls, or of each
    /// thread.
    pub passive: Vec<(VarId, VarId)>,
    /// The procedures during whose calls no other thread steps: `__VERIFIER_atomic_..`.
    pub atomic: Vec<ProcId>,
}

impl Concurrent {
    /// The globals that all threads have in common.
    pub fn shared(&self) -> impl Iterator<Item = VarId> + '_ {
        self.program.globals.iter().copied().filter(|v| !self.thread_locals.contains(v))
    }

    /// Whether no other thread steps while the procedure is called.
    pub fn is_atomic(&self, procedure: ProcId) -> bool {
        self.atomic.contains(&procedure)
    }
}
