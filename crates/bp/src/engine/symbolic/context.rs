//! Calling contexts: the values with which a procedure is entered.
//!
//! Path edges are functions of the entry values and hold in every context; a context only tells
//! which entry values need to be considered.  It is kept as a cube: entry values that are the same
//! constant at every call found so far are fixed, all others free.  The cube contains every
//! reachable calling context, so nothing reachable is dropped, and an edge that is feasible only in
//! the cube does no harm: errors count only if they are reached from the start of the program,
//! where the context is exact.

use crate::engine::prepare::Prepared;
use crate::engine::symbolic::state::{State, conjuncts};
use crate::language::program::ProcId;
use hardbop_logic::{Aig, Lit, Substitution};

/// Entry values by slot: `Some` for a constant, `None` for any value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube(pub Vec<Option<bool>>);

impl Cube {
    /// The initial context ω*: every entry value is free.
    pub fn free(slots: usize) -> Self {
        Self(vec![None; slots])
    }

    /// The cube of the constants in the state with which a call enters its callee.
    pub fn of(aig: &Aig, entered: &State) -> Self {
        let facts = conjuncts(aig, entered.guard);
        let holds = |l: Lit| facts.binary_search(&l).is_ok();
        let constant = |&l: &Lit| match l {
            Lit::TRUE => Some(true),
            Lit::FALSE => Some(false),
            l if holds(l) => Some(true),
            l if holds(!l) => Some(false),
            _ => None,
        };
        Self(entered.omega.iter().map(constant).collect())
    }

    /// The slots with a constant, and literals that hold if the state deviates from it.
    pub fn violations(&self, entered: &State) -> Vec<(usize, Lit)> {
        let slots = self.0.iter().zip(&entered.omega).enumerate();
        slots
            .filter_map(|(i, (constant, &lit))| Some((i, lit.xor_sign((*constant)?))))
            .filter(|&(_, violated)| violated != Lit::FALSE)
            .collect()
    }
}

/// A procedure as seen from a context: constants replace its entry values.
#[derive(Debug)]
pub struct View {
    pub cube: Cube,
    map: Substitution,
    identity: bool,
}

impl View {
    pub fn new(aig: &Aig, prepared: &Prepared, procedure: ProcId, cube: Cube) -> Self {
        let mut map = Substitution::new();
        for (&input, constant) in prepared.blocks(procedure).inputs.iter().zip(&cube.0) {
            if let (Some(b), true) = (constant, prepared.is_entry_value(input)) {
                map.replace(aig, input, Lit::from(*b));
            }
        }
        let identity = cube.0.iter().all(Option::is_none);
        Self { cube, map, identity }
    }

    /// A formula of the procedure, in this context.
    pub fn lit(&mut self, aig: &mut Aig, lit: Lit) -> Lit {
        if self.identity { lit } else { aig.substitute_one(lit, &mut self.map) }
    }

    /// A state of the procedure, in this context.
    pub fn state(&mut self, aig: &mut Aig, state: &State) -> State {
        if self.identity { state.clone() } else { state.substitute(aig, &mut self.map) }
    }
}
