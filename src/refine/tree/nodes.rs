//! The abstract reachability tree.

use rustc_hash::FxHashMap;

use crate::program::cfa::Location;
use crate::refine::predicate::state::State;

/// A node, as an index into the [`Tree`].
pub type NodeId = usize;

/// n = (l, φ).
#[derive(Debug, Clone)]
pub struct Node {
    pub location: Location,
    pub state: State,
    /// The parent node and the block that leads from it; `None` for the root.
    pub parent: Option<(NodeId, usize)>,
    pub children: Vec<NodeId>,
    /// A node at the same location whose state is implied by the state of this node.
    pub covered_by: Option<NodeId>,
    /// The nodes that this one covers.
    pub covers: Vec<NodeId>,
    /// Has a refinement removed it?
    pub removed: bool,
    /// The number of predicates at its location when it was made.
    pub precision: usize,
}

/// All nodes, in the order in which they were made.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The nodes at each location that are not removed.
    at: FxHashMap<Location, Vec<NodeId>>,
    removed: usize,
}

impl Tree {
    /// The number of nodes that are not removed, and of all nodes ever made.
    pub fn sizes(&self) -> (usize, usize) {
        (self.nodes.len() - self.removed, self.nodes.len())
    }

    pub fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n]
    }

    /// The nodes that are not removed, in order.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().filter(|(_, n)| !n.removed)
    }

    /// The nodes at a location that are not removed, in order.
    pub fn at(&self, location: Location) -> &[NodeId] {
        self.at.get(&location).map_or(&[], |v| v)
    }

    /// Adds a node whose state is an abstraction by so many predicates.
    pub fn add(
        &mut self,
        location: Location,
        (state, precision): (State, usize),
        parent: Option<(NodeId, usize)>,
    ) -> NodeId {
        let n = self.nodes.len();
        self.nodes.push(Node {
            location,
            state,
            parent,
            children: vec![],
            covered_by: None,
            covers: vec![],
            removed: false,
            precision,
        });
        self.at.entry(location).or_default().push(n);
        if let Some((p, _)) = parent {
            self.nodes[p].children.push(n);
        }
        n
    }

    /// Records that `by` covers `n`.
    pub fn cover(&mut self, n: NodeId, by: NodeId) {
        self.nodes[n].covered_by = Some(by);
        self.nodes[by].covers.push(n);
    }

    /// The blocks from the root to a node, each with the node after it.
    pub fn path(&self, n: NodeId) -> Vec<(usize, NodeId)> {
        let mut path = vec![];
        let mut at = n;
        while let Some((parent, block)) = self.nodes[at].parent {
            path.push((block, at));
            at = parent;
        }
        path.reverse();
        path
    }

    /// Removes a node and its descendants.  Returns the nodes that are no longer covered, in order.
    pub fn remove(&mut self, n: NodeId) -> Vec<NodeId> {
        if let Some((parent, _)) = self.nodes[n].parent {
            self.nodes[parent].children.retain(|&c| c != n);
        }
        let mut uncovered = vec![];
        let mut todo = vec![n];
        while let Some(n) = todo.pop() {
            let node = &mut self.nodes[n];
            node.removed = true;
            self.removed += 1;
            todo.append(&mut node.children);
            uncovered.append(&mut node.covers);
            let location = node.location;
            if let Some(by) = node.covered_by.take() {
                self.nodes[by].covers.retain(|&c| c != n);
            }
            if let Some(here) = self.at.get_mut(&location) {
                here.retain(|&m| m != n);
            }
        }
        uncovered.retain(|&c| !self.nodes[c].removed);
        uncovered.iter().for_each(|&c| self.nodes[c].covered_by = None);
        uncovered.sort_unstable();
        uncovered
    }
}
