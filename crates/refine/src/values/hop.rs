//! Hops: from a state to those at the next locations where paths join or blocks end, and what is
//! remembered of them.
//!
//! Of a state, a hop reads few variables and changes few.  If those that it reads have one value
//! each, the same follows from all states with these values, but for what it does not change.  So
//! in a program of many processes, most states are found without passing an edge.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;
use super::machine::code::{Code, Variable};
use super::machine::state::State;
use super::store::{Intervals, Row, relate, related};
use hardbop_cfa::Location;

/// Hops that are tried at a location before it is asked whether remembering pays.  Other values
/// were not measured.
const TRIED: u32 = 64;

/// A state at the end of a hop, and the variables that the hop wrote.
pub struct Outcome {
    pub at: Location,
    pub state: State,
    written: Written,
}

impl Outcome {
    /// The end of the hop, packed.
    pub fn end(self, row: Row) -> End {
        End { at: self.at, row, written: self.written }
    }
}

/// A state at the end of a hop, packed, and what the hop wrote.
pub struct End {
    at: Location,
    row: Row,
    written: Written,
}

/// A set of variables; of hops that are not noted, always empty.
#[derive(Clone)]
struct Written(Vec<u64>);

impl Written {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, v: Variable) {
        self.0[v as usize / 64] |= 1 << (v % 64);
    }

    fn has(&self, v: Variable) -> bool {
        self.0[v as usize / 64] >> (v % 64) & 1 == 1
    }
}

/// The variables that a hop reads of the state that it begins with, in the order of reading.
#[derive(Default)]
pub struct Reads {
    order: Vec<Variable>,
    seen: FxHashSet<Variable>,
}

/// A hop on its way: one outcome after the other, so that few are unpacked at once.
pub struct Hop {
    open: Vec<Outcome>,
    found: VecDeque<Outcome>,
    /// The variables that are read, if that is asked for.
    pub reads: Option<Reads>,
    /// How often the way has parted.
    pub forks: usize,
}

impl Hop {
    /// A hop from a state; with `notes`, what it reads and writes is noted.
    pub fn new(at: Location, state: State, notes: bool) -> Self {
        let written = Written::none(if notes { state.cells.len() } else { 0 });
        let reads = notes.then(Reads::default);
        let open = vec![Outcome { at, state, written }];
        Self { open, found: VecDeque::new(), reads, forks: 0 }
    }

    /// The next state where paths join or a block ends; none also once there are more than `most`
    /// forks.  `step` gives the states after an edge.
    ///
    /// # Errors
    /// Those of `step`.
    pub fn next<E>(
        &mut self,
        graph: &Graph,
        most: usize,
        mut step: impl FnMut(u32, State) -> Result<Vec<State>, E>,
    ) -> Result<Option<Outcome>, E> {
        while self.found.is_empty()
            && self.forks <= most
            && let Some(Outcome { at, state, written }) = self.open.pop()
        {
            let (edges, first) = (&graph.outgoing[at.index()], self.open.len());
            let mut here = Some((state, written));
            for (i, &e) in edges.iter().enumerate() {
                let before = if i + 1 == edges.len() { here.take() } else { here.clone() };
                let (state, mut written) = before.expect("the last edge takes it");
                if let Some(reads) = &mut self.reads {
                    for &v in &graph.reads[e as usize] {
                        if !written.has(v) && reads.seen.insert(v) {
                            reads.order.push(v);
                        }
                    }
                    graph.writes[e as usize].iter().for_each(|&v| written.add(v));
                }
                let at = graph.targets[e as usize];
                for state in step(e, state)? {
                    let outcome = Outcome { at, state, written: written.clone() };
                    match graph.stops(at) {
                        true => self.found.push_back(outcome),
                        false => self.open.push(outcome),
                    }
                }
            }
            self.open[first..].reverse();
            self.forks += (self.open.len() + self.found.len()).saturating_sub(first + 1);
        }
        Ok(self.found.pop_front())
    }
}

/// The hops that are remembered, by location.
pub struct Hops {
    places: FxHashMap<Location, Tree>,
    /// Numbers that are remembered, and the most.
    size: usize,
    most: usize,
}

/// A decision tree over the values that hops from a location read, in the order of reading: which
/// is read next depends on those before only.
struct Tree {
    /// The first one is the root.
    nodes: Vec<Node>,
    /// How often the hop was known, and how often not.
    found: u32,
    missed: u32,
}

enum Node {
    /// Nothing is known yet.
    Open,
    /// The next node depends on the value of the variable at this place of the row.
    Read(u32, FxHashMap<u32, u32>),
    /// The rows that follow.
    Known(Vec<Template>),
    /// A variable that is read has more than one value: what follows may divide it, or be related
    /// to it.
    Unclear,
}

/// A row that depends on another.
struct Template {
    at: Location,
    /// The place of the other row that is copied to each place, or `NEW`.
    copied: Box<[u32]>,
    /// The values at the other places; only those places are related that are new.
    row: Row,
}

const NEW: u32 = u32::MAX;

/// A hop from a row, as it is remembered.
pub enum Remembered {
    /// The rows that follow.
    Rows(Vec<(Location, Row)>),
    /// Nothing is remembered yet.
    New,
    /// Nothing is remembered, and it is not worth it.
    Nothing,
}

impl Hops {
    /// Remembers so many numbers, of 4 bytes each.
    pub fn new(most: usize) -> Self {
        Self { places: FxHashMap::default(), size: 0, most }
    }

    /// Does it pay to remember hops from here?
    pub fn pays(&self, at: Location) -> bool {
        self.places.get(&at).is_none_or(|t| t.missed < TRIED || t.found >= t.missed)
    }

    /// The rows that follow a row, as far as they are remembered.
    pub fn find(&mut self, graph: &Graph, code: &Code, at: Location, row: &Row) -> Remembered {
        let tree = self.places.entry(at).or_insert_with(|| Tree {
            nodes: vec![Node::Open],
            found: 0,
            missed: 0,
        });
        let mut node = 0;
        loop {
            match &tree.nodes[node as usize] {
                Node::Read(place, next) => match next.get(&row[*place as usize]) {
                    Some(&n) => node = n,
                    None => break,
                },
                Node::Known(all) => {
                    tree.found += 1;
                    let from = (&row[..], graph.live(at).len());
                    let rows = all.iter().map(|t| (t.at, t.fill(code, graph.live(t.at), from)));
                    return Remembered::Rows(rows.collect());
                }
                Node::Unclear => {
                    tree.missed += 1;
                    return Remembered::Nothing;
                }
                Node::Open => break,
            }
        }
        tree.missed += 1;
        if self.size >= self.most { Remembered::Nothing } else { Remembered::New }
    }

    /// Remembers what follows a row: all outcomes of a hop that noted what it read.
    pub fn learn(
        &mut self,
        graph: &Graph,
        intervals: &Intervals,
        (at, row): (Location, &Row),
        (reads, ends): (&Reads, Vec<End>),
    ) {
        // A template has each number of its row, and where to copy it from.
        let size: usize = ends.iter().map(|end| 2 * end.row.len()).sum();
        if self.size + size > self.most {
            return;
        }
        let (live, Some(tree)) = (graph.live(at), self.places.get_mut(&at)) else { return };
        let mut node = 0;
        for v in &reads.order {
            // What is read before it is written is live.
            let Ok(place) = live.binary_search(v) else { return };
            let code = row[place];
            if matches!(tree.nodes[node], Node::Open) {
                tree.nodes[node] = Node::Read(place as u32, FxHashMap::default());
            }
            let new = tree.nodes.len() as u32;
            let Node::Read(_, next) = &mut tree.nodes[node] else { return };
            node = *next.entry(code).or_insert(new) as usize;
            if node == new as usize {
                tree.nodes.push(Node::Open);
                self.size += 8;
            }
            if !intervals.is_number(code) {
                tree.nodes[node] = Node::Unclear;
                return;
            }
        }
        let template = |end: End| {
            let place = |v: &Variable| match end.written.has(*v) {
                true => Some(NEW),
                false => live.binary_search(v).ok().map(|place| place as u32),
            };
            let copied: Option<Box<[u32]>> = graph.live(end.at).iter().map(place).collect();
            copied.map(|copied| Template { at: end.at, copied, row: end.row })
        };
        let templates: Option<Vec<Template>> = ends.into_iter().map(template).collect();
        if let Some(templates) = templates {
            self.size += size;
            tree.nodes[node] = Node::Known(templates);
        }
    }
}

impl Template {
    /// The row for another one that has the same values where the hop reads.
    fn fill(&self, code: &Code, live: &[Variable], (from, count): (&[u32], usize)) -> Row {
        let places = self.copied.iter().zip(&self.row[..]);
        let codes = places.map(|(&place, &code)| match place {
            NEW => code,
            place => from[place as usize],
        });
        if from.len() == count && self.row.len() == live.len() {
            return codes.collect();
        }
        let mut row: Vec<u32> = codes.collect();
        // Both are in the order of places.
        let old: Vec<(u32, u32, i64)> = related(from, count).collect();
        let new: Vec<(u32, u32, i64)> = related(&self.row, live.len()).collect();
        let entries = self.copied.iter().zip(0..).filter_map(|(&from, place)| {
            let (all, of, odd) = if from == NEW { (&new, place, 1) } else { (&old, from, 0) };
            let (_, class, by) = all[all.binary_search_by_key(&of, |e| e.0).ok()?];
            Some((place, 2 * class + odd, by))
        });
        relate(code, live, entries, &mut row);
        row.into()
    }
}
