//! Procedures that a search can step over.
//!
//! With few variables kept, most procedures neither read nor write any of them and cannot fail.
//! Their summary is the identity, so nothing needs to be explored; only a counterexample has to
//! say how it passes through, for which some short path from entry to exit is kept.

use std::collections::{BTreeMap, VecDeque};

use super::block::{BlockStep, Compressed};
use super::liveness::Liveness;
use super::slice::Slice;
use crate::bp::program::{NodeId, ProcId, Program};

/// Longest path that is kept, in steps.
const STEPS: usize = 2_000;

/// For each transparent procedure, a path from entry to exit.
pub fn transparent(
    program: &Program,
    slice: &Slice,
    liveness: &Liveness,
    compressed: &[Option<Compressed>],
) -> Vec<Option<Vec<BlockStep>>> {
    let mut paths: Vec<Option<Vec<BlockStep>>> = vec![None; program.procedures.len()];
    let candidates: Vec<(ProcId, &Compressed)> = compressed
        .iter()
        .flatten()
        .map(|c| (c.procedure, c))
        .filter(|(p, _)| {
            let exit = program.procedure(*p).exit;
            liveness.frames[p.index()].is_empty()
                && slice.procedure(*p).is_some_and(|s| !s.can_fail && s.nodes[exit.index()])
        })
        .collect();
    // Callees first: a path uses only callees that have one, so it is finite.
    loop {
        let mut changed = false;
        for &(p, blocks) in &candidates {
            if paths[p.index()].is_none() {
                let procedure = program.procedure(p);
                let path = through(blocks, procedure.entry, procedure.exit, &paths);
                changed |= path.is_some();
                paths[p.index()] = path;
            }
        }
        if !changed {
            return paths;
        }
    }
}

/// A path with few blocks and calls, calls expanded.
fn through(
    blocks: &Compressed,
    entry: NodeId,
    exit: NodeId,
    paths: &[Option<Vec<BlockStep>>],
) -> Option<Vec<BlockStep>> {
    let procedure = blocks.procedure;
    let mut came: BTreeMap<NodeId, (NodeId, BlockStep)> = BTreeMap::new();
    let mut queue = VecDeque::from([entry]);
    while let Some(node) = queue.pop_front() {
        if node == exit {
            break;
        }
        let exits = blocks.blocks[node.index()].iter().flat_map(|b| &b.exits);
        let mut next: Vec<(NodeId, BlockStep)> = exits
            .map(|e| (e.target, BlockStep::Block { procedure, node, target: e.target }))
            .collect();
        for (site, call) in blocks.calls[node.index()].iter().enumerate() {
            if let (Some(target), Some(_)) = (call.target, &paths[call.callee.index()]) {
                next.push((target, BlockStep::Call { procedure, node, site }));
            }
        }
        for (target, step) in next {
            if target != entry && !came.contains_key(&target) {
                came.insert(target, (node, step));
                queue.push_back(target);
            }
        }
    }
    let mut backwards = vec![];
    let mut at = exit;
    while at != entry {
        let &(from, step) = came.get(&at)?;
        backwards.push(step);
        at = from;
    }
    let mut path = vec![];
    for &step in backwards.iter().rev() {
        path.push(step);
        if let BlockStep::Call { node, site, .. } = step {
            let callee = blocks.calls[node.index()][site].callee;
            path.extend(paths[callee.index()].iter().flatten().copied());
            path.push(BlockStep::Return);
        }
        if path.len() > STEPS {
            return None;
        }
    }
    Some(path)
}
