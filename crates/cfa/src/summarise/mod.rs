//! CFA summarisation: loop-free parts of an automaton become blocks (Beyer et al., "Software Model
//! Checking via Large-Block Encoding", Sect. III-A).
//!
//! Rule 1 removes a location with one incoming edge, Rule 2 joins parallel edges; both are applied
//! as long as possible. So a location disappears into a location l if all its incoming edges come
//! from l or from locations that have disappeared into l. [`summarise`] computes just this, each
//! location's *owner*, in time linear in the automaton; which locations stay does not depend on the
//! order of the rules. The edge that the rules leave between two locations is then the block of all
//! edges on paths between them, in topological order: op1;op2 and op1||op2 become a graph without
//! copies.
//!
//! Goals stay, although Rule 1 could remove them: Theorem 3.1 (i) requires them. So do cuts.

mod adjust;

pub use adjust::{adjust, function_ends, loop_heads, postorder};

use super::automaton::Automaton;
use super::program::Location;

/// An edge of the summarised automaton.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    pub source: Location,
    pub target: Location,
    /// Numbers of edges of the automaton: all edges on paths from source to target that pass no
    /// other remaining location. Each location's incoming edges precede its outgoing ones.
    pub edges: Vec<u32>,
    /// The number of edges that precede each edge, where paths of the block may pass a location
    /// twice.  Edges that occur after different numbers of edges occur as often.  Otherwise empty.
    pub depths: Vec<u32>,
    /// The number of edges after which the block ends at its target, which it may pass before; 0 if
    /// it never passes it.
    pub bound: u32,
}

/// A location within a block, with the number of edges that precede it if the block has
/// [depths](Block::depths).
pub type Point = (Location, u32);

impl Block {
    /// The point where the block begins.
    pub fn start(&self) -> Point {
        (self.source, 0)
    }

    /// The point where the block ends.
    pub fn end(&self) -> Point {
        (self.target, u32::MAX)
    }

    /// The edges in order, each with the points before and after it.
    pub fn steps<'a>(
        &'a self,
        automaton: &'a Automaton,
    ) -> impl Iterator<Item = (u32, Point, Point)> + 'a {
        self.edges.iter().enumerate().map(|(i, &e)| {
            let edge = &automaton.edges[e as usize];
            let (before, after) = match self.depths.get(i) {
                Some(&depth) => (depth, depth + 1),
                None => (0, 0),
            };
            let ends = edge.target == self.target && (self.bound == 0 || after == self.bound);
            (e, (edge.source, before), if ends { self.end() } else { (edge.target, after) })
        })
    }
}

/// An automaton whose edges are blocks. Locations keep their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The remaining locations, in order.
    pub locations: Vec<Location>,
    /// Sorted by source, then by target.
    pub blocks: Vec<Block>,
}

impl Summary {
    /// The numbers of the blocks that leave a location.
    pub fn outgoing(&self, location: Location) -> std::ops::Range<usize> {
        let first = self.blocks.partition_point(|b| b.source < location);
        first..self.blocks.partition_point(|b| b.source <= location)
    }
}

/// Single-block encoding: every edge is a block, and every location stays.
pub fn single_blocks(automaton: &Automaton) -> Summary {
    let mut blocks: Vec<Block> = (0_u32..)
        .zip(&automaton.edges)
        .map(|(i, e)| Block {
            source: e.source,
            target: e.target,
            edges: vec![i],
            ..Block::default()
        })
        .collect();
    blocks.sort_by_key(|b| (b.source, b.target));
    Summary { locations: (0..automaton.locations).map(Location).collect(), blocks }
}

/// The CFA-summary: large-block encoding. All locations of the automaton must be reachable from the
/// entry (see [`prune`](super::prune::prune)).
pub fn summarise(automaton: &Automaton) -> Summary {
    let owners = owners(automaton);
    let locations: Vec<Location> = (0..automaton.locations)
        .map(Location)
        .filter(|l| owners.of[l.index()] == Some(*l))
        .collect();
    let outgoing = automaton.outgoing();
    let mut regions: Vec<Vec<u32>> = vec![vec![]; automaton.locations as usize];
    // The order of removal is topological within each region.
    for &l in &owners.order {
        let owner = owners.of[l.index()].expect("a location in the order has an owner");
        regions[owner.index()].extend(&outgoing[l.index()]);
    }
    let mut needed = vec![None; automaton.locations as usize];
    let mut blocks = vec![];
    for &source in &locations {
        let stays = |l: Location| owners.of[l.index()] == Some(l);
        blocks.extend(region_blocks(
            automaton,
            source,
            &regions[source.index()],
            &stays,
            &mut needed,
        ));
    }
    Summary { locations, blocks }
}

/// The blocks from a location to the locations that `ends` selects, by the edges of its region, in
/// order.  `needed` is working space: for each location, the source and target on a path between
/// which it was last seen.
fn region_blocks(
    automaton: &Automaton,
    source: Location,
    region: &[u32],
    ends: &impl Fn(Location) -> bool,
    needed: &mut [Option<(Location, Location)>],
) -> Vec<Block> {
    let reached = region.iter().map(|&e| automaton.edges[e as usize].target);
    let mut targets: Vec<Location> = reached.filter(|&t| ends(t)).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut blocks = vec![];
    for target in targets {
        // Search backwards from the target.
        let mark = Some((source, target));
        let mut edges = vec![];
        for &e in region.iter().rev() {
            let edge = &automaton.edges[e as usize];
            if edge.target == target || !ends(edge.target) && needed[edge.target.index()] == mark {
                needed[edge.source.index()] = mark;
                edges.push(e);
            }
        }
        edges.reverse();
        blocks.push(Block { source, target, edges, ..Block::default() });
    }
    blocks
}

/// The locations at which blocks end whatever the operator: goals and cuts.
fn always_ends(automaton: &Automaton) -> Vec<bool> {
    let mut ends = vec![false; automaton.locations as usize];
    automaton.goals.iter().for_each(|(l, _)| ends[l.index()] = true);
    automaton.cuts.iter().for_each(|(l, _)| ends[l.index()] = true);
    ends
}

struct Owners {
    /// The location into which each location disappears; itself if it stays, `None` if it is
    /// unreachable.
    of: Vec<Option<Location>>,
    /// All reachable locations; within a region, predecessors come first.
    order: Vec<Location>,
}

/// A location waits until all its predecessors have owners; it disappears if these are the same,
/// and stays otherwise. When all remaining locations wait for each other, those that have a
/// predecessor with an owner stay: whatever disappears later does so into a location that has not
/// been reached yet.
fn owners(automaton: &Automaton) -> Owners {
    let n = automaton.locations as usize;
    let outgoing = automaton.outgoing();
    let stays = always_ends(automaton);
    let mut waiting = vec![0_u32; n];
    for edge in &automaton.edges {
        waiting[edge.target.index()] += 1;
    }
    let mut of: Vec<Option<Location>> = vec![None; n];
    let mut candidate: Vec<Option<Location>> = vec![None; n];
    let mut order = vec![];
    let mut ready = vec![];
    let mut frontier = std::collections::BTreeSet::new();
    of[automaton.entry.index()] = Some(automaton.entry);
    ready.push(automaton.entry);
    loop {
        while let Some(l) = ready.pop() {
            order.push(l);
            let owner = of[l.index()];
            for &e in &outgoing[l.index()] {
                let t = automaton.edges[e as usize].target;
                waiting[t.index()] -= 1;
                if of[t.index()].is_some() {
                    continue;
                }
                let conflict = candidate[t.index()].is_some_and(|c| Some(c) != owner);
                candidate[t.index()] = owner;
                if conflict || stays[t.index()] {
                    frontier.remove(&t);
                    of[t.index()] = Some(t);
                    ready.push(t);
                } else if waiting[t.index()] == 0 {
                    frontier.remove(&t);
                    of[t.index()] = owner;
                    ready.push(t);
                } else {
                    frontier.insert(t);
                }
            }
        }
        if frontier.is_empty() {
            return Owners { of, order };
        }
        for t in std::mem::take(&mut frontier) {
            of[t.index()] = Some(t);
            ready.push(t);
        }
    }
}
