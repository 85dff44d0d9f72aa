//! What differs between the abstractions that the loop refines.

use super::error::RefineError;
use super::finding::RefinementObserver;
use super::options::AnalysisOptions;
use super::statistics::{Progress, RefinementStatistics};
use crate::base::budget::Budget;
use crate::base::verdict::UnknownReason;
use crate::program::cfa::{Location, Operation};
use crate::refine::block::path::PathFormula;
use crate::refine::block::problem::Problem;
use crate::refine::interpolate::InterpolationEngine;
use crate::refine::select::view::{Selection, View};
use crate::solve::smt::{SmtError, Term, Terms, Unknown};

/// What every step of a run needs.
pub struct Context<'a> {
    /// The store of all formulas.
    pub terms: &'a mut Terms,
    pub options: &'a AnalysisOptions,
    pub budget: &'a Budget,
}

/// A goal, by the number of its automaton (0 where there is but one).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub usize, pub Location);

/// What a step of exploration comes to.
#[derive(Debug)]
pub enum Explored<P> {
    /// An abstract path leads to a goal.
    Path(P),
    /// Something has been done, worth telling the observer; there is more to do.
    Progress,
    /// All is explored, and no goal is reached that has not been closed.
    Complete,
    /// All is explored, and calls go too deep at these goals.
    TooDeep(Vec<Location>),
    /// There is no way on.
    Stuck(UnknownReason),
}

/// Why a path is infeasible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refutation {
    /// Predicates, each with its place in the precision, that together exclude the path.
    Predicates(Selection),
    /// Craig interpolants over instances, one after each block but the last.
    Interpolants(Vec<Term>),
}

/// Why there is no refutation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unrefuted {
    /// The solver that interpolates takes the path for feasible.
    Feasible,
    Unknown(Unknown),
}

/// What a confirmation has against a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The solver gave up: why.
    Unchecked(String),
    /// The solver found that it proves nothing: why.
    Wrong(String),
    /// The budget ends, a solver fails, or the fault cannot be a solver's.
    Error(RefineError),
}

impl From<RefineError> for Doubt {
    fn from(e: RefineError) -> Self {
        Self::Error(e)
    }
}

/// An abstraction of a program: it has every execution of the program, and is refined until it has no path to a goal or
/// one that the program has.
///
/// Implemented by the [abstract reachability tree](crate::refine::tree) and by
/// [Boolean programs](crate::refine::model).
pub trait AbstractModel {
    /// An abstract path to a goal.
    type Path;
    /// What shows that no goal is reached.
    type Proof;
    /// What it counts.
    type Statistics: Clone + Default;

    /// What a proof fails to show where a confirmation finds it wrong, or cannot decide; for messages.
    const WRONG: &'static str;
    const UNCHECKED: &'static str;

    /// Goes on until there is a path to a goal, or nothing is left to explore.
    ///
    /// # Errors
    /// The budget ends, or a solver fails.
    fn explore(
        &mut self,
        context: &mut Context,
        observer: &mut dyn RefinementObserver,
    ) -> Result<Explored<Self::Path>, RefineError>;

    /// The proof, after [`Explored::Complete`].
    ///
    /// # Errors
    /// The budget ends.
    fn proof(&mut self, context: &mut Context) -> Result<Self::Proof, RefineError>;

    /// Checks a proof with solvers that had no part in it.
    ///
    /// # Errors
    /// What there is against it.
    fn confirm(&mut self, context: &mut Context, proof: &Self::Proof) -> Result<(), Doubt>;

    /// The automaton of a path, and the blocks of the path in it.
    fn blocks<'a>(&'a mut self, path: &'a mut Self::Path) -> (&'a mut Problem, &'a [usize]);

    /// What is known to hold after the blocks of a path but the last, over program variables; none if nothing is.
    /// They follow from the path's formula, and help solvers.
    fn states(&mut self, context: &mut Context, path: &Self::Path) -> Vec<Term>;

    /// The goal of a path.
    fn goal(&self, path: &Self::Path) -> GoalId;

    /// A path to a goal decides nothing, nor does any other: the goal need not be reached again.
    fn close(&mut self, path: Self::Path);

    /// Calls go too deep on this path.  Goes on looking for other such goals (`None`), or names those there are.
    fn too_deep(&mut self, path: Self::Path) -> Option<Vec<Location>>;

    /// A path is infeasible although it was not made of abstract states, so there is nothing to refine: gives up where
    /// it came from.  `false`: it was made of abstract states.
    fn discard(&mut self, _path: &Self::Path) -> bool {
        false
    }

    /// All that the program does, for the text's candidates.
    fn operations(&self, terms: &mut Terms) -> Vec<Operation>;

    /// What the abstraction sees between the blocks of a path, and the automaton of the path.
    fn view<'a>(
        &'a mut self,
        terms: &mut Terms,
        path: &'a mut Self::Path,
    ) -> (&'a mut Problem, Box<dyn View + 'a>);

    /// Interpolates an infeasible path.
    ///
    /// # Errors
    /// The solver refuses.
    fn interpolate(
        &mut self,
        context: &mut Context,
        path: &Self::Path,
        formula: &PathFormula,
        engine: &mut InterpolationEngine,
    ) -> Result<Result<Refutation, Unrefuted>, SmtError>;

    /// Uses a refutation so that the abstraction does not have the path again.  `false`: it has learnt nothing.
    ///
    /// # Errors
    /// The budget ends.
    fn refine(
        &mut self,
        context: &mut Context,
        path: &Self::Path,
        refutation: Refutation,
    ) -> Result<bool, RefineError>;

    /// What has been counted, and the number of predicates.
    fn count(&self) -> (Self::Statistics, u64);

    /// The statistics of a run, for its observer.
    fn progress(statistics: &RefinementStatistics<Self::Statistics>) -> Progress<'_>;
}
