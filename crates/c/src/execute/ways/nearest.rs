//! How far places are from code that no execution has come to (Cadar, Dunbar, Engler, KLEE, OSDI 2008, the minimum distance to
//! an uncovered instruction).

use std::collections::VecDeque;

use crate::flow::{Callee, Edge, ExprKind, Flow, FunctionId, Instruction};
use crate::trace::EdgeIndex;

/// A way from a place to another one, backwards, and what it counts.
type Back = (u32, u32);

/// The distances of all places, in edges of the program on the way; those of the library's C code count as none.
#[derive(Debug)]
pub(super) struct Distances {
    /// By function: how many locations, and edges, those in front of it have.
    first: Vec<(u32, u32)>,
    /// By location: from where edges, calls and returns lead there.
    back: Vec<Vec<Back>>,
    /// By edge: its source, if it is one to come to.
    open: Vec<Option<u32>>,
    /// By location; none where nothing to come to is ahead.
    distances: Vec<Option<u32>>,
    is_stale: bool,
}

impl Distances {
    /// With no edge passed.
    pub fn new(flow: &Flow) -> Self {
        let (mut first, mut locations, mut open) = (vec![], 0, vec![]);
        for (index, function) in flow.functions.iter().enumerate() {
            first.push((locations, open.len() as u32));
            let Some(body) = &function.body else { continue };
            let is_own = !flow.is_of_library(FunctionId(index as u32));
            // Errors are tried all the same, and most are none.
            let fails = |edge: &Edge| matches!(edge.instruction, Instruction::Error(_));
            let mut failing = vec![false; body.locations as usize];
            for edge in body.edges.iter().filter(|edge| fails(edge)) {
                failing[edge.source.0 as usize] = true;
            }
            for edge in &body.edges {
                let is_open = is_own && !fails(edge) && !failing[edge.target.0 as usize];
                open.push(is_open.then_some(locations + edge.source.0));
            }
            locations += body.locations;
        }
        let count = locations as usize;
        let back = vec![vec![]; count];
        let mut all = Self { first, back, open, distances: vec![None; count], is_stale: true };
        all.connect(flow);
        all
    }

    fn connect(&mut self, flow: &Flow) {
        // Calls through pointers lead by way of one place to all functions whose addresses are taken, and back by another one.
        let [through, behind] = [0, 1].map(|i| self.back.len() + i);
        self.back.extend([vec![], vec![]]);
        self.distances.extend([None, None]);
        let mut addressed = vec![false; flow.functions.len()];
        for part in flow.parts() {
            if let ExprKind::FunctionAddress(f) = part.kind {
                addressed[f.0 as usize] = true;
            }
        }
        for function in (0..flow.functions.len() as u32).map(FunctionId) {
            let Some(body) = &flow.functions[function.0 as usize].body else { continue };
            let cost = u32::from(!flow.is_of_library(function));
            if addressed[function.0 as usize] {
                let [entry, exit] = [body.entry, body.exit].map(|at| self.at(function.0, at.0));
                self.back[entry].push((through as u32, 0));
                self.back[behind].push((exit as u32, 0));
            }
            for edge in &body.edges {
                let [source, target] =
                    [edge.source, edge.target].map(|at| self.at(function.0, at.0));
                self.back[target].push((source as u32, cost));
                let Instruction::Call { callee, .. } = &edge.instruction else { continue };
                let [entry, exit] = match callee {
                    Callee::Pointer(_) => [through, behind],
                    Callee::Function(f) => {
                        let Some(body) = &flow.functions[f.0 as usize].body else { continue };
                        [body.entry, body.exit].map(|at| self.at(f.0, at.0))
                    }
                };
                self.back[entry].push((source as u32, cost));
                self.back[target].push((exit as u32, 0));
            }
        }
    }

    fn at(&self, function: u32, location: u32) -> usize {
        (self.first[function as usize].0 + location) as usize
    }

    /// An execution passes an edge.
    pub fn pass(&mut self, edge: EdgeIndex) {
        let at = self.first[edge.function as usize].1 + edge.edge;
        self.is_stale |= self.open[at as usize].take().is_some();
    }

    /// How far it is from a location; none where nothing to come to is ahead.
    pub fn of(&mut self, function: u32, location: u32) -> Option<u32> {
        if std::mem::take(&mut self.is_stale) {
            self.measure();
        }
        self.distances[self.at(function, location)]
    }

    fn measure(&mut self) {
        self.distances.fill(None);
        let mut next: VecDeque<(u32, u32)> =
            self.open.iter().flatten().map(|&at| (at, 0)).collect();
        while let Some((at, distance)) = next.pop_front() {
            let known = &mut self.distances[at as usize];
            if known.is_some() {
                continue;
            }
            *known = Some(distance);
            for &(from, cost) in &self.back[at as usize] {
                if cost == 0 {
                    next.push_front((from, distance));
                } else {
                    next.push_back((from, distance + cost));
                }
            }
        }
    }
}
