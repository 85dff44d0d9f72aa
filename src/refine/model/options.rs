//! What one may choose, and what is counted.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::program::Size;
use crate::boolean::engine;
use crate::refine::interpolate;
use crate::refine::predicate::abstraction::Effort;
use crate::refine::tree;

/// How a program is decided by way of Boolean programs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Options {
    /// Blocks, abstraction, where predicates come from, solvers.  Predicates over globals are tracked
    /// everywhere, others in their function, whatever the scope.
    pub analysis: tree::Options,
    /// Who decides the Boolean programs.
    pub engine: engine::Options,
}

/// Counts and times of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Statistics {
    /// Boolean programs that were checked.
    pub rounds: u64,
    /// Predicates in all, and those over globals.
    pub predicates: u64,
    pub global_predicates: u64,
    /// The last Boolean program.
    pub size: Size,
    /// Blocks, entries and returns whose abstraction was asked for in all rounds; of these known from an
    /// earlier round, and found in the cache.
    pub abstractions: u64,
    pub remembered: u64,
    pub cached: u64,
    pub effort: Effort,
    pub abstraction_time: Duration,
    /// Of the engine.
    pub checking_time: Duration,
    /// Check of the invariant, and of the Boolean program against the program.
    pub confirmation_time: Duration,
    /// Does the error path exist?
    pub path_time: Duration,
    /// Rounds whose predicates came from the program text.
    pub selections: u64,
    pub selection_time: Duration,
    pub interpolation_time: Duration,
    pub interpolation: interpolate::Statistics,
    /// The last abstract counterexample, in blocks, calls and returns.
    pub counterexample: u64,
    /// Units of work.
    pub work: u64,
}
