//! The cut nodes of a procedure, where regions begin and end.
//!
//! A cut node is the entry, the exit, the error node, a node with an assertion, or one that cuts
//! a cycle.  A region is a cut node and what follows it up to the next ones; it is acyclic.

use crate::language::program::{EdgeId, NodeId, Op, Operation, Procedure};

/// The cut nodes of a procedure.
pub(super) struct Cuts<'a> {
    pub procedure: &'a Procedure,
    /// Whether each node is a cut node.
    pub is_cut: Vec<bool>,
}

impl<'a> Cuts<'a> {
    /// A region with at least the cut nodes of `is_cut`.
    pub fn new(procedure: &'a Procedure, mut is_cut: Vec<bool>) -> Self {
        for node in [procedure.entry, procedure.exit, procedure.error] {
            is_cut[node.index()] = true;
        }
        let mut cuts = Self { procedure, is_cut };
        let mut open = vec![None; procedure.node_count()];
        for root in procedure.node_ids() {
            let (_, closing) = cuts.depth_first(root, &mut open);
            closing.into_iter().for_each(|node| cuts.is_cut[node.index()] = true);
        }
        cuts
    }

    /// Edges out of a node, except those that assume `F`, which close no cycle.
    pub fn outgoing(&self, node: NodeId) -> Vec<EdgeId> {
        let passes = |e: &EdgeId| {
            let operation = &self.procedure.edge(*e).operation;
            !matches!(operation, Operation::Assume(c) if *c.ops == [Op::Constant(false)])
        };
        self.procedure.outgoing[node.index()].iter().copied().filter(passes).collect()
    }

    /// `start` and the nodes after it that are not cut nodes, in topological order.
    pub fn region(&self, start: NodeId) -> Vec<NodeId> {
        let mut open = vec![None; self.procedure.node_count()];
        let (mut left, _) = self.depth_first(start, &mut open);
        left.reverse();
        left
    }

    /// The nodes reached without passing a cut node, in depth-first postorder, and the targets of
    /// edges that close a cycle; `open` has a value for visited nodes.
    fn depth_first(&self, root: NodeId, open: &mut [Option<bool>]) -> (Vec<NodeId>, Vec<NodeId>) {
        let (mut left, mut closing) = (Vec::new(), Vec::new());
        let mut stack = Vec::new();
        if open[root.index()].is_none() {
            open[root.index()] = Some(true);
            stack.push((root, self.outgoing(root)));
        }
        while let Some((node, edges)) = stack.last_mut() {
            let Some(edge) = edges.pop() else {
                open[node.index()] = Some(false);
                left.push(*node);
                stack.pop();
                continue;
            };
            let target = self.procedure.edge(edge).target;
            match open[target.index()] {
                Some(true) => closing.push(target),
                None if !self.is_cut[target.index()] => {
                    open[target.index()] = Some(true);
                    stack.push((target, self.outgoing(target)));
                }
                _ => {}
            }
        }
        (left, closing)
    }
}
