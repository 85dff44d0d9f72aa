//! The clauses that have a bearing on a step.
//!
//! What is known of a state falls into parts that share no slots.  A state was found, so every part can be satisfied, and
//! only those matter that share a slot with the formula of the step, directly or by way of other clauses.

use fixedbitset::FixedBitSet;

use super::samples::Meaning;
use super::step::{Premise, slot_lit};
use crate::solve::logic::{Aig, Lit};
use crate::solve::sat::CircuitSolver;

/// The slots of premises that are connected with what a solver has encoded.
pub struct Scope {
    /// By premise.
    slots: Vec<FixedBitSet>,
    /// By premise: the clauses that are asserted, units and what no unit implies.
    pub clauses: Vec<Vec<u32>>,
}

impl Scope {
    /// Asserts the clauses of the premises that are connected with what `solver` has encoded so far.  Where there are two
    /// premises, slots of the second may have the values of slots of the first.
    pub fn assert(
        aig: &Aig,
        meanings: &[Meaning],
        solver: &mut CircuitSolver,
        premises: &[Premise],
    ) -> Self {
        let mut slots: Vec<FixedBitSet> =
            premises.iter().map(|p| FixedBitSet::with_capacity(p.lits.len())).collect();
        let mut asserted: Vec<FixedBitSet> =
            premises.iter().map(|p| FixedBitSet::with_capacity(p.domain.len())).collect();
        let mut clauses = vec![vec![]; premises.len()];
        // The slot of the first premise with this value, and the other way round.
        let outer = |lit: Lit| match meanings[aig.as_input(lit)?.0 as usize] {
            Meaning::Slot(s) => Some(s as usize),
            _ => None,
        };
        let mut inner: Vec<Option<usize>> = vec![];
        if let [first, second] = premises {
            inner.resize(first.lits.len(), None);
            for (s, &lit) in second.lits.iter().enumerate() {
                if let Some(o) = outer(lit) {
                    inner[o] = Some(s);
                }
            }
        }
        let mut open = vec![];
        for (k, premise) in premises.iter().enumerate() {
            let lits = premise.lits.iter().enumerate();
            open.extend(lits.filter(|(_, lit)| solver.encodes(**lit)).map(|(s, _)| (k, s)));
        }
        while let Some((k, s)) = open.pop() {
            if slots[k].put(s) {
                continue;
            }
            let Premise { domain, known, lits } = premises[k];
            let holds = |l: u32| domain.unit(l).is_some_and(|c| known.clauses.contains(c));
            match k {
                0 => open.extend(inner.get(s).copied().flatten().map(|i| (1, i))),
                _ => open.extend(outer(lits[s]).map(|o| (0, o))),
            }
            for &id in &domain.by_slot[s] {
                let c = id as usize;
                if !known.clauses.contains(c) {
                    continue;
                }
                let clause = domain.clause(c);
                let is_implied = clause.len() > 1 && clause.iter().any(|&l| holds(l));
                if is_implied || asserted[k].put(c) {
                    continue;
                }
                solver.assert_clause(aig, None, clause.iter().map(|&l| slot_lit(lits, l)));
                clauses[k].push(id);
                open.extend(clause.iter().map(|&l| (k, (l / 2) as usize)));
            }
        }
        Self { slots, clauses }
    }

    /// Whether a slot of a premise is among them.
    pub fn contains(&self, premise: usize, slot: usize) -> bool {
        self.slots[premise].contains(slot)
    }
}
