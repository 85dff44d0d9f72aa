//! Checks elimination against truth tables.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::cubes::Cubes;
use super::eliminate::Eliminator;
use super::quantify::Relation;
use crate::engine::limits::Limits;
use crate::language::program::{NodeId, ProcId, VarId};
use crate::proof::formula::Literal;
use crate::proof::invariant::{Atom, CircuitBuilder};
use hardbop_base::budget::Budget;
use hardbop_logic::sat::Backend;
use hardbop_logic::{Aig, Input, Lit};

const ENTRY: u32 = 3;
const CHOICES: u32 = 4;

/// A graph over entry values, then choices; and some of its literals.
fn graph(ops: &[(u8, usize, usize)]) -> (Aig, Vec<Lit>) {
    let mut aig = Aig::new();
    let mut pool: Vec<Lit> = (0..ENTRY + CHOICES).map(|_| aig.new_input_lit()).collect();
    for &(op, i, j) in ops {
        let (a, b) = (pool[i % pool.len()], pool[j % pool.len()]);
        pool.push(match op % 4 {
            0 => aig.and(a, b),
            1 => aig.or(a, b),
            2 => aig.xor(a, b),
            _ => !a,
        });
    }
    (aig, pool)
}

fn entry() -> BTreeMap<Input, VarId> {
    (0..ENTRY).map(|i| (Input(i), VarId(i))).collect()
}

/// Whether some choices satisfy the guard and give these values.
fn expected(aig: &Aig, guard: Lit, values: &[(VarId, Lit)], bits: u32) -> bool {
    (0..1 << CHOICES).any(|choices: u32| {
        let roots: Vec<Lit> = values.iter().map(|v| v.1).chain([guard]).collect();
        let found = aig.evaluate(&roots, |Input(i)| match i.checked_sub(ENTRY) {
            None => bits >> i & 1 == 1,
            Some(i) => choices >> i & 1 == 1,
        });
        let now = |n: usize| bits >> (ENTRY as usize + n) & 1 == 1;
        found[values.len()] && (0..values.len()).all(|n| found[n] == now(n))
    })
}

/// Truth table over entry values, then current values; `None` if choices are left.
fn table(mut circuit: CircuitBuilder, formula: Literal, current: u32) -> Option<Vec<bool>> {
    circuit.assert(ProcId(0), NodeId(0), formula);
    let layer = circuit.finish("");
    let formula = layer.assertions[0].formula;
    let row = |bits: u32| {
        let mut known = vec![false];
        for &atom in &layer.circuit.inputs {
            known.push(match atom {
                Atom::Entry(VarId(v)) => bits >> v & 1 == 1,
                Atom::Current(VarId(v)) => bits >> (v - 10 + ENTRY) & 1 == 1,
                Atom::Choice(_) => return None,
            });
        }
        let value = |known: &[bool], l: u32| known[(l >> 1) as usize] ^ (l & 1 == 1);
        for &(a, b) in &layer.circuit.gates {
            let gate = value(&known, a) && value(&known, b);
            known.push(gate);
        }
        Some(value(&known, formula))
    };
    (0..1 << (ENTRY + current)).map(row).collect()
}

proptest! {
    #[test]
    fn relations(
        ops in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..24),
        roots in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let (mut aig, pool) = graph(&ops);
        let (guard, values) = roots.split_first().expect("there are four");
        let guard = *guard.get(&pool);
        let values: Vec<(VarId, Lit)> =
            (10..).map(VarId).zip(values.iter().map(|v| *v.get(&pool))).collect();
        let (entry, budget) = (entry(), Budget::unlimited());
        let want: Vec<bool> =
            (0..1 << 6).map(|bits| expected(&aig, guard, &values, bits)).collect();
        let mut circuit = CircuitBuilder::new();
        let limits = Limits::default();
        let mut eliminator = Eliminator::new(Backend::default(), &limits, &budget);
        let relation = Relation { guard, values: &values, entry: &entry };
        let formula = relation.formula(&mut aig, &mut circuit, &mut eliminator);
        prop_assert_eq!(table(circuit, formula.expect("no limit"), 3), Some(want));
    }

    #[test]
    fn errors_by_diagrams_and_cubes(
        ops in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..24),
        root in any::<prop::sample::Index>(),
    ) {
        let (mut aig, pool) = graph(&ops);
        let (guard, entry, budget) = (*root.get(&pool), entry(), Budget::unlimited());
        let want: Vec<bool> = (0..1 << 3).map(|bits| expected(&aig, guard, &[], bits)).collect();
        let relation = Relation { guard, values: &[], entry: &entry };
        let mut circuit = CircuitBuilder::new();
        let limits = Limits::default();
        let mut eliminator = Eliminator::new(Backend::default(), &limits, &budget);
        let formula = relation.exact(&mut aig, &mut circuit, &mut eliminator);
        prop_assert_eq!(table(circuit, formula.expect("no limit"), 0), Some(want.clone()));
        let mut circuit = CircuitBuilder::new();
        let formula = relation.by_parts(&mut aig, &mut circuit, 16, &budget, |aig, circuit, names, part| {
            let mut cubes = Cubes::new(aig, part, Backend::default());
            // Step by step: what was found is kept.
            loop {
                let most = cubes.len() + 1;
                if let Some(found) = cubes.enumerate(aig, circuit, names, most, &budget)? {
                    return Ok(found);
                }
            }
        });
        prop_assert_eq!(table(circuit, formula.expect("no limit"), 0), Some(want));
    }
}
