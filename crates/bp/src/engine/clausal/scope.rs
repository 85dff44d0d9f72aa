//! The clauses that have a bearing on a step.
//!
//! The clauses known of a state fall into parts that share no slots.  A state was found, so every
//! part can be satisfied, and only those parts matter that share a slot with the formula of the
//! step, directly or by way of other clauses.

use fixedbitset::FixedBitSet;

use super::premises::{Premises, slot_lit};
use hardbop_logic::sat::CircuitSolver;
use hardbop_logic::{Input, Lit};

/// The slots of premises that are connected with a formula.
pub struct Scope {
    /// The slots in scope, by premise.
    slots: Vec<FixedBitSet>,
    /// The clauses that are asserted, by premise: units, and clauses that no unit implies.
    pub clauses: Vec<Vec<u32>>,
}

impl Scope {
    /// The slots and clauses connected with a formula of these inputs.  Where there are two
    /// premises, slots of the second may have the values of slots of the first.
    pub fn new(premises: &Premises, inputs: impl Iterator<Item = Input>) -> Self {
        let empty = |len: usize| FixedBitSet::with_capacity(len);
        let mut slots: Vec<_> = premises.all().map(|p| empty(p.lits.len())).collect();
        let mut asserted: Vec<_> = premises.all().map(|p| empty(p.domain.len())).collect();
        let mut clauses = vec![vec![]; slots.len()];
        let same = |meaning| {
            let slots = premises.slots(meaning).into_iter().enumerate();
            slots.filter_map(|(k, s)| Some((k, s? as usize)))
        };
        let mut open: Vec<(usize, usize)> =
            inputs.flat_map(|i| same(premises.meanings[i.0 as usize])).collect();
        while let Some((k, s)) = open.pop() {
            if slots[k].put(s) {
                continue;
            }
            let Some(premise) = premises.get(k) else { continue };
            open.extend(premises.meaning(premise.lits[s]).into_iter().flat_map(same));
            for &id in &premise.domain.by_slot[s] {
                let c = id as usize;
                if !premise.known.clauses.contains(c) {
                    continue;
                }
                let clause = premise.domain.clause(c);
                let is_implied = clause.len() > 1 && clause.iter().any(|&l| premise.is_fixed(l));
                if is_implied || asserted[k].put(c) {
                    continue;
                }
                clauses[k].push(id);
                open.extend(clause.iter().map(|&l| (k, (l / 2) as usize)));
            }
        }
        Self { slots, clauses }
    }

    /// Asserts its clauses.
    pub fn assert(&self, premises: &Premises, solver: &mut CircuitSolver) {
        for clause in self.formulas(premises) {
            solver.assert_clause(premises.aig, None, clause);
        }
    }

    /// The clauses in scope over the inputs of the graph.
    pub fn formulas<'a>(
        &'a self,
        premises: &'a Premises,
    ) -> impl Iterator<Item = impl Iterator<Item = Lit> + 'a> + 'a {
        premises.all().zip(&self.clauses).flat_map(|(premise, clauses)| {
            clauses.iter().map(move |&c| {
                let clause = premise.domain.clause(c as usize);
                clause.iter().map(move |&l| slot_lit(premise.lits, l))
            })
        })
    }

    /// The literals of its slots.
    pub fn lits<'a>(&'a self, premises: &'a Premises) -> impl Iterator<Item = Lit> + 'a {
        let slots = premises.all().zip(&self.slots);
        slots.flat_map(|(premise, slots)| slots.ones().map(|s| premise.lits[s]))
    }

    /// Whether a slot of a premise is among them.
    pub fn contains(&self, premise: usize, slot: usize) -> bool {
        self.slots[premise].contains(slot)
    }
}
