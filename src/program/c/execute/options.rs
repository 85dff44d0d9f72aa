//! Limits of an execution, and what it keeps.

use crate::base::budget::Budget;
use crate::program::c::limits;

/// What an execution keeps of its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recording {
    /// The values from outside only.
    #[default]
    Inputs,
    /// And the edges.
    Edges,
    /// And what they change.
    Values,
}

/// Limits of an execution, and what it keeps.
#[derive(Debug, Clone)]
pub struct ExecutionOptions {
    /// Edges taken.
    pub steps: u64,
    /// Open calls.
    pub depth: usize,
    /// Bytes of all objects of the program together.
    pub memory: u64,
    pub record: Recording,
    /// Whether a replay may take a pointer from outside as one to an object of its own, where the
    /// program accesses memory through it.
    pub outside_objects: bool,
    /// Whether an object that is used as one of a larger type from its start is as large as that;
    /// otherwise it is a fault.
    pub larger_objects: bool,
    pub limits: limits::Execution,
    pub budget: Budget,
}

impl Default for ExecutionOptions {
    fn default() -> Self {
        Self {
            steps: 10_000_000,
            depth: 100_000,
            memory: 1 << 30,
            record: Recording::Inputs,
            outside_objects: true,
            larger_objects: true,
            limits: limits::Execution::default(),
            budget: Budget::unlimited(),
        }
    }
}
