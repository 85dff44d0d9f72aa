//! The reached abstract states: the tree, and the worklist.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::nodes::{NodeId, Tree};
use super::waitlist::Waitlist;
use crate::block::problem::Problem;
use crate::cegar::algorithm::Order;
use crate::cegar::error::RefineError;
use crate::cegar::model::Context;
use crate::proof::invariant::Invariant;
use hardbop_cfa::Location;
use hardbop_smt::Terms;

/// The reached abstract states of an analysis.
pub struct Reached<A: Analysis> {
    pub problem: Problem,
    pub analysis: A,
    pub tree: Tree<A::State>,
    waiting: Waitlist,
    /// Goals that are no longer sought.
    closed: BTreeSet<Location>,
}

impl<A: Analysis> Reached<A> {
    /// A search that has reached nothing yet.
    pub(super) fn new(problem: Problem, analysis: A, order: Order) -> Self {
        let waiting = Waitlist::new(order, &problem);
        Self { problem, analysis, tree: Tree::default(), waiting, closed: BTreeSet::new() }
    }

    /// Adds the root: any state at the program's entry.
    pub(super) fn start(&mut self, terms: &Terms) {
        let root = self.analysis.top(terms);
        let root = self.tree.add(self.problem.automaton.entry, root, None);
        self.expand(root);
    }

    /// The next node, and the outgoing blocks to process before anything else.
    pub(super) fn next(&mut self) -> Option<(NodeId, Vec<usize>)> {
        let (n, block) = self.waiting.next()?;
        let mut blocks = vec![block];
        if self.analysis.expands_at_once() {
            blocks.extend(self.waiting.rest(n));
        }
        Some((n, blocks))
    }

    /// Puts blocks back that leave a node.
    pub(super) fn postpone(&mut self, n: NodeId, blocks: &[usize]) {
        self.waiting.add(n, self.tree.node(n).location, blocks);
    }

    /// Adds the child of a node after a block if there is one, unless the node is covered.
    pub(super) fn pass(
        &mut self,
        context: &mut Context,
        (n, block): (NodeId, usize),
    ) -> Result<Option<NodeId>, RefineError> {
        if self.tree.node(n).removed {
            return Ok(None);
        }
        if self.is_covered(n) {
            self.tree.node_mut(n).parked.push(block);
            return Ok(None);
        }
        if !std::mem::replace(&mut self.tree.node_mut(n).forced, true)
            && A::force_cover(self, context, n)?
        {
            self.tree.node_mut(n).parked.push(block);
            return Ok(None);
        }
        let target = self.problem.target(block);
        if self.closed.contains(&target) {
            return Ok(None);
        }
        let state = self.tree.node(n).state.clone();
        let successor = self.analysis.successor(context, &mut self.problem, &state, block)?;
        Ok(successor.map(|state| self.tree.add(target, state, Some((n, block)))))
    }

    /// Adds all outgoing blocks of a node to the worklist.
    fn expand(&mut self, n: NodeId) {
        let node = self.tree.node_mut(n);
        node.expanded = true;
        let location = node.location;
        let blocks: Vec<usize> = self.problem.summary.outgoing(location).collect();
        self.waiting.add(n, location, &blocks);
    }

    /// Expands a node unless another one covers it.
    pub(super) fn settle(&mut self, context: &mut Context, n: NodeId) -> Result<(), RefineError> {
        let mut todo = vec![n];
        while let Some(n) = todo.pop() {
            if self.tree.node(n).removed || self.is_covered(n) {
                continue;
            }
            match self.find_cover(context, n)? {
                Some(by) => todo.extend(self.tree.cover(n, by).into_iter().rev()),
                None => todo.extend(self.reopen(n).into_iter().rev()),
            }
        }
        Ok(())
    }

    /// Covers a node if it can be, and settles the nodes that it covered; could it?
    pub(super) fn try_cover(
        &mut self,
        context: &mut Context,
        n: NodeId,
    ) -> Result<bool, RefineError> {
        match self.find_cover(context, n)? {
            Some(by) => self.cover(context, n, by).map(|()| true),
            None => Ok(false),
        }
    }

    /// Covers a node by another one, and settles the nodes that it covered.
    pub(super) fn cover(
        &mut self,
        context: &mut Context,
        n: NodeId,
        by: NodeId,
    ) -> Result<(), RefineError> {
        for uncovered in self.tree.cover(n, by) {
            self.settle(context, uncovered)?;
        }
        Ok(())
    }

    /// Puts all on the worklist that a node and its descendants have left to process, except what
    /// is covered.  Returns the descendants that have not been expanded, which may now be covered.
    fn reopen(&mut self, n: NodeId) -> Vec<NodeId> {
        let (mut todo, mut leaves) = (vec![n], vec![]);
        while let Some(m) = todo.pop() {
            let node = self.tree.node_mut(m);
            if node.covered_by.is_some() {
                continue;
            }
            if !node.expanded {
                if m == n {
                    self.expand(m);
                } else {
                    leaves.push(m);
                }
                continue;
            }
            todo.extend(&node.children);
            let (location, parked) = (node.location, std::mem::take(&mut node.parked));
            self.waiting.add(m, location, &parked);
        }
        leaves
    }

    /// A node at the same location with a weaker state, by which this node can be covered.
    fn find_cover(
        &mut self,
        context: &mut Context,
        n: NodeId,
    ) -> Result<Option<NodeId>, RefineError> {
        let state = self.tree.node(n).state.clone();
        for other in self.candidates(n) {
            let weaker = self.tree.node(other).state.clone();
            if self.analysis.implies(context, &state, &weaker)? {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    /// The nodes by which this node may be covered, in order.
    pub(super) fn candidates(&self, n: NodeId) -> Vec<NodeId> {
        let here = self.tree.at(self.tree.node(n).location).iter().copied();
        let older = here.filter(|&other| if A::STRENGTHENS { other < n } else { other != n });
        older.filter(|&other| !self.is_covered(other)).collect()
    }

    /// Removes a node and its descendants.
    pub(super) fn remove(&mut self, context: &mut Context, n: NodeId) -> Result<(), RefineError> {
        for uncovered in self.tree.remove(n) {
            self.settle(context, uncovered)?;
        }
        Ok(())
    }

    /// Removes a node and its descendants; the block that led to it will be processed again.
    pub(super) fn explore_again(
        &mut self,
        context: &mut Context,
        n: NodeId,
    ) -> Result<(), RefineError> {
        let (parent, block) = self.tree.node(n).parent.expect("the root is not refined");
        self.remove(context, n)?;
        self.waiting.add(parent, self.tree.node(parent).location, &[block]);
        Ok(())
    }

    /// Closes a goal: blocks that lead there are no longer processed.
    pub(super) fn close(&mut self, goal: Location) {
        self.closed.insert(goal);
    }

    /// Is the node covered, or one that it descends from?  Where nodes are not strengthened in
    /// place, only nodes without children are covered.
    pub(super) fn is_covered(&self, n: NodeId) -> bool {
        if A::STRENGTHENS {
            self.tree.is_covered(n)
        } else {
            self.tree.node(n).covered_by.is_some()
        }
    }

    /// The disjunction of the states at each location.  Those of covered nodes are left out, which
    /// imply others.
    pub(super) fn invariant(&mut self, terms: &mut Terms) -> Result<Invariant, RefineError> {
        let mut states: BTreeMap<Location, Vec<A::State>> = BTreeMap::new();
        for (n, node) in self.tree.iter() {
            if !self.is_covered(n) {
                states.entry(node.location).or_default().push(node.state.clone());
            }
        }
        let mut at = vec![];
        for (location, all) in states {
            at.push((location, self.analysis.union(terms, &all)?));
        }
        Ok(Invariant { at, rounds: None })
    }
}
