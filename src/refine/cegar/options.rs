//! The options of abstraction and refinement.

use serde::{Deserialize, Serialize};

use crate::base::limits::is_default;
use crate::refine::block::operator::Blocks;
use crate::refine::interpolate::Strategy;
use crate::refine::limits::Limits;
use crate::refine::predicate::abstraction::Abstraction;
use crate::refine::predicate::precision::Scope;
use crate::solve::smt::{Purpose, QueryLog, SolverFactory, SolverKind, Solvers};

/// Where predicates against an infeasible path come from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum PredicateSource {
    /// Comparisons that the program text suggests, where they help; else interpolants.
    #[default]
    Auto,
    /// Interpolants only, as in the paper.
    Interpolants,
}

/// How a program is abstracted, and how abstractions are refined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct AnalysisOptions {
    /// Where blocks end.
    pub blocks: Blocks,
    /// How the successors of an abstract state are abstracted.
    pub abstraction: Abstraction,
    /// Where a predicate of the tree is tracked.  Boolean programs track those over globals everywhere, others in
    /// their function, whatever the scope.
    pub scope: Scope,
    /// Where new predicates come from.
    pub refinement: PredicateSource,
    /// How interpolants are looked for.
    pub interpolation: Strategy,
    /// The SMT solver of the abstraction.
    pub solver: SolverKind,
    /// A solver that the user of the library brings along, instead of `solver`.
    ///
    /// It is asked for abstractions, explored states, paths and the selection of predicates.  Interpolants are found and
    /// proved by our solvers, the invariant of SAFE is checked by one of ours, and UNSAFE is an execution of the program
    /// text: where this solver is wrong the verdict is UNKNOWN.
    #[serde(skip)]
    pub own_solver: Option<SolverFactory>,
    /// States that are enumerated at most before anything is abstracted.  Programs with few inputs and bounded loops
    /// have fewer than the default, and need no predicates then.
    pub explicit_states: u64,
    /// Refinements at most; `None`: no bound.
    pub refinements: Option<u64>,
    /// Where queries are logged, if anywhere.
    #[serde(skip)]
    pub log: Option<QueryLog>,
    /// For measurements; written down where they are not the usual ones.
    #[serde(skip_serializing_if = "is_default")]
    pub limits: Limits,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            blocks: Blocks::default(),
            abstraction: Abstraction::default(),
            scope: Scope::default(),
            refinement: PredicateSource::default(),
            interpolation: Strategy::default(),
            solver: SolverKind::default(),
            own_solver: None,
            explicit_states: 2_000,
            refinements: None,
            log: None,
            limits: Limits::default(),
        }
    }
}

impl AnalysisOptions {
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
