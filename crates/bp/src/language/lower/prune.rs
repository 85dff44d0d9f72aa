//! The end of lowering: unreachable nodes are dropped, the others get their final numbers.

use super::{Graph, UNKNOWN};
use crate::language::program::{Edge, EdgeId, Node, NodeId};

/// Drops what no path from the entry reaches (but keeps the exit and the error node), and numbers
/// the entry first, exit and error last, all else in the order of the text.
pub(crate) fn prune(
    mut nodes: Vec<Node>,
    edges: Vec<Edge>,
    entry: NodeId,
    exit: NodeId,
    error: NodeId,
) -> Graph {
    let mut successors: Vec<Vec<NodeId>> = vec![Vec::new(); nodes.len()];
    for edge in &edges {
        successors[edge.source.index()].push(edge.target);
    }
    let mut reached = vec![false; nodes.len()];
    reached[entry.index()] = true;
    let mut work = vec![entry];
    while let Some(node) = work.pop() {
        for &next in &successors[node.index()] {
            if !std::mem::replace(&mut reached[next.index()], true) {
                work.push(next);
            }
        }
    }
    let inner = (0..nodes.len() as u32)
        .map(NodeId)
        .filter(|&n| reached[n.index()] && ![entry, exit, error].contains(&n));
    let order: Vec<NodeId> = std::iter::once(entry).chain(inner).chain([exit, error]).collect();
    let mut number = vec![UNKNOWN; nodes.len()];
    for (new, old) in order.iter().enumerate() {
        number[old.index()] = NodeId(new as u32);
    }
    let nodes: Vec<Node> = order.iter().map(|n| std::mem::take(&mut nodes[n.index()])).collect();
    let edges: Vec<Edge> = edges
        .into_iter()
        .filter(|e| reached[e.source.index()])
        .map(|mut e| {
            e.source = number[e.source.index()];
            e.target = number[e.target.index()];
            e
        })
        .collect();
    let mut outgoing = vec![Vec::new(); nodes.len()];
    for (i, edge) in edges.iter().enumerate() {
        outgoing[edge.source.index()].push(EdgeId(i as u32));
    }
    let at = |n: NodeId| number[n.index()];
    Graph { outgoing, entry: at(entry), exit: at(exit), error: at(error), nodes, edges }
}
