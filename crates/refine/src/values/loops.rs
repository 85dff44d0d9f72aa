//! What loops write: only that is widened where they begin.

use std::collections::BTreeSet;

use super::graph::Graph;
use super::machine::code::Variable;
use hardbop_cfa::{Automaton, Location};

/// The loops of an automaton.
pub struct Loops {
    /// The edges into each location, with those that lead back apart.
    into: Vec<Vec<(u32, Location)>>,
    back: Vec<Vec<(u32, Location)>>,
}

impl Loops {
    /// The loops of an automaton whose locations have these places in an order in which most edges lead on.
    pub fn new(automaton: &Automaton, order: &[u32]) -> Self {
        let mut into = vec![vec![]; automaton.locations as usize];
        let mut back = into.clone();
        for (number, edge) in (0..).zip(&automaton.edges) {
            let target = edge.target.index();
            into[target].push((number, edge.source));
            if order[edge.source.index()] >= order[target] {
                back[target].push((number, edge.source));
            }
        }
        Self { into, back }
    }

    /// The variables that the loop writes which begins at a location: on edges from which it is reached again without passing it
    /// (the natural loop: Aho, Lam, Sethi, Ullman, *Compilers*, Sect. 9.6.6).
    pub fn written(&self, begin: Location, graph: &Graph) -> BTreeSet<Variable> {
        let mut open = self.back[begin.index()].clone();
        let (mut seen, mut written) = (BTreeSet::from([begin]), BTreeSet::new());
        while let Some((edge, from)) = open.pop() {
            written.extend(&graph.writes[edge as usize]);
            if seen.insert(from) {
                open.extend(&self.into[from.index()]);
            }
        }
        written
    }
}
