//! Circuits with latches: a graph in which some inputs are the values of latches.

use rustc_hash::{FxHashMap, FxHashSet};

use super::aig::{Aig, Input, Lit};

/// A latch; 0 at the start.
#[derive(Debug, Clone)]
pub struct Latch {
    /// The input of the graph that is its value.
    pub state: Input,
    /// Its value in the next step.
    pub next: Lit,
    pub name: String,
}

/// A circuit with latches, and a literal that tells bad states.
///
/// Invariant: every latch may matter for `bad`, now or in a later step.
#[derive(Debug)]
pub struct Sequential {
    aig: Aig,
    latches: Vec<Latch>,
    bad: Lit,
}

impl Sequential {
    /// The circuit, without the latches on which `bad` never depends.
    pub fn new(aig: Aig, latches: Vec<Latch>, bad: Lit) -> Self {
        let place: FxHashMap<Input, usize> = latches.iter().map(|l| l.state).zip(0..).collect();
        let mut kept = vec![false; latches.len()];
        let mut roots = vec![bad];
        // Latches that are new in a round are found by those of the round before.
        while !roots.is_empty() {
            let support = aig.support(roots.drain(..));
            for at in support.iter().filter_map(|i| place.get(i).copied()) {
                if !std::mem::replace(&mut kept[at], true) {
                    roots.push(latches[at].next);
                }
            }
        }
        let latches = latches.into_iter().zip(kept).filter(|(_, k)| *k).map(|(l, _)| l).collect();
        Self { aig, latches, bad }
    }

    pub fn graph(&self) -> &Aig {
        &self.aig
    }

    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }

    pub fn bad(&self) -> Lit {
        self.bad
    }

    /// All that is computed in a step: the next values of the latches, and `bad`.
    pub fn roots(&self) -> Vec<Lit> {
        self.latches.iter().map(|l| l.next).chain([self.bad]).collect()
    }

    /// The inputs that a step reads, without those that stand for latches, in the graph's order.
    pub fn inputs(&self) -> Vec<Input> {
        let states: FxHashSet<Input> = self.latches.iter().map(|l| l.state).collect();
        let mut inputs = self.aig.support(self.roots());
        inputs.retain(|i| !states.contains(i));
        inputs
    }
}
