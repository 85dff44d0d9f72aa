//! States that are known to satisfy the current clauses, 64 at a time.
//!
//! Clauses are only ever removed, so a state that satisfies the current ones always will; every
//! step from it refutes clauses that do not hold afterwards, without a SAT call.

use super::candidates::{Domain, SlotLit};
use crate::engine::prepare::Prepared;
use crate::language::program::ProcId;
use hardbop_base::random::Random;
use hardbop_logic::{Aig, Input};

/// Up to 64 states of a node, one per bit.
#[derive(Debug, Clone)]
pub struct Samples {
    /// The bits, of 64, that hold a state.
    pub valid: u64,
    /// Values by slot.
    pub words: Vec<u64>,
}

impl Samples {
    pub fn none(slots: usize) -> Self {
        Self { valid: 0, words: vec![0; slots] }
    }

    /// 64 arbitrary states.
    pub fn random(slots: usize, random: &mut Random) -> Self {
        Self { valid: !0, words: (0..slots).map(|_| random.bits()).collect() }
    }

    /// Adds states: all if there is room, else about half of the new ones.
    pub fn add(&mut self, new: &Samples, random: &mut Random) {
        let take = new.valid & (!self.valid | random.bits());
        for (old, new) in self.words.iter_mut().zip(&new.words) {
            *old = *old & !take | *new & take;
        }
        self.valid |= take;
    }
}

/// The `valid` states that satisfy the given clauses of a domain; `certain` states are known to.
pub fn satisfying(
    domain: &Domain,
    clauses: impl Iterator<Item = usize>,
    word: impl Fn(usize) -> u64,
    mut valid: u64,
    certain: u64,
) -> u64 {
    for c in clauses {
        valid &= holds(domain.clause(c), &word);
        if valid & !certain == 0 {
            break;
        }
    }
    valid
}

/// The states in which a clause holds.
pub fn holds(clause: &[SlotLit], word: &impl Fn(usize) -> u64) -> u64 {
    let value = |l: &SlotLit| {
        let w = word((l / 2) as usize);
        if l % 2 == 1 { !w } else { w }
    };
    clause.iter().map(value).fold(0, |a, b| a | b)
}

/// The meaning of an input of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The value of a slot before the step.
    Slot(u32),
    /// The value of a slot of a callee at its return.
    Returned(u32),
    Choice,
}

/// The meaning of every input.
pub fn meanings(prepared: &Prepared, aig: &Aig, returned: &[Vec<Input>]) -> Vec<Meaning> {
    let mut out = vec![Meaning::Choice; aig.input_count()];
    for (p, returned) in returned.iter().enumerate() {
        if prepared.slice.procedures[p].is_none() {
            continue;
        }
        let inputs = &prepared.blocks(ProcId(p as u32)).inputs;
        for (slot, &i) in inputs.iter().enumerate() {
            out[i.0 as usize] = Meaning::Slot(slot as u32);
        }
        for (slot, &i) in returned.iter().enumerate() {
            out[i.0 as usize] = Meaning::Returned(slot as u32);
        }
    }
    out
}
