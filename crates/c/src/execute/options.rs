//! Limits of an execution, and what it records.

use crate::limits;
use hardbop_base::budget::Budget;

/// What an execution records of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recording {
    /// Only the inputs.
    #[default]
    Inputs,
    /// Inputs and edges.
    Edges,
    /// Inputs, edges and the changes that they make.
    Values,
}

/// Limits of an execution, and what it records.
#[derive(Debug, Clone)]
pub struct ExecutionOptions {
    /// The maximal number of edges taken; 64 bytes that functions of the library handle are one more.
    pub steps: u64,
    /// The maximal number of open calls.
    pub depth: usize,
    /// The maximal number of bytes of all objects of the program together; of large ones, pages that are written count.
    pub memory: u64,
    pub record: Recording,
    /// Whether a replay may let a pointer from outside point to a new object where the program
    /// accesses memory through it.
    pub outside_objects: bool,
    /// Whether an object that the program uses, from its start, as one of a larger type is enlarged
    /// to that; otherwise this is a fault.
    pub larger_objects: bool,
    /// Whether a declared scalar without an initialiser is asked for only where it is read.
    pub lazy: bool,
    /// Whether the oracle is asked, at each `malloc` and the like, if the call fails.
    pub allocations_may_fail: bool,
    /// What is added to numbers that functions of `math.h` give, in units of their last place.
    pub last_digits: i8,
    pub limits: limits::Execution,
    pub budget: Budget,
}

/// The part of the memory limit of the run that objects may take: as much again says which bits are initialised.
const SHARE: u64 = 8;

impl ExecutionOptions {
    /// The bytes that all objects may take.
    pub(super) fn room(&self) -> u64 {
        let share = self.budget.memory_limit().map(|limit| limit / SHARE);
        share.into_iter().chain([self.memory]).min().unwrap_or(self.memory)
    }
}

impl Default for ExecutionOptions {
    fn default() -> Self {
        Self {
            steps: 10_000_000,
            depth: 100_000,
            memory: 1 << 28,
            record: Recording::Inputs,
            outside_objects: true,
            larger_objects: true,
            lazy: false,
            allocations_may_fail: false,
            last_digits: 0,
            limits: limits::Execution::default(),
            budget: Budget::unlimited(),
        }
    }
}
