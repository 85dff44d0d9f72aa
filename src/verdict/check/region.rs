//! Where regions begin and end: the cut nodes of a procedure.
//!
//! A cut node is the entry, the exit, the error node, a node with an assertion, or one that cuts
//! a cycle.  A region is a cut node and what follows it up to the next ones; it is acyclic.

use std::collections::BTreeMap;

use crate::bp::program::{EdgeId, NodeId, Op, Operation, Procedure};

/// The cut nodes of a procedure.
pub(super) struct Cuts {
    pub is_cut: Vec<bool>,
    /// By node: edges out of it, but for those that assume `F`, which close no cycle.
    pub outgoing: Vec<Vec<EdgeId>>,
    /// Of each node, such that edges lead to cut nodes or to a later position.
    position: Vec<usize>,
}

impl Cuts {
    /// With at least the nodes `is_cut`.
    pub fn new(procedure: &Procedure, mut is_cut: Vec<bool>) -> Self {
        for node in [procedure.entry, procedure.exit, procedure.error] {
            is_cut[node.index()] = true;
        }
        let passes = |e: &EdgeId| {
            let operation = &procedure.edge(*e).operation;
            !matches!(operation, Operation::Assume(c) if *c.ops == [Op::Constant(false)])
        };
        let outgoing = procedure.outgoing.iter();
        let outgoing: Vec<Vec<EdgeId>> =
            outgoing.map(|edges| edges.iter().copied().filter(passes).collect()).collect();
        let nodes = procedure.node_count();
        let (mut seen, mut open) = (vec![false; nodes], vec![false; nodes]);
        let (mut position, mut last) = (vec![0; nodes], nodes);
        for root in 0..nodes {
            // Depth first: an edge back into what is open closes a cycle.
            let mut stack = vec![(root, 0)];
            while let Some((node, next)) = stack.pop() {
                if next == 0 && std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                let Some(&edge) = outgoing[node].get(next) else {
                    open[node] = false;
                    last -= 1;
                    position[node] = last;
                    continue;
                };
                open[node] = true;
                stack.push((node, next + 1));
                let target = procedure.edge(edge).target.index();
                is_cut[target] |= open[target];
                if !is_cut[target] {
                    stack.push((target, 0));
                }
            }
        }
        Self { is_cut, outgoing, position }
    }

    /// `start` and the nodes that are no cuts up to the next cut nodes, each after those before it.
    pub fn region(&self, procedure: &Procedure, start: NodeId) -> Vec<NodeId> {
        let mut inner = BTreeMap::new();
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            for &edge in &self.outgoing[node.index()] {
                let target = procedure.edge(edge).target;
                let inside = !self.is_cut[target.index()];
                if inside && inner.insert(self.position[target.index()], target).is_none() {
                    stack.push(target);
                }
            }
        }
        std::iter::once(start).chain(inner.into_values()).collect()
    }
}
