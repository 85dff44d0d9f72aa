//! A program with threads as a system of packed states: calls are expanded, what changes nothing is
//! skipped, and a thread is a point of the expanded program with one word of values.

use super::code::{Code, Place};
use crate::language::concurrent::Concurrent;
use crate::language::program::{EdgeId, ProcId, VarId};

/// The shared bit that is set while a thread lets no other one step.
pub(super) const LOCK: u64 = 1 << 63;
/// The bit of a thread that is behind `atomic_begin`.
pub(super) const HELD: u64 = 1 << 63;

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Local {
    pub point: u32,
    pub bits: u64,
}

/// An edge of the program.
pub(super) type Way = (ProcId, EdgeId);

/// An assignment to all other threads.
#[derive(Debug)]
pub(super) struct Others {
    pub targets: Vec<(Place, Code)>,
    pub constrain: Option<Code>,
    pub choices: u32,
}

/// What a step does.
#[derive(Debug)]
pub(super) enum Kind {
    /// Goes on if the condition can be true.
    Assume(Code),
    Assign {
        targets: Vec<(Place, Code)>,
        constrain: Option<Code>,
        others: Option<Others>,
    },
    /// Opens a call: arguments, and bits that get any values.
    Call {
        arguments: Vec<(u32, Code)>,
        fresh: Vec<u32>,
    },
    /// A thread begins at a point with a copy of the bits from `base` on.
    Start {
        point: u32,
        base: u32,
    },
    /// A thread begins at a point with arguments and bits of any values.
    StartCall {
        point: u32,
        arguments: Vec<(u32, Code)>,
        fresh: Vec<u32>,
    },
    End,
    Atomic(bool),
    /// A call that is too deep to be expanded.
    Cut,
}

/// A step from a point, behind edges that change nothing.
#[derive(Debug)]
pub(super) struct Action {
    pub before: Vec<Way>,
    pub edge: Way,
    pub kind: Kind,
    pub choices: u32,
    pub to: u32,
}

/// The end of an activation.
#[derive(Debug)]
pub(super) struct Return {
    /// Targets in the caller, with the bits of returned values.
    pub targets: Vec<(Place, u32)>,
    /// Bits of the caller, which are kept.
    pub keep: u64,
    pub to: u32,
}

/// A place in the expanded program.
#[derive(Debug)]
pub(super) enum Point {
    Inner(Vec<Action>),
    Error,
    Return(Return),
    /// The end of the thread.
    End,
}

/// Why a program is no such system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooLarge {
    Variables,
    Points,
    Choices,
}

/// The expanded program.
#[derive(Debug)]
pub(super) struct System<'p> {
    pub program: &'p Concurrent,
    pub points: Vec<Point>,
    /// Of each point: whether a thread there lets no other one step.
    pub(super) atomic: Vec<bool>,
    /// Of each point: whether assignments to other threads concern a thread there.
    pub(super) passive: Vec<bool>,
    pub shared: Vec<VarId>,
    /// Points where the first thread may be, and no other one.
    pub unique: Vec<bool>,
    pub entry: u32,
    /// The bits of a thread at the beginning: formals and locals of the entry procedure.
    pub entry_bits: Vec<VarId>,
    pub thread_locals: u32,
}

impl System<'_> {
    pub fn holds(&self, local: Local) -> bool {
        local.bits & HELD != 0 || self.atomic[local.point as usize]
    }

    /// How many bits of a thread are arbitrary at the beginning.
    pub fn entry_width(&self) -> usize {
        self.thread_locals as usize + self.entry_bits.len()
    }

    pub fn is_passive(&self, local: Local) -> bool {
        self.passive[local.point as usize]
    }
}
