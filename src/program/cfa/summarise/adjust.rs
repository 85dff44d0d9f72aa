//! Adjustable-block encoding: blocks that end where an operator says, each found from the location where it begins
//! (Beyer, Keremoglu, Wendler: "Predicate Abstraction with Adjustable-Block Encoding", FMCAD 2010; the operator blk of
//! Beyer, Wendler: "Algorithms for Software Model Checking: Predicate Abstraction vs. IMPACT", FMCAD 2012, Sect. III).
//!
//! There, the states of a block are made one by one, and those at one location are merged by the disjunction of their
//! path formulas.  Where the operator sees a location and the number of edges since the block began, these states are
//! the same for each abstraction state at a location.  So they are made once: one block to each end that can be
//! reached, with all edges on paths to it, in an order in which everything that is merged is merged before it is
//! passed on.  Unlike with the CFA-summary, a location can be in blocks of several others.

use std::collections::{BTreeMap, BTreeSet};

use super::{Block, Summary, paths_to};
use crate::program::cfa::automaton::Automaton;
use crate::program::cfa::program::Location;

/// Divides an automaton into blocks that end at goals, cuts, the locations that `ends` selects, and after `most`
/// edges.  Without `most`, every loop must contain an end.
pub fn adjust(
    automaton: &Automaton,
    ends: impl Fn(Location) -> bool,
    most: Option<u32>,
) -> Summary {
    let mut is_end: Vec<bool> = (0..automaton.locations).map(|l| ends(Location(l))).collect();
    automaton.goals.iter().for_each(|(l, _)| is_end[l.index()] = true);
    automaton.cuts.iter().for_each(|(l, _)| is_end[l.index()] = true);
    let outgoing = automaton.outgoing();
    let mut by_source: BTreeMap<Location, Vec<Block>> = BTreeMap::new();
    let mut todo = vec![automaton.entry];
    while let Some(source) = todo.pop() {
        if by_source.contains_key(&source) {
            continue;
        }
        let blocks = match most {
            None => loop_free(automaton, &outgoing, source, &is_end),
            Some(most) => bounded(automaton, &outgoing, source, &is_end, most.max(1)),
        };
        todo.extend(blocks.iter().map(|b| b.target));
        by_source.insert(source, blocks);
    }
    let locations = by_source.keys().copied().collect();
    Summary { locations, blocks: by_source.into_values().flatten().collect() }
}

/// The locations at which the loops of an automaton begin: each cycle contains one.
pub fn loop_heads(automaton: &Automaton) -> BTreeSet<Location> {
    let outgoing = automaton.outgoing();
    let mut heads = BTreeSet::new();
    // In the depth-first search: not yet reached, on the stack, or left.
    let (mut reached, mut left) = (vec![false; outgoing.len()], vec![false; outgoing.len()]);
    let mut stack = vec![(automaton.entry, 0)];
    reached[automaton.entry.index()] = true;
    while let Some((location, next)) = stack.last_mut() {
        let Some(&edge) = outgoing[location.index()].get(*next) else {
            left[location.index()] = true;
            stack.pop();
            continue;
        };
        *next += 1;
        let target = automaton.edges[edge as usize].target;
        if !std::mem::replace(&mut reached[target.index()], true) {
            stack.push((target, 0));
        } else if !left[target.index()] {
            heads.insert(target);
        }
    }
    heads
}

/// The locations at which functions are entered and left: where an edge leads from one activation to another.
pub fn function_ends(automaton: &Automaton) -> BTreeSet<Location> {
    let mut frames = vec![None; automaton.locations as usize];
    automaton.edges.iter().for_each(|e| frames[e.source.index()] = Some(e.frame));
    let crosses = automaton
        .edges
        .iter()
        .filter(|e| frames[e.target.index()].is_some_and(|frame| frame != e.frame));
    crosses.map(|e| e.target).collect()
}

/// The blocks from a location to the first ends on all paths.
fn loop_free(
    automaton: &Automaton,
    outgoing: &[Vec<u32>],
    source: Location,
    is_end: &[bool],
) -> Vec<Block> {
    // Locations in reverse postorder, which is topological since the ends cut all loops.
    let mut order = vec![];
    let mut reached = BTreeSet::from([source]);
    let mut stack = vec![(source, 0)];
    while let Some((location, next)) = stack.last_mut() {
        let Some(&edge) = outgoing[location.index()].get(*next) else {
            order.push(*location);
            stack.pop();
            continue;
        };
        *next += 1;
        let target = automaton.edges[edge as usize].target;
        if !is_end[target.index()] && reached.insert(target) {
            stack.push((target, 0));
        }
    }
    let region: Vec<u32> = order.iter().rev().flat_map(|l| &outgoing[l.index()]).copied().collect();
    let mut targets: Vec<Location> = region
        .iter()
        .map(|&e| automaton.edges[e as usize].target)
        .filter(|t| is_end[t.index()])
        .collect();
    targets.sort_unstable();
    targets.dedup();
    let mut needed = vec![None; automaton.locations as usize];
    let block = |target| {
        let edges =
            paths_to(automaton, &region, (source, target), &|l| is_end[l.index()], &mut needed);
        Block { source, target, edges, ..Block::default() }
    };
    targets.into_iter().map(block).collect()
}

/// The blocks from a location to the first ends on all paths, and to where these have `most` edges.
fn bounded(
    automaton: &Automaton,
    outgoing: &[Vec<u32>],
    source: Location,
    is_end: &[bool],
    most: u32,
) -> Vec<Block> {
    let target = |e: u32| automaton.edges[e as usize].target;
    // The edges after each number of edges.
    let mut layers: Vec<Vec<u32>> = vec![];
    let mut front = BTreeSet::from([source]);
    while !front.is_empty() && (layers.len() as u32) < most {
        let edges: Vec<u32> = front.iter().flat_map(|l| &outgoing[l.index()]).copied().collect();
        front = edges.iter().map(|&e| target(e)).filter(|t| !is_end[t.index()]).collect();
        layers.push(edges);
    }
    let inside = layers.iter().flatten().map(|&e| target(e)).filter(|t| is_end[t.index()]);
    let mut targets: Vec<(Location, u32)> = inside.map(|t| (t, 0)).collect();
    targets.extend(front.into_iter().map(|t| (t, most)));
    targets.sort_unstable();
    targets.dedup();
    let block = |(end, bound): (Location, u32)| {
        let (mut edges, mut depths) = (vec![], vec![]);
        // Locations after so many edges from which the end can be reached; backwards.
        let mut needed: BTreeSet<Location> = BTreeSet::new();
        for (depth, layer) in layers.iter().enumerate().rev() {
            let depth = depth as u32;
            let ends_here = bound == 0 || depth + 1 == bound;
            let mut before = BTreeSet::new();
            for &e in layer.iter().rev() {
                if target(e) == end && ends_here || needed.contains(&target(e)) {
                    before.insert(automaton.edges[e as usize].source);
                    edges.push(e);
                    depths.push(depth);
                }
            }
            needed = before;
        }
        edges.reverse();
        depths.reverse();
        Block { source, target: end, edges, depths, bound }
    };
    targets.into_iter().map(block).collect()
}
