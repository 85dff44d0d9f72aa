//! Evidence for SAFE: what the searches have seen, as invariants of the program as it was read.
//!
//! Layers, each inductive given those before it: what no path of the graph reaches; the clausal
//! invariant; then, for each goal, the path edges of the search that settled it.  Slicing,
//! compression and dead variables need no undoing: a node that was sliced away is not restricted,
//! inside of a block nothing is claimed, and a dead variable does not occur.

mod clauses;
mod cubes;
mod diagrams;
mod draft;
mod eliminate;
mod factors;
mod quantify;
mod relation;
#[cfg(test)]
mod tests;

use crate::base::budget::{Budget, Exhausted};
use crate::boolean::engine::prepare::Prepared;
use crate::boolean::engine::prepare::facts::Facts;
use crate::boolean::engine::prepare::slice::reached_nodes;
use crate::boolean::language::program::{NodeId, ProcId, Program};
use crate::boolean::proof::invariant::{Atom, Invariant, Layer};
use crate::solve::bdd::Bdd;

use draft::{Draft, Known};
pub use relation::{Context, Seen};

/// Collects layers while a run goes on.
#[derive(Debug, Default)]
pub struct Recorder {
    layers: Vec<Layer>,
    /// From the clausal invariant.
    known: Known,
}

impl Recorder {
    /// Starts with the layer of what the graph alone says.
    pub fn new(program: &Program) -> Self {
        let mut draft = Draft::default();
        for (p, reached) in program.procedure_ids().zip(reached_nodes(program)) {
            for n in program.procedure(p).node_ids() {
                if !reached[n.index()] {
                    draft.exclude(p, n);
                }
            }
        }
        Self { layers: vec![draft.finish("reachability")], known: Known::new() }
    }

    /// The clausal invariant, found on `prepared`.
    pub fn clauses(&mut self, prepared: &Prepared, facts: &Facts) {
        self.known = clauses::known(prepared, facts);
        self.layers.push(clauses::layer(prepared, facts, &self.known));
    }

    /// A BDD search that found its error nodes unreachable.
    pub fn diagrams<'b>(
        &mut self,
        prepared: &Prepared,
        order: &[Atom],
        reached: impl Fn(ProcId, NodeId) -> Option<&'b Bdd>,
    ) {
        let name = format!("search {}", self.layers.len());
        self.layers.push(diagrams::layer(prepared, &self.known, order, reached, name));
    }

    /// A search that found its error nodes unreachable.
    ///
    /// # Errors
    /// What ended the budget.
    pub fn search(&mut self, seen: Seen, budget: &Budget) -> Result<(), Exhausted> {
        let name = format!("search {}", self.layers.len());
        let layer = || relation::layer(seen, &self.known, name, budget);
        let layer = stacker::grow(eliminate::STACK, layer)?;
        self.layers.push(layer);
        Ok(())
    }

    /// All of it.
    pub fn invariant(self) -> Invariant {
        Invariant { layers: self.layers }
    }
}
