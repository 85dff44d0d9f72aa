//! Live variables: those whose values an edge may still read.

use rustc_hash::FxHashMap;

use super::{Automaton, Location};
use crate::smt::{Node, Symbol, Terms};

/// For each location the variables that are live there.
#[derive(Debug, Clone, Default)]
pub struct Liveness {
    /// In order; `None`: all are taken for live.
    at: Option<Vec<Vec<Symbol>>>,
}

impl Liveness {
    /// All variables everywhere.
    pub fn everything() -> Self {
        Self::default()
    }

    /// Those from which a path leads to a use before the next assignment; as long as all live ranges
    /// together.
    pub fn new(terms: &Terms, automaton: &Automaton) -> Self {
        let mut uses: FxHashMap<Symbol, Vec<Location>> = FxHashMap::default();
        let mut incoming: Vec<Vec<u32>> = vec![vec![]; automaton.locations as usize];
        for (i, edge) in automaton.edges.iter().enumerate() {
            incoming[edge.target.index()].push(i as u32);
            for leaf in terms.support_of(&edge.operation.terms().collect::<Vec<_>>()) {
                if let Node::Variable(symbol) = *terms.node(leaf) {
                    uses.entry(symbol).or_default().push(edge.source);
                }
            }
        }
        let mut uses: Vec<(Symbol, Vec<Location>)> = uses.into_iter().collect();
        uses.sort_unstable_by_key(|&(symbol, _)| symbol);
        let mut at: Vec<Vec<Symbol>> = vec![vec![]; automaton.locations as usize];
        for (symbol, mut todo) in uses {
            while let Some(location) = todo.pop() {
                let here = &mut at[location.index()];
                if here.last() == Some(&symbol) {
                    continue;
                }
                here.push(symbol);
                for &e in &incoming[location.index()] {
                    let edge = &automaton.edges[e as usize];
                    if edge.operation.changes().all(|(changed, _)| changed != symbol) {
                        todo.push(edge.source);
                    }
                }
            }
        }
        Self { at: Some(at) }
    }

    /// Is the variable live at the location?
    pub fn contains(&self, location: Location, symbol: Symbol) -> bool {
        self.at.as_ref().is_none_or(|at| at[location.index()].binary_search(&symbol).is_ok())
    }
}
