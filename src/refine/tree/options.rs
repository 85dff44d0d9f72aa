//! What one may choose, and what is counted.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::refine::interpolate::{self, Strategy};
use crate::refine::predicate::abstraction::{Abstraction, Effort};
use crate::refine::predicate::precision::Scope;
use crate::solve::smt::{Purpose, QueryLog, SolverFactory, SolverKind, Solvers};

/// What one edge of the tree stands for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Blocks {
    /// Single-block encoding: one operation.
    #[value(name = "sbe", alias = "single")]
    #[serde(alias = "sbe")]
    Single,
    /// Large-block encoding: a part without loops.
    ///
    /// The blocks of the CFA-summary.
    #[default]
    #[value(name = "lbe", alias = "large")]
    #[serde(alias = "lbe")]
    Large,
}

/// Where predicates against an infeasible path come from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Refinement {
    /// Comparisons that the program text suggests, where they help; else interpolants.
    #[default]
    Auto,
    /// Interpolants only, as in the paper.
    Interpolants,
}

/// How the tree is explored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Options {
    pub blocks: Blocks,
    pub abstraction: Abstraction,
    pub scope: Scope,
    pub refinement: Refinement,
    pub interpolation: Strategy,
    pub solver: SolverKind,
    /// A solver that the user of the library brings along, instead of `solver`.
    ///
    /// It is asked for abstractions, explored states, paths and the selection of predicates.  Interpolants are found and
    /// proved by our solvers, the invariant of SAFE is checked by one of ours, and UNSAFE is an execution of the program
    /// text: where this solver is wrong the verdict is UNKNOWN.
    #[serde(skip)]
    pub own_solver: Option<SolverFactory>,
    /// States that are enumerated at most before anything is abstracted.
    pub explicit_states: u64,
    /// Refinements at most; `None`: no bound.
    pub refinements: Option<u64>,
    /// Where the queries go, if anybody wants to see them.
    #[serde(skip)]
    pub log: Option<QueryLog>,
}

impl Options {
    /// What makes solvers for a purpose.
    pub fn solvers(&self, purpose: Purpose) -> Solvers {
        match &self.own_solver {
            Some(factory) => Solvers::own(factory.clone(), self.log.as_ref(), purpose),
            None => Solvers::new(self.solver, self.log.as_ref(), purpose),
        }
    }

    /// What makes solvers that check the invariant: none that had a part in it.
    pub fn checkers(&self) -> Solvers {
        let kind = match self.own_solver {
            Some(_) => SolverKind::default(),
            None => self.solver.other(),
        };
        Solvers::new(kind, self.log.as_ref(), Purpose::Invariant)
    }

    /// Are answers about unbounded integers?
    pub fn is_linear(&self) -> bool {
        self.own_solver.is_none() && self.solver == SolverKind::Linear
    }
}

/// Counts and times of a run.  The columns of the paper's Table III are `tree_nodes`, `refinements`
/// and `predicates`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Statistics {
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
    pub refinements: u64,
    /// Predicates in all; the mean over the locations that have any; the most at one.
    pub predicates: u64,
    pub predicates_average: f64,
    pub predicates_most: u64,
    pub abstraction: Effort,
    /// Solver calls that decide whether a path is feasible.
    pub path_checks: u64,
    pub path_time: Duration,
    /// Refinements by predicates of the program text, and the time for looking for them.
    pub selections: u64,
    pub selection_time: Duration,
    pub interpolation_time: Duration,
    pub interpolation: interpolate::Statistics,
    /// Units of work.
    pub work: u64,
}
