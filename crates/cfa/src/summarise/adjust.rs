//! Adjustable-block encoding: blocks that end where an operator says, each found from the location
//! where it begins (Beyer, Keremoglu, Wendler: "Predicate Abstraction with Adjustable-Block
//! Encoding", FMCAD 2010; the operator blk of Beyer, Wendler: "Algorithms for Software Model
//! Checking: Predicate Abstraction vs. IMPACT", FMCAD 2012, Sect. III).
//!
//! There, the states of a block are made one by one, and those at one location are merged by the
//! disjunction of their path formulas.  Where the operator sees a location and the number of edges
//! since the block began, these states are the same for each abstraction state at a location.  So
//! they are made once: one block to each end that can be reached, with all edges on paths to it, in
//! an order in which everything that is merged is merged before it is passed on.  Unlike with the
//! CFA-summary, a location can be in blocks of several others.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::{Block, Summary, always_ends, region_blocks};
use crate::automaton::Automaton;
use crate::program::Location;

/// Divides an automaton into blocks that end at goals, cuts, the locations that `ends` selects, and
/// after `most` edges.  Without `most`, every loop must contain an end.
pub fn adjust(
    automaton: &Automaton,
    ends: impl Fn(Location) -> bool,
    most: Option<u32>,
) -> Summary {
    let mut is_end = always_ends(automaton);
    for (location, is_end) in (0..).map(Location).zip(&mut is_end) {
        *is_end |= ends(location);
    }
    let outgoing = automaton.outgoing();
    let mut by_source: BTreeMap<Location, Vec<Block>> = BTreeMap::new();
    let mut needed = vec![None; automaton.locations as usize];
    let mut todo = vec![automaton.entry];
    while let Some(source) = todo.pop() {
        if by_source.contains_key(&source) {
            continue;
        }
        let blocks = match most {
            None => loop_free(automaton, &outgoing, source, &is_end, &mut needed),
            Some(most) => bounded(automaton, &outgoing, source, &is_end, most.max(1)),
        };
        todo.extend(blocks.iter().map(|b| b.target));
        by_source.insert(source, blocks);
    }
    let locations = by_source.keys().copied().collect();
    Summary { locations, blocks: by_source.into_values().flatten().collect() }
}

/// The locations that can be reached, in the postorder of a depth-first search that takes
/// successors in their order.
pub fn postorder<S: Iterator<Item = Location>>(
    start: Location,
    successors: impl Fn(Location) -> S,
) -> Vec<Location> {
    let mut order = vec![];
    let mut reached = FxHashSet::from_iter([start]);
    let mut stack = vec![(start, successors(start))];
    while let Some((location, next)) = stack.last_mut() {
        match next.find(|&l| reached.insert(l)) {
            Some(l) => stack.push((l, successors(l))),
            None => {
                order.push(*location);
                stack.pop();
            }
        }
    }
    order
}

/// The locations at which the loops of an automaton begin: each cycle contains one.
pub fn loop_heads(automaton: &Automaton) -> BTreeSet<Location> {
    let outgoing = automaton.outgoing();
    let target = |&e: &u32| automaton.edges[e as usize].target;
    let order = postorder(automaton.entry, |l| outgoing[l.index()].iter().map(target));
    let mut left = vec![None; outgoing.len()];
    for (number, location) in order.iter().enumerate() {
        left[location.index()] = Some(number);
    }
    // The search has not left the location to which an edge leads back.
    let back = automaton.edges.iter().filter(|e| {
        left[e.source.index()].is_some() && left[e.source.index()] <= left[e.target.index()]
    });
    back.map(|e| e.target).collect()
}

/// The locations at which functions are entered and left: where an edge leads from one activation
/// to another.
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
    needed: &mut [Option<(Location, Location)>],
) -> Vec<Block> {
    let targets =
        |l: Location| outgoing[l.index()].iter().map(|&e| automaton.edges[e as usize].target);
    // Its reverse is topological, since the ends cut all loops.
    let order = postorder(source, |l| targets(l).filter(|t| !is_end[t.index()]));
    let region: Vec<u32> = order.iter().rev().flat_map(|l| &outgoing[l.index()]).copied().collect();
    region_blocks(automaton, source, &region, &|l| is_end[l.index()], needed)
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
