//! The automaton as the exploration walks it.

use std::cell::OnceCell;

use super::machine::code::{Action, Code, Variable};
use hardbop_cfa::live::Liveness;
use hardbop_cfa::summarise::{Summary, postorder};
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::{Symbol, Terms};

/// Edges, where they lead, and what they read and write.
pub struct Graph {
    /// The edges that leave each location.
    pub outgoing: Vec<Vec<u32>>,
    incoming: Vec<u32>,
    /// The target of each edge.
    pub targets: Vec<Location>,
    /// Whether a block ends at each location.
    is_cut: Vec<bool>,
    /// The place of each location that is no cut in an order in which every edge leads on; and the
    /// locations in that order.
    pub order: Vec<u32>,
    pub locations: Vec<Location>,
    /// The variables that the terms of each edge read, in order, and those that it changes.
    pub reads: Vec<Vec<Variable>>,
    pub writes: Vec<Vec<Variable>>,
    liveness: Liveness,
    symbols: Vec<Symbol>,
    /// The live variables by location, as far as they have been asked for.
    live: Vec<OnceCell<Box<[Variable]>>>,
}

impl Graph {
    /// The graph of an automaton whose operations are compiled.
    pub fn new(terms: &Terms, automaton: &Automaton, summary: &Summary, code: &mut Code) -> Self {
        let count = automaton.locations as usize;
        let mut is_cut = vec![false; count];
        summary.locations.iter().for_each(|l| is_cut[l.index()] = true);
        let outgoing = automaton.outgoing();
        let mut incoming = vec![0; count];
        automaton.edges.iter().for_each(|e| incoming[e.target.index()] += 1);
        let targets: Vec<Location> = automaton.edges.iter().map(|e| e.target).collect();
        let mut order = vec![0; count];
        let mut locations = vec![];
        let inner = |l: Location| {
            let next = outgoing[l.index()].iter().map(|&e| targets[e as usize]);
            next.filter(|t| !is_cut[t.index()])
        };
        let mut seen = vec![false; count];
        for &cut in &summary.locations {
            // Those that were seen from an earlier cut come after all that is new here.
            let new = postorder(cut, |l| inner(l).filter(|t| !seen[t.index()]));
            let first = locations.len();
            locations.extend(new.into_iter().filter(|&l| l != cut));
            locations[first..].iter().for_each(|l| seen[l.index()] = true);
        }
        locations.reverse();
        for (place, l) in (0..).zip(&locations) {
            order[l.index()] = place;
        }
        let registers = |action: &Action| match action {
            Action::Assume(r) => vec![*r],
            Action::Assign(all) => all.iter().map(|&(_, r)| r).collect(),
            Action::Skip | Action::Havoc(_) => vec![],
        };
        let all: Vec<Vec<u32>> = code.actions.iter().map(registers).collect();
        let reads = all.iter().map(|registers| code.reads(registers)).collect();
        let writes = |action: &Action| match action {
            Action::Assign(all) => all.iter().map(|&(v, _)| v).collect(),
            Action::Havoc(v) => vec![*v],
            Action::Skip | Action::Assume(_) => vec![],
        };
        let writes = code.actions.iter().map(writes).collect();
        Self {
            outgoing,
            incoming,
            targets,
            is_cut,
            order,
            locations,
            reads,
            writes,
            liveness: Liveness::also_at(terms, automaton, &summary.locations),
            symbols: code.variables.iter().map(|&(s, _)| s).collect(),
            live: vec![OnceCell::new(); count],
        }
    }

    /// The variables that are live at a location, in order.
    pub fn live(&self, at: Location) -> &[Variable] {
        self.live[at.index()].get_or_init(|| {
            let all = self.symbols.iter().zip(0..);
            all.filter(|(s, _)| self.liveness.contains(at, **s)).map(|(_, v)| v).collect()
        })
    }

    /// Does a block end there?
    pub fn is_cut(&self, at: Location) -> bool {
        self.is_cut[at.index()]
    }

    /// Does a [hop](super::hop) end there, since a block does or paths join?
    pub fn stops(&self, at: Location) -> bool {
        self.is_cut(at) || self.incoming[at.index()] > 1
    }
}
