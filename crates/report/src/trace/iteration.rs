//! The rounds of loops that steps are in, and the branches that the text does not have.

use rustc_hash::{FxHashMap, FxHashSet};

use hardbop_c::execute::{Event, Leap};
use hardbop_c::flow::{Body, Edge, Flow, Instruction, Violation};

/// Counts how often each activation is at the heads of its loops.
#[derive(Default)]
pub(super) struct Loops {
    /// Whether each location of a function is a loop head.
    heads: FxHashMap<u32, Vec<bool>>,
    /// The locations of a function where a branch begins that the text does not have.
    checks: FxHashMap<u32, FxHashSet<u32>>,
    /// The visits by location, for each open activation by its depth.
    visits: Vec<FxHashMap<u32, u64>>,
    /// The count of a head whose first edge is not shown.
    pub left: Option<u64>,
}

impl Loops {
    /// Does the edge only look whether an operation is an error?
    pub fn is_check(&mut self, event: &Event, body: &Body, edge: &Edge) -> bool {
        let assumes = |e: &&Edge| matches!(e.instruction, Instruction::Assume { .. });
        if !assumes(&edge) {
            return false;
        }
        let checks = self.checks.entry(event.edge.function).or_insert_with(|| {
            let error = |e: &&Edge| match e.instruction {
                Instruction::Error(violation) => violation != Violation::Reached,
                _ => false,
            };
            let errors: FxHashSet<u32> =
                body.edges.iter().filter(error).map(|e| e.source.0).collect();
            let into = body.edges.iter().filter(|e| errors.contains(&e.target.0));
            into.map(|e| e.source.0).collect()
        });
        checks.contains(&edge.source.0)
    }

    /// The number of times that the activation is at the head of the loop that begins with the
    /// edge, if it is one.
    pub fn count(&mut self, event: &Event, body: &Body, edge: &Edge) -> Option<u64> {
        let depth = event.depth as usize;
        self.visits.truncate(depth + 1);
        self.visits.resize_with(depth + 1, FxHashMap::default);
        let heads = self.heads.entry(event.edge.function).or_insert_with(|| heads(body));
        let location = edge.source.0;
        if event.back || !heads[location as usize] {
            return None;
        }
        let visits = self.visits[depth].entry(location).or_default();
        *visits = visits.saturating_add(1);
        Some(*visits)
    }

    /// Takes in rounds that are not listed.
    pub fn leap(&mut self, flow: &Flow, leap: &Leap) {
        let outer = leap.edges.iter().map(|&(_, depth, _)| depth).min().unwrap_or(0);
        for &(edge, depth, back) in leap.edges.iter().filter(|(_, depth, _)| *depth == outer) {
            let event = Event { edge, depth, back, changed: vec![] };
            let body = flow.functions[edge.function as usize].body.as_ref();
            let taken = body.and_then(|b| Some((b, b.edges.get(edge.edge as usize)?)));
            if let Some((body, taken)) = taken
                && self.count(&event, body, taken).is_some()
                && let Some(visits) = self.visits[depth as usize].get_mut(&taken.source.0)
            {
                *visits = visits.saturating_add(leap.rounds - 1);
            }
        }
    }
}

/// The targets of edges that lead back to a location on the way to them, in depth-first order.
fn heads(body: &Body) -> Vec<bool> {
    let count = body.locations as usize;
    let mut outgoing: Vec<Vec<u32>> = vec![Vec::new(); count];
    for edge in &body.edges {
        outgoing[edge.source.0 as usize].push(edge.target.0);
    }
    let (mut heads, mut seen, mut open) =
        (vec![false; count], vec![false; count], vec![false; count]);
    let entry = body.entry.0 as usize;
    let mut stack = vec![(entry, 0)];
    (seen[entry], open[entry]) = (true, true);
    while let Some((location, next)) = stack.last_mut() {
        match outgoing[*location].get(*next) {
            Some(&target) => {
                *next += 1;
                let target = target as usize;
                heads[target] |= open[target];
                if !std::mem::replace(&mut seen[target], true) {
                    open[target] = true;
                    stack.push((target, 0));
                }
            }
            None => {
                open[*location] = false;
                stack.pop();
            }
        }
    }
    heads
}
