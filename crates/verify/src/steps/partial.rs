//! Partial proofs: an invariant excludes some of an automaton's ways into goals before the automaton is decided.

use std::collections::BTreeSet;
use std::sync::Arc;

use hardbop_cfa::{Automaton, Goal, Place};
use hardbop_refine::proof::invariant::Invariant;
use hardbop_smt::Terms;

/// A proof that no execution passes some of the edges into goals.
pub(super) struct Partial {
    automaton: Arc<Automaton>,
    pub invariant: Invariant,
    /// The edges into goals about which it says nothing.
    open: BTreeSet<u32>,
    /// The automaton in which only those lead into goals.
    pub rest: Arc<Automaton>,
}

impl Partial {
    /// The invariant excludes all edges into goals but these.
    pub fn new(
        terms: &mut Terms,
        automaton: &Arc<Automaton>,
        invariant: Invariant,
        open: BTreeSet<u32>,
    ) -> Self {
        let mut excluded: Vec<u32> = automaton.goal_edges(terms).collect();
        excluded.retain(|edge| !open.contains(edge));
        let rest = Arc::new(automaton.without(terms, excluded));
        Self { automaton: Arc::clone(automaton), invariant, open, rest }
    }

    /// The same, together with an invariant of the rest.
    #[must_use]
    pub fn and(self, terms: &mut Terms, later: &Invariant, open: BTreeSet<u32>) -> Self {
        let invariant = self.invariant.and(terms, later);
        Self::new(terms, &self.automaton, invariant, open)
    }

    /// Whether it is about this automaton.
    pub fn is_about(&self, automaton: &Arc<Automaton>) -> bool {
        Arc::ptr_eq(&self.automaton, automaton)
    }

    /// The errors that executions may reach; `None`: all may, since some are not followed to their end.
    pub fn open_errors(&self) -> Option<BTreeSet<Place>> {
        let edges = &self.automaton.edges;
        let open = self.open.iter().map(|&edge| &edges[edge as usize]);
        let is_error = |target| self.automaton.goal(target) == Some(&Goal::Error);
        open.map(|edge| is_error(edge.target).then_some(edge.place)).collect()
    }
}
