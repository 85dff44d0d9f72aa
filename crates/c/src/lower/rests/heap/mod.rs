//! Memory of the heap that may be read before it has a value.
//!
//! For each call that makes a block without values, all ways from there are followed, into callees and back to callers, as
//! long as something of the block that is read anywhere may have no value.  What has been given to a function without a body
//! may have got values there.

mod key;
mod reads;
mod state;
mod walk;
mod written;

use crate::flow::{Flow, FunctionId};
use crate::points_to::PointsTo;

/// Edges that are looked at in all; where there are more to look at, memory counts as read without a value.
const STEPS: u32 = 500_000;

/// The calls of which some path of these functions reads a block's memory that has no value: the function, and the edge.
pub(in crate::lower) fn unwritten_blocks(
    flow: &Flow,
    points_to: &mut PointsTo<'_>,
    functions: &[FunctionId],
) -> Vec<(FunctionId, u32)> {
    let sites = reads::sites(flow, points_to, functions);
    if sites.is_empty() {
        return vec![];
    }
    let graph = walk::Graph::new(flow, points_to, functions);
    let mut steps = STEPS;
    let mut sites: Vec<_> = sites.iter().filter(|(_, site)| !site.leaves.is_empty()).collect();
    sites.sort_unstable_by_key(|&(&at, _)| at);
    let mut read = vec![];
    for all in sites.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
        let Some(&(&(function, _), _)) = all.first() else { continue };
        let facts = if steps > 0 { graph.facts(function) } else { Default::default() };
        for &(&at, site) in all {
            let source = graph.edge(at).map(|edge| edge.source.0);
            let facts = source.and_then(|source| facts.get(&source));
            let facts = facts.cloned().unwrap_or_default();
            if steps == 0 || walk::Walk::new(&graph, site).finds(at, facts, &mut steps) {
                read.push(at);
            }
        }
    }
    read
}
