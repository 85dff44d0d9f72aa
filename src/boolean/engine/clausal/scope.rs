//! The clauses that have a bearing on a step.
//!
//! What is known of a state falls into parts that share no slots.  A state was found, so every part can be satisfied, and
//! only those matter that share a slot with the formula of the step, directly or by way of other clauses.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::step::{Premise, slot_lit};
use crate::solve::logic::Aig;
use crate::solve::sat::CircuitSolver;

/// The slots of premises that are connected with what a solver has encoded.
pub struct Scope {
    /// By premise.
    slots: Vec<FixedBitSet>,
}

impl Scope {
    /// Asserts the clauses of the premises that are connected with what `solver` has encoded so far.
    pub fn assert(aig: &Aig, solver: &mut CircuitSolver, premises: &[Premise]) -> Self {
        let mut slots: Vec<FixedBitSet> =
            premises.iter().map(|p| FixedBitSet::with_capacity(p.lits.len())).collect();
        let mut asserted: Vec<FixedBitSet> =
            premises.iter().map(|p| FixedBitSet::with_capacity(p.domain.len())).collect();
        let mut of_node: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        let mut open = vec![];
        for (k, premise) in premises.iter().enumerate() {
            for (s, lit) in premise.lits.iter().enumerate() {
                of_node.entry(lit.node()).or_default().push((k, s));
                if solver.encodes(*lit) {
                    open.push((k, s));
                }
            }
        }
        while let Some((k, s)) = open.pop() {
            if slots[k].put(s) {
                continue;
            }
            let Premise { domain, known, lits } = premises[k];
            let holds = |l: u32| domain.unit(l).is_some_and(|c| known.clauses.contains(c));
            // The same value may be known under another slot.
            open.extend(&of_node[&lits[s].node()]);
            for &c in &domain.by_slot[s] {
                let c = c as usize;
                if !known.clauses.contains(c) {
                    continue;
                }
                let clause = domain.clause(c);
                let is_implied = clause.len() > 1 && clause.iter().any(|&l| holds(l));
                if is_implied || asserted[k].put(c) {
                    continue;
                }
                solver.assert_clause(aig, None, clause.iter().map(|&l| slot_lit(lits, l)));
                open.extend(clause.iter().map(|&l| (k, (l / 2) as usize)));
            }
        }
        Self { slots }
    }

    /// Whether a slot of a premise is among them.
    pub fn contains(&self, premise: usize, slot: usize) -> bool {
        self.slots[premise].contains(slot)
    }
}
