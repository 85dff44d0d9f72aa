//! The predicate analysis as it can be configured (Beyer, Wendler: "Algorithms for Software Model
//! Checking: Predicate Abstraction vs. IMPACT", FMCAD 2012, Sect. III, "Configuration /
//! Instantiation").

use super::nodes::NodeId;
use super::reached::Reached;
use crate::block::problem::Problem;
use crate::cegar::error::RefineError;
use crate::cegar::model::{Context, Refutation};
use crate::cegar::statistics::TreeStatistics;
use crate::select::view::{Selection, View};
use hardbop_cfa::Location;
use hardbop_smt::{Symbol, Term, Terms};

/// A configuration of the predicate analysis; neither the loop nor the exploration depends on which
/// one it is.
///
/// The abstract states of the paper, (ψ, l^ψ, φ), are those between blocks, where φ = true: what is
/// inside a block is its formula, in which the states at one location have been merged
/// ([`adjust`](hardbop_cfa::summarise::adjust)).
pub trait Analysis: Sized {
    /// A state formula ψ (item 1).
    type State: Clone;

    /// Does a refinement strengthen states in place, instead of making them anew?  Then nodes are
    /// only covered by older ones, lest two of them take turns in covering each other (Sect. II),
    /// and the states of a path are inductive: a state and the block after it imply the next state.
    const STRENGTHENS: bool;

    /// The state at the program's entry: any.
    fn top(&mut self, terms: &Terms) -> Self::State;

    /// The state after a block: the transfer relation (item 1).  `None`: the block cannot be
    /// passed.
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    fn successor(
        &mut self,
        context: &mut Context,
        problem: &mut Problem,
        state: &Self::State,
        block: usize,
    ) -> Result<Option<Self::State>, RefineError>;

    /// Does one state imply the other: the partial order (item 2).
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    fn implies(
        &mut self,
        context: &mut Context,
        stronger: &Self::State,
        weaker: &Self::State,
    ) -> Result<bool, RefineError>;

    /// A state as a formula over program variables.
    fn formula(&mut self, terms: &mut Terms, state: &Self::State) -> Term;

    /// Are all successors of a state made before one of them is expanded?
    fn expands_at_once(&self) -> bool {
        false
    }

    /// The disjunction of states as a formula over program variables.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    fn union(&mut self, terms: &mut Terms, states: &[Self::State]) -> Result<Term, RefineError> {
        let all: Vec<Term> = states.iter().map(|s| self.formula(terms, s)).collect();
        Ok(terms.or(&all))
    }

    /// The operator fcover: strengthens states so that this node, about to be expanded, is covered.
    /// Did it?
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    fn force_cover(
        _reached: &mut Reached<Self>,
        _context: &mut Context,
        _n: NodeId,
    ) -> Result<bool, RefineError> {
        Ok(false)
    }

    /// Changes the reached states so that they no longer have the path, which is given as blocks
    /// with the node after each (item 3).  `false`: the refutation says nothing new.
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    fn refine(
        reached: &mut Reached<Self>,
        context: &mut Context,
        path: &[(usize, NodeId)],
        refutation: Refutation,
    ) -> Result<bool, RefineError>;

    /// Are there predicates that it tracks?
    fn has_precision(&self) -> bool {
        true
    }

    /// Tracks predicates from the start.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    fn track(&mut self, terms: &Terms, predicates: Selection) -> Result<(), RefineError>;

    /// The view of the analysis at the locations of a path, each with the variables that are live
    /// there; `None`: it only takes interpolants.
    fn view(
        &self,
        problem: &Problem,
        at: Vec<(Location, Vec<Symbol>)>,
    ) -> Option<Box<dyn View + '_>>;

    /// The predicates so far.
    fn predicates(&self) -> Vec<Term>;

    /// The place in the precision of what is found at a location.
    fn place(&self, _problem: &Problem, _location: Location) -> Option<u32> {
        None
    }

    /// The predicates so far, each with the places where it is tracked.
    fn tracked(&self) -> Selection {
        self.predicates().into_iter().map(|predicate| (None, predicate)).collect()
    }

    /// Adds its own counters, and returns the number of predicates.
    fn count(&self, statistics: &mut TreeStatistics) -> u64;
}
