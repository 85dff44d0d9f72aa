//! The meanings of BDD variables; functions of the graph as BDDs.

use rustc_hash::FxHashMap;

use super::order::{VariableOrder, order};
use crate::engine::limits::Limits;
use crate::engine::order::Item;
use crate::engine::prepare::Prepared;
use crate::language::program::{ProcId, Program, VarId};
use crate::proof::invariant::Atom;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::bdd::{Bdd, Manager, Stop};
use hardbop_logic::{Aig, Input, Lit, aig::Node};

const NONE: u32 = u32::MAX;

/// Numbers of BDD variables.
///
/// A variable of the program has up to three: its value at the entry of the procedure, now, and
/// after the current step.  Procedures share those of globals, and the activations of a recursive
/// procedure share all of them: no relation involves two activations.
pub(super) struct Space {
    entry: Vec<u32>,
    now: Vec<u32>,
    next: Vec<u32>,
    /// The BDD variable of each input of the graph, for the current value or choice that it is.
    input: Vec<u32>,
    count: u32,
    /// The slots of each procedure that have an entry value.
    entry_slots: Vec<Vec<usize>>,
}

impl Space {
    pub fn new(
        aig: &Aig,
        prepared: &Prepared,
        kind: VariableOrder,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let program = prepared.program;
        let n = program.variables.len();
        let entry_slots: Vec<Vec<usize>> =
            program.procedure_ids().map(|p| entry_slots(prepared, p)).collect();
        let mut needs_entry = vec![false; n];
        for (p, slots) in program.procedure_ids().zip(&entry_slots) {
            for &slot in slots {
                needs_entry[prepared.frame(p).slots[slot].index()] = true;
            }
        }
        let mut space = Self {
            entry: vec![NONE; n],
            now: vec![NONE; n],
            next: vec![NONE; n],
            input: vec![NONE; aig.input_count()],
            count: 0,
            entry_slots,
        };
        for item in order(aig, prepared, kind, limits, budget)? {
            match item {
                Item::Variable(v) => {
                    let v = v as usize;
                    if needs_entry[v] {
                        space.entry[v] = space.fresh();
                    }
                    space.now[v] = space.fresh();
                    space.next[v] = space.fresh();
                }
                Item::Input(Input(i)) => space.input[i as usize] = space.fresh(),
                Item::Gate(_) => {}
            }
        }
        for p in program.procedure_ids().filter(|&p| prepared.slice.procedure(p).is_some()) {
            let inputs = &prepared.blocks(p).inputs;
            for (v, Input(i)) in prepared.frame(p).slots.iter().zip(inputs) {
                space.input[*i as usize] = space.now[v.index()];
            }
        }
        Ok(space)
    }

    fn fresh(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    /// Number of BDD variables.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// The meanings of the variables of a path edge, by number.
    pub fn atoms(&self, program: &Program) -> Vec<Atom> {
        // Path edges depend on no other variables.
        let mut atoms: Vec<Atom> = (0..self.count).map(Atom::Choice).collect();
        for v in (0..program.variables.len() as u32).map(VarId) {
            for (number, atom) in [(self.entry(v), Atom::Entry(v)), (self.now(v), Atom::Current(v))]
            {
                if number != NONE {
                    atoms[number as usize] = atom;
                }
            }
        }
        atoms
    }

    pub fn entry(&self, v: VarId) -> u32 {
        self.entry[v.index()]
    }

    pub fn now(&self, v: VarId) -> u32 {
        self.now[v.index()]
    }

    pub fn next(&self, v: VarId) -> u32 {
        self.next[v.index()]
    }

    /// The variable of an input, a current value or a choice.
    pub fn input(&self, i: Input) -> u32 {
        self.input[i.0 as usize]
    }

    /// The slots with an entry value that matters: callers provide it, and it is read.
    pub fn entry_slots(&self, p: ProcId) -> &[usize] {
        &self.entry_slots[p.index()]
    }
}

fn entry_slots(prepared: &Prepared, p: ProcId) -> Vec<usize> {
    if prepared.slice.procedure(p).is_none() {
        return vec![];
    }
    let inputs = &prepared.blocks(p).inputs;
    let live = prepared.live(p, prepared.procedure(p).entry);
    live.ones().filter(|&slot| prepared.is_entry_value(inputs[slot])).collect()
}

/// Turns functions of the graph into BDDs; shared nodes are translated once.
#[derive(Default)]
pub(super) struct Translation {
    known: FxHashMap<usize, Bdd>,
}

impl Translation {
    pub fn lit(
        &mut self,
        m: &mut Manager,
        aig: &Aig,
        space: &Space,
        lit: Lit,
    ) -> Result<Bdd, Stop> {
        if !lit.is_constant() && !self.known.contains_key(&lit.node()) {
            // Children first.
            for node in aig.cone([lit]) {
                if self.known.contains_key(&node) {
                    continue;
                }
                let f = match aig.node(node) {
                    Node::False => m.constant(false),
                    Node::Input(i) => m.variable(space.input(i)),
                    Node::And(a, b) => {
                        let a = self.signed(m, a)?;
                        let b = self.signed(m, b)?;
                        m.and(&a, &b)?
                    }
                };
                self.known.insert(node, f);
            }
        }
        self.signed(m, lit)
    }

    /// A literal whose node has been translated.
    fn signed(&self, m: &mut Manager, lit: Lit) -> Result<Bdd, Stop> {
        if lit.is_constant() {
            return Ok(m.constant(lit == Lit::TRUE));
        }
        let f = &self.known[&lit.node()];
        if lit.is_negated() { m.not(f) } else { Ok(f.clone()) }
    }
}
