//! The interface between the refinement loop and the abstractions that it refines.

use super::error::RefineError;
use super::finding::RefinementObserver;
use super::options::AnalysisOptions;
use super::statistics::{Progress, RefinementStatistics};
use crate::block::execution::ErrorPath;
use crate::block::path::PathFormula;
use crate::block::problem::Problem;
use crate::interpolate::InterpolationEngine;
use crate::select::view::{Selection, View};
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_cfa::{Location, Operation};
use hardbop_smt::{SmtError, Term, Terms, Unknown};

/// The resources that every step of a run needs.
pub struct Context<'a> {
    /// The store of all formulas.
    pub terms: &'a mut Terms,
    pub options: &'a AnalysisOptions,
    pub budget: &'a Budget,
}

/// A goal with the number of its automaton (0 if there is only one).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub usize, pub Location);

/// The outcome of a step of exploration.
#[derive(Debug)]
pub enum Explored<P> {
    /// An abstract path leads to a goal.
    Path(P),
    /// There is progress to report, and more to explore.
    Progress,
    /// Everything is explored, and no goal is reached except closed ones.
    Complete,
    /// Everything is explored, and calls go too deep at these goals.
    TooDeep(Vec<Location>),
    /// Exploration cannot go on.
    Stuck(UnknownReason),
}

/// Why a path is infeasible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refutation {
    /// Predicates, each with its place in the precision, that together rule out the path.
    Predicates(Selection),
    /// Craig interpolants over instances, one after each block except the last.
    Interpolants(Vec<Term>),
}

impl Refutation {
    /// The predicates, or the atoms of the interpolants; `places` are those after the blocks of the
    /// path.
    pub fn predicates(
        self,
        terms: &mut Terms,
        places: impl Iterator<Item = Option<u32>>,
    ) -> Selection {
        match self {
            Self::Predicates(selection) => selection,
            Self::Interpolants(interpolants) => {
                let atoms = |(place, i)| terms.predicates(i).into_iter().map(move |p| (place, p));
                places.zip(interpolants).flat_map(atoms).collect()
            }
        }
    }
}

/// Why a path could not be refuted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unrefuted {
    /// The interpolating solver considers the path feasible.
    Feasible,
    Unknown(Unknown),
}

/// Why a proof could not be confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The solver gave up, for this reason.
    Unchecked(String),
    /// The solver found that it proves nothing, for this reason.
    Wrong(String),
    /// The budget ran out, a solver failed, or the fault cannot lie with a solver.
    Error(RefineError),
}

impl From<RefineError> for Doubt {
    fn from(e: RefineError) -> Self {
        Self::Error(e)
    }
}

/// The result of executing a path, without a solver.
#[derive(Debug)]
pub enum Executed {
    /// An execution takes it.
    Found(ErrorPath),
    /// The path is not worth a question: the model goes on in another way.
    Dropped,
    Undecided,
}

/// An abstraction of a program.  It has every execution of the program, and is refined until it has
/// no path to a goal, or one that the program has.
///
/// Implemented by the [abstract reachability tree](crate::tree) and by [Boolean
/// programs](crate::model).
pub trait AbstractModel {
    /// An abstract path to a goal.
    type Path;
    /// A proof that no goal is reached.
    type Proof;
    /// The counters of this abstraction.
    type Statistics: Clone + Default;

    /// Words for messages about a confirmation that finds a proof wrong, or cannot decide.
    const WRONG: &'static str;
    const UNCHECKED: &'static str;

    /// Explores until it finds a path to a goal, has progress to report, or has nothing left to
    /// explore.
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    fn explore(
        &mut self,
        context: &mut Context,
        observer: &mut dyn RefinementObserver,
    ) -> Result<Explored<Self::Path>, RefineError>;

    /// The proof, after [`Explored::Complete`].
    ///
    /// # Errors
    /// If the budget runs out.
    fn proof(&mut self, context: &mut Context) -> Result<Self::Proof, RefineError>;

    /// Checks a proof with solvers that had no part in it.
    ///
    /// # Errors
    /// If the proof is not confirmed.
    fn confirm(&mut self, context: &mut Context, proof: &Self::Proof) -> Result<(), Doubt>;

    /// The automaton of a path, and the blocks of the path in it.
    fn blocks<'a>(&'a mut self, path: &'a mut Self::Path) -> (&'a mut Problem, &'a [usize]);

    /// Formulas over program variables that hold after each block of the path except the last;
    /// empty if none are known. They follow from the path's formula, and only help solvers.
    fn states(&mut self, context: &mut Context, path: &Self::Path) -> Vec<Term>;

    /// Looks for an execution of the path without a solver.
    fn execute(&mut self, _context: &mut Context, _path: &Self::Path) -> Executed {
        Executed::Undecided
    }

    /// The goal of a path.
    fn goal(&self, path: &Self::Path) -> GoalId;

    /// Closes the goal of this path, which need not be reached again: no path to it can decide
    /// anything.
    fn close(&mut self, path: Self::Path);

    /// Calls go too deep on this path.  Returns `None` to go on looking for other such goals, or
    /// else all of them.
    fn too_deep(&mut self, path: Self::Path) -> Option<Vec<Location>>;

    /// Gives up the way in which an infeasible path was found, if the path was not made of abstract
    /// states and so leaves nothing to refine.  `false`: it was made of abstract states.
    fn discard(&mut self, _context: &mut Context, _path: &Self::Path) -> bool {
        false
    }

    /// Gives up the way in which a proof was found that is rejected.  `false`: there is no other.
    fn recant(&mut self, _context: &mut Context) -> bool {
        false
    }

    /// All operations of the program, as a source of candidate predicates.
    fn operations(&self, terms: &mut Terms) -> Vec<Operation>;

    /// The view of the abstraction between the blocks of a path, with the automaton of the path;
    /// `None`: it is refined by interpolants only.
    fn view<'a>(
        &'a mut self,
        terms: &mut Terms,
        path: &'a mut Self::Path,
    ) -> Option<(&'a mut Problem, Box<dyn View + 'a>)>;

    /// Interpolates an infeasible path.
    ///
    /// # Errors
    /// If the solver refuses.
    fn interpolate(
        &mut self,
        context: &mut Context,
        path: &Self::Path,
        formula: &PathFormula,
        engine: &mut InterpolationEngine,
    ) -> Result<Result<Refutation, Unrefuted>, SmtError>;

    /// Refines the abstraction so that it no longer has the path.  `false`: the refutation told it
    /// nothing new.
    ///
    /// # Errors
    /// If the budget runs out.
    fn refine(
        &mut self,
        context: &mut Context,
        path: &Self::Path,
        refutation: Refutation,
    ) -> Result<bool, RefineError>;

    /// The counters so far, and the number of predicates.
    fn count(&self) -> (Self::Statistics, u64);

    /// Wraps the statistics of a run for its observer.
    fn progress(statistics: &RefinementStatistics<Self::Statistics>) -> Progress<'_>;
}
