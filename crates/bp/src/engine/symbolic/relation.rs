//! The relation between entry values and live variables that a symbolic state stands for.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::limits::States;
use crate::engine::prepare::Prepared;
use crate::engine::symbolic::state::State;
use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_logic::sat::{Backend, Effort};
use hardbop_logic::{Aig, Input, Lit};

/// Means of finding members of a relation.
pub struct Means<'a> {
    pub limits: &'a States,
    pub backend: Backend,
    pub random: &'a mut Random,
    /// The effort of SAT calls.
    pub sat: &'a mut Effort,
    pub budget: &'a Budget,
}

/// The relation behind a state: the entry values on which it depends, and the outputs that depend
/// on choices.
pub struct Relation {
    pub guard: Lit,
    pub entries: Vec<Lit>,
    pub(super) entry_inputs: FxHashSet<Input>,
    pub outputs: Vec<Lit>,
    /// The number of each output, by its (positive) literal.
    pub(super) index: FxHashMap<Lit, usize>,
    pub support: Vec<Input>,
    /// Number of choices in the support.
    pub choices: usize,
    /// Size of the state, in nodes.
    pub cone: usize,
}

impl Relation {
    /// `None` if nothing can be gained: for states with fewer than `small` nodes, and those that
    /// already have few choices for their size.
    pub fn new(
        aig: &Aig,
        prepared: &Prepared,
        state: &State,
        live: &FixedBitSet,
        small: usize,
    ) -> Option<Self> {
        let cone = aig.cone(state.roots()).len();
        if cone < small {
            return None;
        }
        let is_choice = |i: &Input| !prepared.is_entry_value(*i);
        let mut outputs = vec![];
        let mut index = FxHashMap::default();
        for slot in live.ones() {
            let lit = state.omega[slot].xor_sign(state.omega[slot].is_negated());
            if lit.is_constant() || index.contains_key(&lit) {
                continue;
            }
            if aig.support([lit]).iter().any(is_choice) {
                index.insert(lit, outputs.len());
                outputs.push(lit);
            }
        }
        let support = aig.support(outputs.iter().copied().chain([state.guard]));
        let choices = support.iter().filter(|i| is_choice(i)).count();
        let entry_inputs: FxHashSet<Input> =
            support.iter().copied().filter(|i| !is_choice(i)).collect();
        let entries: Vec<Lit> =
            support.iter().filter(|i| !is_choice(i)).map(|&i| aig.input(i)).collect();
        if choices <= outputs.len() && cone < 8 * small {
            return None;
        }
        Some(Self {
            guard: state.guard,
            entries,
            entry_inputs,
            outputs,
            index,
            support,
            choices,
            cone,
        })
    }

    pub fn is_entry(&self, input: Input) -> bool {
        self.entry_inputs.contains(&input)
    }

    /// The number of the output that equals this literal or its negation.
    pub fn output(&self, lit: Lit) -> Option<usize> {
        self.index.get(&lit.xor_sign(lit.is_negated())).copied()
    }

    /// The bits of a member: entry values first.
    pub fn bits(&self) -> impl Iterator<Item = Lit> + '_ {
        self.entries.iter().chain(&self.outputs).copied()
    }
}
