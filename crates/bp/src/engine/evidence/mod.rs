//! Evidence for SAFE: what the searches have explored, as invariants of the program as read.
//!
//! The layers, each inductive given the earlier ones, are: the nodes that no path of the graph
//! reaches; the clausal invariant; then, for each goal, the path edges of the search that settled
//! it.  Slicing, compression and dead variables need not be undone: a node that was sliced away is
//! not restricted, nothing is claimed inside a block, and a dead variable does not occur.

mod clauses;
mod cubes;
mod diagrams;
mod draft;
mod eliminate;
mod factors;
mod frames;
mod quantify;
mod relation;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::options::Options;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::facts::Facts;
use crate::engine::prepare::slice::reached_nodes;
use crate::language::program::{NodeId, ProcId, Program};
use crate::proof::invariant::{Atom, Invariant, Layer};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;
use hardbop_logic::bdd::Bdd;

use draft::{Draft, Known};
pub use frames::Claim;
pub use relation::{Context, Seen};

/// Collects layers during a run.
#[derive(Debug, Default)]
pub struct Recorder {
    layers: Vec<Layer>,
    /// The facts known from the clausal invariant.
    known: Arc<Known>,
    /// Nodes of which a layer claims nothing, because its claims go from one side of them to the
    /// other.
    passed: BTreeSet<(ProcId, NodeId)>,
}

impl Recorder {
    /// Starts with the layer of what the graph alone implies.
    pub fn new(program: &Program) -> Self {
        let mut draft = Draft::default();
        for (p, reached) in program.procedure_ids().zip(reached_nodes(program)) {
            for n in program.procedure(p).node_ids() {
                if !reached[n.index()] {
                    draft.exclude(p, n);
                }
            }
        }
        Self { layers: vec![draft.finish("reachability")], ..Self::default() }
    }

    /// Adds the clausal invariant, found on `prepared`.
    pub fn clauses(&mut self, prepared: &Prepared, facts: &Facts) {
        self.known = Arc::new(clauses::known(prepared, facts));
        self.layers.push(clauses::layer(prepared, facts, &self.known));
    }

    /// A recorder for a part of the run beside others.
    pub fn fork(&self) -> Self {
        Self { known: Arc::clone(&self.known), ..Self::default() }
    }

    /// Adds what a part has recorded.
    pub fn join(&mut self, part: Self) {
        part.layers.into_iter().for_each(|layer| self.push(layer));
        self.passed.extend(part.passed);
    }

    /// Adds the layer of a search.
    fn push(&mut self, layer: Layer) {
        let name = format!("search {}", self.layers.len());
        self.layers.push(Layer { name, ..layer });
    }

    /// Adds a BDD search that found its error nodes unreachable.
    pub fn diagrams<'b>(
        &mut self,
        prepared: &Prepared,
        order: &[Atom],
        reached: impl Fn(ProcId, NodeId) -> Option<&'b Bdd>,
    ) {
        self.push(diagrams::layer(prepared, &self.known, order, reached));
    }

    /// Adds claims that exclude the error nodes.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn frames(
        &mut self,
        prepared: &Prepared,
        claim: impl Fn(ProcId, NodeId) -> frames::Claim,
        means: (&mut Aig, &Options, &Budget),
    ) -> Result<(), Exhausted> {
        let passed = |p| {
            let is_passed = |n: &NodeId| matches!(claim(p, *n), Claim::Nothing);
            prepared.cut_nodes(p).filter(is_passed).map(move |n| (p, n)).collect::<Vec<_>>()
        };
        let kept = prepared.program.procedure_ids();
        let kept = kept.filter(|p| prepared.slice.procedure(*p).is_some());
        self.passed.extend(kept.flat_map(passed));
        let layer = || frames::layer(prepared, &self.known, claim, means);
        let layer = stacker::grow(eliminate::STACK, layer)?;
        self.push(layer);
        Ok(())
    }

    /// Adds a search that found its error nodes unreachable.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn search(&mut self, seen: Seen, budget: &Budget) -> Result<(), Exhausted> {
        let layer = || relation::layer(seen, &self.known, budget);
        let layer = stacker::grow(eliminate::STACK, layer)?;
        self.push(layer);
        Ok(())
    }

    /// The invariant of all layers.  An assertion at a node that a layer passes over would end its
    /// paths there; without it, what follows from it follows from those before.
    pub fn invariant(mut self) -> Invariant {
        for layer in &mut self.layers {
            layer.assertions.retain(|a| !self.passed.contains(&(a.procedure, a.node)));
        }
        Invariant { layers: self.layers }
    }
}
