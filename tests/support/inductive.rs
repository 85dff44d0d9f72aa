//! Is an invariant inductive, and does it exclude errors?  By enumeration of all values, straight
//! from what `proof::check` promises to prove; no formula and no solver takes part.

use std::collections::BTreeSet;

use hardbop_bp::language::program::{NodeId, Operation, ProcId, Procedure, Program, VarId};
use hardbop_bp::proof::Invariant;
use hardbop_bp::proof::invariant::{Atom, Layer};

use super::explicit::{Search, search};

/// The nodes at which a path ends where every cycle has an edge backwards in numbers: entry, exit,
/// error and the targets of such edges.  An assertion at each of them leaves a checker no choice.
pub fn cut(procedure: &Procedure, node: NodeId) -> bool {
    let back = procedure.edges.iter().any(|e| e.target == node && e.source >= node);
    back || [procedure.entry, procedure.exit, procedure.error].contains(&node)
}

/// The first kind of obligation that fails, in no order of importance; `None` where all hold.
///
/// # Panics
/// Where a cut node has no assertion.
pub fn failing(program: &Program, invariant: &Invariant) -> Option<&'static str> {
    let oracle = Oracle { program, search: search(program), invariant };
    oracle.failing()
}

struct Oracle<'a> {
    program: &'a Program,
    search: Search<'a>,
    invariant: &'a Invariant,
}

impl Oracle<'_> {
    fn failing(&self) -> Option<&'static str> {
        let start = self.program.procedure(self.program.entry);
        for entry in self.entries(start) {
            for state in self.search.all(entry, &hidden(start)) {
                if !self.holds((self.program.entry, start.entry), entry, state) {
                    return Some("start");
                }
            }
        }
        self.program.procedure_ids().find_map(|id| self.procedure(id))
    }

    fn procedure(&self, id: ProcId) -> Option<&'static str> {
        let p = self.program.procedure(id);
        let visible: Vec<VarId> = self.program.globals.iter().chain(&p.formals).copied().collect();
        let asserted = |node| self.layers((id, node)).next().is_some();
        for node in p.node_ids() {
            assert!(asserted(node) || !cut(p, node), "a cut node has no assertion");
        }
        for node in p.node_ids().filter(|&n| asserted(n)) {
            for entry in self.entries(p) {
                // At the entry nothing has changed.
                let fixed = node == p.entry;
                let visible = if fixed { vec![entry] } else { self.search.all(entry, &visible) };
                for state in visible.into_iter().flat_map(|s| self.search.all(s, &hidden(p))) {
                    if !self.holds((id, node), entry, state) {
                        continue;
                    }
                    if node == p.error {
                        return Some("error");
                    }
                    if let Some(what) = self.paths((id, node), entry, state, &asserted) {
                        return Some(what);
                    }
                }
            }
        }
        None
    }

    /// From one assertion to the next ones.
    fn paths(
        &self,
        (id, start): (ProcId, NodeId),
        entry: u64,
        state: u64,
        asserted: &dyn Fn(NodeId) -> bool,
    ) -> Option<&'static str> {
        let p = self.program.procedure(id);
        let (mut work, mut seen) = (vec![(start, state)], BTreeSet::new());
        while let Some((node, state)) = work.pop() {
            for edge in p.outgoing[node.index()].iter().map(|&e| p.edge(e)) {
                let mut next = self.search.after(&edge.operation, state);
                if let Operation::Call(call) = &edge.operation {
                    let callee = self.program.procedure(call.callee);
                    for inner in self.search.entered(state, call) {
                        for begin in self.search.all(inner, &hidden(callee)) {
                            if !self.holds((call.callee, callee.entry), inner, begin) {
                                return Some("call");
                            }
                        }
                        for end in self.search.all(0, &self.all(callee)) {
                            if self.holds((call.callee, callee.exit), inner, end) {
                                let targets = &call.targets;
                                next.push(self.search.returned(state, call.callee, targets, end));
                            }
                        }
                    }
                }
                for state in next {
                    if asserted(edge.target) {
                        if !self.holds((id, edge.target), entry, state) {
                            return Some("path");
                        }
                    } else if seen.insert((edge.target, state)) {
                        work.push((edge.target, state));
                    }
                }
            }
        }
        None
    }

    fn layers(&self, at: (ProcId, NodeId)) -> impl Iterator<Item = (&Layer, u32)> {
        self.invariant.layers.iter().flat_map(move |l| {
            let here = l.assertions.iter().filter(move |a| (a.procedure, a.node) == at);
            here.map(move |a| (l, a.formula))
        })
    }

    /// Each assertion at the place, for some values of its choices.
    fn holds(&self, at: (ProcId, NodeId), entry: u64, state: u64) -> bool {
        self.layers(at).all(|(layer, formula)| {
            // Choices are numbered from 0; the same number is the same choice.
            let number = |a: &Atom| if let Atom::Choice(c) = a { c + 1 } else { 0 };
            let choices = layer.circuit.inputs.iter().map(number).max().unwrap_or(0);
            (0..1_u64 << choices).any(|chosen| self.value(layer, formula, entry, state, chosen))
        })
    }

    fn value(&self, layer: &Layer, formula: u32, entry: u64, state: u64, chosen: u64) -> bool {
        let mut values = vec![false];
        values.extend(layer.circuit.inputs.iter().map(|&atom| match atom {
            Atom::Entry(v) => self.search.value(entry, v),
            Atom::Current(v) => self.search.value(state, v),
            Atom::Choice(c) => chosen >> c & 1 == 1,
        }));
        let of = |values: &[bool], l: u32| values[(l >> 1) as usize] ^ (l & 1 == 1);
        for &(a, b) in &layer.circuit.gates {
            values.push(of(&values, a) && of(&values, b));
        }
        of(&values, formula)
    }

    fn entries(&self, p: &Procedure) -> Vec<u64> {
        let visible: Vec<VarId> = self.program.globals.iter().chain(&p.formals).copied().collect();
        self.search.all(0, &visible)
    }

    fn all(&self, p: &Procedure) -> Vec<VarId> {
        self.program.globals.iter().chain(&p.formals).copied().chain(hidden(p)).collect()
    }
}

/// What the caller of a procedure does not give it.
fn hidden(p: &Procedure) -> Vec<VarId> {
    p.locals.iter().chain(&p.returns).copied().collect()
}
