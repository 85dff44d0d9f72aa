//! Live variables: those whose values an edge may still read.

use rustc_hash::FxHashMap;

use super::automaton::Automaton;
use super::program::Location;
use hardbop_smt::{Node, Symbol, Terms};

/// The live variables at each location where paths join, and at others that were asked for.
#[derive(Debug, Clone, Default)]
pub struct Liveness {
    /// The live variables by location, in order.  All variables count as live at locations without
    /// an entry.
    at: FxHashMap<Location, Vec<Symbol>>,
}

impl Liveness {
    /// Treats all variables as live everywhere.
    pub fn everything() -> Self {
        Self::default()
    }

    /// The variables from which a path leads to a use before the next assignment. Takes time linear
    /// in the total size of all live ranges.
    pub fn new(terms: &Terms, automaton: &Automaton) -> Self {
        Self::with_uses(terms, automaton, &[])
    }

    /// Computes liveness as [`Self::new`] does, with additional uses of variables at some
    /// locations, outside the automaton.
    pub fn with_uses(terms: &Terms, automaton: &Automaton, further: &[(Location, Symbol)]) -> Self {
        Self::find(terms, automaton, further, &[])
    }

    /// Computes liveness as [`Self::new`] does, also at these locations where no paths join.  A block that leads to one of them
    /// has no values of what was dead on the way.
    pub fn also_at(terms: &Terms, automaton: &Automaton, locations: &[Location]) -> Self {
        Self::find(terms, automaton, &[], locations)
    }

    fn find(
        terms: &Terms,
        automaton: &Automaton,
        further: &[(Location, Symbol)],
        also: &[Location],
    ) -> Self {
        let mut uses: FxHashMap<Symbol, Vec<Location>> = FxHashMap::default();
        for &(location, symbol) in further {
            uses.entry(symbol).or_default().push(location);
        }
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
        let joins = (0..automaton.locations).map(Location);
        let joins = joins.filter(|l| incoming[l.index()].len() > 1);
        let all = joins.chain(also.iter().copied());
        let mut at: FxHashMap<Location, Vec<Symbol>> = all.map(|l| (l, vec![])).collect();
        let mut seen: Vec<Option<Symbol>> = vec![None; automaton.locations as usize];
        for (symbol, mut todo) in uses {
            while let Some(location) = todo.pop() {
                if seen[location.index()].replace(symbol) == Some(symbol) {
                    continue;
                }
                at.entry(location).and_modify(|here| here.push(symbol));
                for &e in &incoming[location.index()] {
                    let edge = &automaton.edges[e as usize];
                    if edge.operation.changes().all(|(changed, _)| changed != symbol) {
                        todo.push(edge.source);
                    }
                }
            }
        }
        Self { at }
    }

    /// Whether the variable is live at the location.
    pub fn contains(&self, location: Location, symbol: Symbol) -> bool {
        self.at.get(&location).is_none_or(|here| here.binary_search(&symbol).is_ok())
    }
}
