//! Which edges into goals are open: each has a gate, a variable that nothing sets, so that a solver that knows a block decides
//! about the edges at its end one by one.  Gates are activation literals (Eén, Sörensson: "Temporal Induction by Incremental SAT
//! Solving", BMC 2003): assuming that one is false leaves its edge out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::block::problem::Problem;
use hardbop_cfa::Operation;
use hardbop_smt::{Sort, Term, Terms};

/// The gates of an automaton.
pub(super) struct Gates {
    /// The gate of each edge into a goal, as blocks read it.
    gates: BTreeMap<u32, Term>,
    /// The edges that what is claimed does not exclude; once open, an edge stays so, since claims only get fewer.
    pub open: BTreeSet<u32>,
}

impl Gates {
    /// The problem with gates.
    pub fn new(terms: &mut Terms, problem: &mut Problem) -> (Self, Problem) {
        let mut automaton = (*problem.automaton).clone();
        let edges: Vec<u32> = automaton.goal_edges(terms).collect();
        let mut gates = BTreeMap::new();
        for edge in edges {
            let symbol = terms.fresh("gate", Sort::Bool);
            let gate = terms.variable(symbol);
            gates.insert(edge, terms.instance(symbol, 0));
            // Goals have no outgoing edges, so what an edge into one sets does not matter.
            let operation = &mut automaton.edges[edge as usize].operation;
            *operation = Operation::Assume(match *operation {
                Operation::Assume(condition) => terms.and(&[condition, gate]),
                _ => gate,
            });
        }
        let live = problem.live(terms).clone();
        let gated = Problem::with_blocks(Arc::new(automaton), problem.summary.clone(), live);
        (Self { gates, open: BTreeSet::new() }, gated)
    }

    /// Whether no edge is closed any more.
    pub fn are_open(&self) -> bool {
        self.open.len() == self.gates.len()
    }

    /// The edges among these that have gates, and are not open.
    pub fn closed<'e>(&self, edges: &'e [u32]) -> impl Iterator<Item = u32> + use<'e, '_> {
        edges.iter().copied().filter(|e| self.gates.contains_key(e) && !self.open.contains(e))
    }

    /// The conditions that paths along these edges do not pass what is open.
    pub fn conditions(&self, terms: &mut Terms, edges: &[u32]) -> Vec<Term> {
        let open = edges.iter().filter(|edge| self.open.contains(edge));
        open.map(|edge| terms.not(self.gates[edge])).collect()
    }
}
