//! What a run of the loop counts.

use std::time::Duration;

use crate::refine::interpolate::InterpolationStatistics;
use crate::refine::predicate::effort::Effort;

/// Counts and times of a run: of the loop, and of the abstract model that it refines, `S`.  The columns of Table III of
/// "Software Model Checking via Large-Block Encoding" are `tree_nodes`, `refinements` and `predicates`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RefinementStatistics<S> {
    /// What the abstract model counts of itself.
    pub model: S,
    /// Infeasible paths to which predicates were sought.
    pub refinements: u64,
    /// Predicates in all.
    pub predicates: u64,
    /// Solver calls that decide whether a path is feasible.
    pub path_checks: u64,
    pub path_time: Duration,
    /// Refinements by predicates of the program text, and the time for looking for them.
    pub selections: u64,
    pub selection_time: Duration,
    pub interpolation_time: Duration,
    pub interpolation: InterpolationStatistics,
    /// Check of the proof by a solver that had no part in it.
    pub confirmation_time: Duration,
    /// Units of work, without those of the confirmation.
    pub work: u64,
}

/// What is counted of a reachability tree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeStatistics {
    /// Edges and locations of the program with its calls expanded.
    pub edges: u64,
    pub locations: u64,
    /// Blocks, and locations between them.
    pub blocks: u64,
    pub cut_locations: u64,
    /// States that were enumerated.
    pub explicit_states: u64,
    pub explicit_time: Duration,
    /// Nodes of the tree at the end.
    pub tree_nodes: u64,
    /// Nodes that were made, also those that a refinement removed.
    pub nodes_made: u64,
    pub covered: u64,
    /// Of the locations that have predicates: the mean of their numbers, and the largest.
    pub predicates_average: f64,
    pub predicates_most: u64,
    pub abstraction: Effort,
}

/// How large a Boolean program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProgramSize {
    pub procedures: u64,
    pub globals: u64,
    /// Formals and locals of all procedures.
    pub locals: u64,
    pub statements: u64,
    pub bytes: u64,
}

/// What is counted of Boolean programs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BooleanStatistics {
    /// Boolean programs that were checked.
    pub rounds: u64,
    /// Predicates over globals.
    pub global_predicates: u64,
    /// The last Boolean program.
    pub size: ProgramSize,
    /// Blocks, entries and returns whose abstraction was asked for in all rounds; of these known from an
    /// earlier round, and found in the cache.
    pub abstractions: u64,
    pub remembered: u64,
    pub cached: u64,
    pub effort: Effort,
    pub abstraction_time: Duration,
    /// Time in which the engine decided Boolean programs.
    pub checking_time: Duration,
    /// The last abstract counterexample, in blocks, calls and returns.
    pub counterexample: u64,
}

/// How far a run is, for its observer.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// A reachability tree grows.
    Tree(&'a RefinementStatistics<TreeStatistics>),
    /// A Boolean program has been made, or refined.
    Boolean(&'a RefinementStatistics<BooleanStatistics>),
}
