//! The statistics of a run of the loop.

use std::time::Duration;

use crate::block::problem::Problem;
use crate::interpolate::InterpolationStatistics;
use crate::predicate::effort::Effort;

/// Counts and times of a run: those of the loop, and those of the abstract model that it refines,
/// `S`.  The columns of Table III of "Software Model Checking via Large-Block Encoding" are
/// `tree_nodes`, `refinements` and `predicates`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RefinementStatistics<S> {
    /// The counters of the abstract model.
    pub model: S,
    /// Infeasible paths for which predicates were sought.
    pub refinements: u64,
    /// The number of all predicates.
    pub predicates: u64,
    /// Solver calls that decide whether a path is feasible.
    pub path_checks: u64,
    pub path_time: Duration,
    /// Refinements by predicates of the program text, and the time spent looking for them.
    pub selections: u64,
    pub selection_time: Duration,
    pub interpolation_time: Duration,
    pub interpolation: InterpolationStatistics,
    /// Time for the check of the proof by a solver that had no part in it.
    pub confirmation_time: Duration,
    /// Units of work, without the confirmation.
    pub work: u64,
}

impl<M> RefinementStatistics<M> {
    /// Adds what an earlier attempt took; what the abstraction counts is of the last one alone.
    pub fn add(&mut self, earlier: &Self) {
        self.refinements += earlier.refinements;
        self.path_checks += earlier.path_checks;
        self.path_time += earlier.path_time;
        self.selections += earlier.selections;
        self.selection_time += earlier.selection_time;
        self.interpolation_time += earlier.interpolation_time;
        self.confirmation_time += earlier.confirmation_time;
    }
}

/// Counts of a reachability tree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeStatistics {
    /// Edges and locations of the program after its calls are expanded.
    pub edges: u64,
    pub locations: u64,
    /// Blocks, and the locations between them.
    pub blocks: u64,
    pub cut_locations: u64,
    /// Enumerated states.
    pub explicit_states: u64,
    pub explicit_time: Duration,
    /// Nodes of the tree at the end.
    pub tree_nodes: u64,
    /// Nodes ever made, including those that a refinement removed.
    pub nodes_made: u64,
    pub covered: u64,
    /// IMPACT: solver calls that decide whether one state implies another.
    pub coverage_checks: u64,
    pub coverage_time: Duration,
    /// IMPACT: states that were to be strengthened such that another one covers them, and how often
    /// that worked.
    pub forced_attempts: u64,
    pub forced_covers: u64,
    /// The time of forced covering, without coverage checks.
    pub forced_time: Duration,
    /// The mean and the largest number of predicates at a location, among locations that have any.
    pub predicates_average: f64,
    pub predicates_most: u64,
    pub abstraction: Effort,
}

impl TreeStatistics {
    /// Those of a tree without nodes: how large the program is.
    pub fn of(problem: &Problem) -> Self {
        Self {
            edges: problem.automaton.edges.len() as u64,
            locations: u64::from(problem.automaton.locations),
            blocks: problem.summary.blocks.len() as u64,
            cut_locations: problem.summary.locations.len() as u64,
            ..Self::default()
        }
    }
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

/// Counts of a refinement of Boolean programs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BooleanStatistics {
    /// Boolean programs checked.
    pub rounds: u64,
    /// Predicates over globals.
    pub global_predicates: u64,
    /// The last Boolean program.
    pub size: ProgramSize,
    /// Abstractions of blocks, entries and returns requested in all rounds; of these, how many were
    /// known from an earlier round, and how many were found in the cache.
    pub abstractions: u64,
    pub remembered: u64,
    pub cached: u64,
    pub effort: Effort,
    pub abstraction_time: Duration,
    /// Time that the engine took to decide Boolean programs.
    pub checking_time: Duration,
    /// Length of the last abstract counterexample, in blocks, calls and returns.
    pub counterexample: u64,
}

/// How far a run has got, for its observer.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// A reachability tree is growing.
    Tree(&'a RefinementStatistics<TreeStatistics>),
    /// A Boolean program has been made, or refined.
    Boolean(&'a RefinementStatistics<BooleanStatistics>),
}
