//! The reached abstract states: the tree, the precision, and the worklist.

use std::collections::{BTreeMap, BTreeSet};

use super::invariant::Invariant;
use super::nodes::{NodeId, Tree};
use crate::program::cfa::Location;
use crate::refine::block::problem::Problem;
use crate::refine::cegar::error::RefineError;
use crate::refine::cegar::model::Context;
use crate::refine::predicate::abstraction::Abstractor;
use crate::refine::predicate::effort::AbstractionError;
use crate::refine::predicate::precision::{Precision, Scope};
use crate::refine::predicate::state::State;
use crate::refine::predicate::vocabulary::{PredicateId, Vocabulary};
use crate::refine::select::view::Selection;
use crate::solve::smt::{Term, Terms};

/// The reached abstract states.
pub struct Reached {
    pub problem: Problem,
    pub vocabulary: Vocabulary,
    /// Π : L → 2^P.
    pub precision: Precision,
    pub tree: Tree,
    pub(super) abstractor: Abstractor,
    scope: Scope,
    /// Nodes, each with an outgoing block whose successor is still to be computed.
    waiting: Vec<(NodeId, usize)>,
    /// Goals that are no longer sought.
    closed: BTreeSet<Location>,
}

impl Reached {
    /// Nothing is reached yet.
    pub(super) fn new(
        problem: Problem,
        vocabulary: Vocabulary,
        abstractor: Abstractor,
        scope: Scope,
    ) -> Self {
        Self {
            problem,
            vocabulary,
            precision: Precision::default(),
            tree: Tree::default(),
            abstractor,
            scope,
            waiting: vec![],
            closed: BTreeSet::new(),
        }
    }

    /// Adds the root: any state at the program's entry.
    pub(super) fn start(&mut self) {
        let root = self.vocabulary.manager().constant(true);
        let root = self.tree.add(self.problem.automaton.entry, (root, 0), None);
        self.expand(root);
    }

    /// The next node and block to process.
    pub(super) fn next(&mut self) -> Option<(NodeId, usize)> {
        self.waiting.pop()
    }

    /// Adds the child of a node after a block if there is one; its state is SP^π of the node's state (Sect. II-B).
    pub(super) fn pass(
        &mut self,
        context: &mut Context,
        (n, block): (NodeId, usize),
    ) -> Result<Option<NodeId>, RefineError> {
        let node = self.tree.node(n);
        if node.removed || node.covered_by.is_some() {
            return Ok(None);
        }
        let target = self.problem.target(block);
        if self.closed.contains(&target) {
            return Ok(None);
        }
        let state = node.state.clone();
        let precision = self.precision_at(target);
        let formula = self.problem.formula(context.terms, block);
        let successor = self.abstractor.successor(
            context.terms,
            &mut self.vocabulary,
            &state,
            &formula,
            &precision,
            context.budget,
        )?;
        if successor.is_false() {
            return Ok(None);
        }
        Ok(Some(self.tree.add(target, (successor, precision.len()), Some((n, block)))))
    }

    /// Adds all outgoing blocks of a node to the worklist; the first block will be processed first.
    fn expand(&mut self, n: NodeId) {
        let blocks = self.problem.summary.outgoing(self.tree.node(n).location);
        self.waiting.extend(blocks.rev().map(|b| (n, b)));
    }

    /// Expands a node unless another one covers it.
    pub(super) fn settle(&mut self, n: NodeId) -> Result<(), AbstractionError> {
        if !self.is_covered(n)? {
            self.expand(n);
        }
        Ok(())
    }

    /// Covers a node if another node at its location has a weaker state; was there one?
    fn is_covered(&mut self, n: NodeId) -> Result<bool, AbstractionError> {
        let node = self.tree.node(n);
        let state = node.state.clone();
        let others: Vec<NodeId> = self.tree.at(node.location).to_vec();
        for other in others {
            if other == n || self.tree.node(other).covered_by.is_some() {
                continue;
            }
            let weaker = self.tree.node(other).state.clone();
            if self.vocabulary.manager().minus(&state, &weaker)?.is_false() {
                self.tree.cover(n, other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes a node and its descendants; the block that led to it will be processed again.
    pub(super) fn explore_again(&mut self, n: NodeId) -> Result<(), AbstractionError> {
        let (parent, block) = self.tree.node(n).parent.expect("the root is not refined");
        for uncovered in self.tree.remove(n) {
            self.settle(uncovered)?;
        }
        self.waiting.push((parent, block));
        Ok(())
    }

    /// Closes a goal: blocks that lead there are no longer processed.
    pub(super) fn close(&mut self, goal: Location) {
        self.closed.insert(goal);
    }

    /// The place of a location in the precision.
    pub fn place(&self, location: Location) -> Option<u32> {
        match self.scope {
            Scope::Global => None,
            Scope::Location => Some(location.0),
            Scope::Function => Some(self.problem.frame(location)),
        }
    }

    /// π(l), in order.
    pub(super) fn precision_at(&self, location: Location) -> Vec<PredicateId> {
        if self.problem.automaton.goal(location).is_some() {
            return vec![];
        }
        self.precision.get(self.place(location).unwrap_or(u32::MAX))
    }

    /// Tracks predicates.
    ///
    /// # Errors
    /// If the table of BDD nodes is full.
    pub fn track(&mut self, terms: &Terms, selection: Selection) -> Result<(), AbstractionError> {
        for (place, predicate) in selection {
            if let Some(p) = self.vocabulary.add(terms, predicate)? {
                self.precision.add(place, p);
            }
        }
        Ok(())
    }

    /// The disjunction of the states at each location.
    pub(super) fn invariant(&mut self, terms: &mut Terms) -> Result<Invariant, AbstractionError> {
        let mut states: BTreeMap<Location, State> = BTreeMap::new();
        let nodes: Vec<(Location, State)> =
            self.tree.iter().map(|(_, n)| (n.location, n.state.clone())).collect();
        for (location, state) in nodes {
            let all = match states.remove(&location) {
                Some(all) => self.vocabulary.manager().or(&all, &state)?,
                None => state,
            };
            states.insert(location, all);
        }
        let formula = |(l, s)| (l, self.vocabulary.formula(terms, &s));
        let at: Vec<(Location, Term)> = states.into_iter().map(formula).collect();
        Ok(Invariant { at })
    }
}
