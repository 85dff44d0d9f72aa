//! The abstract reachability tree.

use rustc_hash::FxHashMap;

use hardbop_cfa::Location;

/// A node, as an index into the [`Tree`].
pub type NodeId = usize;

/// n = (l, φ).
#[derive(Debug, Clone)]
pub struct Node<S> {
    pub location: Location,
    pub state: S,
    /// The parent node and the block that leads from it; `None` for the root.
    pub parent: Option<(NodeId, usize)>,
    pub children: Vec<NodeId>,
    /// A node at the same location whose state is implied by the state of this node.
    pub covered_by: Option<NodeId>,
    /// The nodes that this one covers.
    pub covers: Vec<NodeId>,
    /// Has a refinement removed it?
    pub removed: bool,
    /// Have its outgoing blocks been put on the worklist?
    pub expanded: bool,
    /// Outgoing blocks that were taken from the worklist while the node, or one that it descends
    /// from, was covered.
    pub parked: Vec<usize>,
    /// Has forced covering been tried since the node was last uncovered?
    pub forced: bool,
}

/// All nodes, in the order in which they were made.
#[derive(Debug)]
pub struct Tree<S> {
    nodes: Vec<Node<S>>,
    /// The nodes at each location that are not removed.
    at: FxHashMap<Location, Vec<NodeId>>,
    removed: usize,
}

impl<S> Default for Tree<S> {
    fn default() -> Self {
        Self { nodes: vec![], at: FxHashMap::default(), removed: 0 }
    }
}

impl<S> Tree<S> {
    /// The number of nodes that are not removed, and of all nodes ever made.
    pub fn sizes(&self) -> (usize, usize) {
        (self.nodes.len() - self.removed, self.nodes.len())
    }

    pub fn node(&self, n: NodeId) -> &Node<S> {
        &self.nodes[n]
    }

    /// A node, to change it.
    pub fn node_mut(&mut self, n: NodeId) -> &mut Node<S> {
        &mut self.nodes[n]
    }

    /// The nodes that are not removed, in order.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node<S>)> {
        self.nodes.iter().enumerate().filter(|(_, n)| !n.removed)
    }

    /// The nodes at a location that are not removed, in order.
    pub fn at(&self, location: Location) -> &[NodeId] {
        self.at.get(&location).map_or(&[], |v| v)
    }

    /// Adds a node.
    pub fn add(&mut self, location: Location, state: S, parent: Option<(NodeId, usize)>) -> NodeId {
        let n = self.nodes.len();
        self.nodes.push(Node {
            location,
            state,
            parent,
            children: vec![],
            covered_by: None,
            covers: vec![],
            removed: false,
            expanded: false,
            parked: vec![],
            forced: false,
        });
        self.at.entry(location).or_default().push(n);
        if let Some((p, _)) = parent {
            self.nodes[p].children.push(n);
        }
        n
    }

    /// Records that `by` covers `n`.  Returns the nodes that `n` and its descendants covered: they
    /// no longer are, since a covered node, or one that descends from it, covers none.
    pub fn cover(&mut self, n: NodeId, by: NodeId) -> Vec<NodeId> {
        let mut uncovered = vec![];
        for m in self.subtree(n) {
            uncovered.append(&mut self.nodes[m].covers);
        }
        self.release(&uncovered);
        uncovered.sort_unstable();
        self.nodes[n].covered_by = Some(by);
        self.nodes[by].covers.push(n);
        uncovered
    }

    /// Records that nothing covers `n` any more.
    pub fn uncover(&mut self, n: NodeId) {
        if let Some(by) = self.nodes[n].covered_by {
            self.nodes[by].covers.retain(|&c| c != n);
            self.release(&[n]);
        }
    }

    /// Notes that nothing covers these nodes any more.
    fn release(&mut self, uncovered: &[NodeId]) {
        for &n in uncovered {
            self.nodes[n].covered_by = None;
            self.nodes[n].forced = false;
        }
    }

    /// Is the node covered, or one that it descends from?
    pub fn is_covered(&self, n: NodeId) -> bool {
        self.ancestors(n).any(|a| self.nodes[a].covered_by.is_some())
    }

    /// The node, its parent, and so on to the root.
    pub fn ancestors(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(n), |&a| self.nodes[a].parent.map(|(parent, _)| parent))
    }

    /// The node and its descendants, parents first.
    pub fn subtree(&self, n: NodeId) -> Vec<NodeId> {
        let mut all = vec![n];
        let mut next = 0;
        while let Some(&m) = all.get(next) {
            all.extend(&self.nodes[m].children);
            next += 1;
        }
        all
    }

    /// The blocks from the root to a node, each with the node after it.
    pub fn path(&self, n: NodeId) -> Vec<(usize, NodeId)> {
        self.path_from(n, None)
    }

    /// The blocks from an ancestor, or the root, to a node, each with the node after it.
    pub fn path_from(&self, n: NodeId, ancestor: Option<NodeId>) -> Vec<(usize, NodeId)> {
        let below = self.ancestors(n).take_while(|&a| Some(a) != ancestor);
        let mut path: Vec<_> =
            below.filter_map(|a| self.nodes[a].parent.map(|(_, block)| (block, a))).collect();
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
        self.release(&uncovered);
        uncovered.sort_unstable();
        uncovered
    }
}
