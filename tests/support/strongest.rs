//! Invariants from an explicit-state search: no engine takes part.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_bp::language::program::{NodeId, ProcId, Program, VarId};
use hardbop_bp::proof::Invariant;
use hardbop_bp::proof::invariant::{Atom, CircuitBuilder, Layer};

use super::explicit::visit_executions;

/// The values of the atoms at a place, in order.
pub type Row = Vec<bool>;

/// What can be at each node of a program.
#[derive(Debug, Clone)]
pub struct Reachable {
    pub rows: BTreeMap<(ProcId, NodeId), BTreeSet<Row>>,
}

/// The atoms of a place: entry values, then current values; return slots count at the exit only,
/// for nothing is said of them before.
pub fn atoms(program: &Program, procedure: ProcId, node: NodeId) -> Vec<Atom> {
    let p = program.procedure(procedure);
    let known: Vec<VarId> = program.globals.iter().chain(&p.formals).copied().collect();
    let slots = if node == p.exit { &p.returns[..] } else { &[] };
    let entry = known.iter().map(|&v| Atom::Entry(v));
    let current = known.iter().chain(&p.locals).chain(slots).map(|&v| Atom::Current(v));
    entry.chain(current).collect()
}

impl Reachable {
    /// `None` beyond so many states.
    pub fn new(program: &Program, limit: usize) -> Option<Self> {
        let mut rows: BTreeMap<_, BTreeSet<Row>> = BTreeMap::new();
        for id in program.procedure_ids() {
            for node in 0..program.procedure(id).node_count() as u32 {
                rows.insert((id, NodeId(node)), BTreeSet::new());
            }
        }
        let complete = visit_executions(program, limit, |procedure, node, entry, current| {
            let row = atoms(program, procedure, node).into_iter().map(|a| match a {
                Atom::Entry(v) => entry(v),
                Atom::Current(v) => current(v),
                Atom::Choice(_) => unreachable!("no choices"),
            });
            rows.entry((procedure, node)).or_default().insert(row.collect());
        });
        complete.then_some(Self { rows })
    }

    /// The strongest invariant: at every node exactly what can be there.
    pub fn invariant(&self, program: &Program) -> Invariant {
        Invariant { layers: vec![self.layer(program, "all", |_, _| true)] }
    }

    /// The same at some nodes.
    pub fn layer(
        &self,
        program: &Program,
        name: &str,
        which: impl Fn(ProcId, NodeId) -> bool,
    ) -> Layer {
        let mut builder = CircuitBuilder::new();
        for (&(procedure, node), rows) in &self.rows {
            if which(procedure, node) {
                let atoms = atoms(program, procedure, node);
                let rows: Vec<&[bool]> = rows.iter().map(|r| &r[..]).collect();
                let formula = any_of(&mut builder, &atoms, &rows);
                builder.assert(procedure, node, formula);
            }
        }
        builder.finish(name)
    }
}

/// One of the rows, which are sorted: a decision tree.
pub fn any_of(builder: &mut CircuitBuilder, atoms: &[Atom], rows: &[&[bool]]) -> u32 {
    let Some((&first, others)) = atoms.split_first() else {
        return builder.constant(!rows.is_empty());
    };
    if rows.is_empty() {
        return builder.constant(false);
    }
    let split = rows.partition_point(|r| !r[0]);
    let rest: Vec<&[bool]> = rows.iter().map(|r| &r[1..]).collect();
    let no = any_of(builder, others, &rest[..split]);
    let yes = any_of(builder, others, &rest[split..]);
    let condition = builder.atom(first);
    builder.ite(condition, yes, no)
}

/// The value of a literal of a layer's circuit, without choices.
pub fn evaluate(layer: &Layer, literal: u32, value: &dyn Fn(Atom) -> bool) -> bool {
    let mut values = vec![false];
    values.extend(layer.circuit.inputs.iter().map(|&a| value(a)));
    for &(a, b) in &layer.circuit.gates {
        let of = |l: u32| values[(l >> 1) as usize] ^ (l & 1 == 1);
        values.push(of(a) && of(b));
    }
    values[(literal >> 1) as usize] ^ (literal & 1 == 1)
}
