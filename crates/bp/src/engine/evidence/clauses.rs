//! The clausal invariant as a layer.

use std::collections::BTreeSet;

use super::draft::{Draft, Known, atoms};
use crate::engine::prepare::Prepared;
use crate::engine::prepare::facts::{Clauses, Facts, variable};
use crate::language::program::{ProcId, VarId};
use crate::proof::formula::FALSE;
use crate::proof::invariant::{Atom, Layer};

/// The clauses known of entry values.
pub fn known(prepared: &Prepared, facts: &Facts) -> Known {
    let program = prepared.program;
    let entry = |p: ProcId| {
        let procedure = program.procedure(p);
        let given = |v: VarId| program.is_global(v) || procedure.formals.contains(&v);
        let mut clauses = Clauses::default();
        facts
            .clauses(p, procedure.entry)
            .filter(|c| c.iter().all(|&l| given(variable(l).0)))
            .for_each(|c| clauses.push(c.iter().copied()));
        (!facts.is_unreachable(p, procedure.entry)).then_some(clauses)
    };
    program.procedure_ids().map(entry).collect()
}

/// The clauses at each cut node.  The checker knows that a clause survives a call only because the
/// call leaves its globals alone, so the globals of all clauses are tied to their entry values.
pub fn layer(prepared: &Prepared, facts: &Facts, known: &Known) -> Layer {
    let program = prepared.program;
    let mut draft = Draft::default();
    let mut mentioned: BTreeSet<VarId> = BTreeSet::new();
    for p in &facts.procedures {
        mentioned.extend(p.clauses.iter().flatten().map(|&l| variable(l).0));
    }
    mentioned.retain(|&v| program.is_global(v));
    for p in program.procedure_ids() {
        if prepared.slice.procedure(p).is_none() {
            continue;
        }
        let frame = draft.frame(prepared, p, mentioned.iter().copied());
        let entered = draft.known(known, p);
        for n in prepared.cut_nodes(p) {
            let mut claim = FALSE;
            if !facts.is_unreachable(p, n) {
                claim = draft.clauses(facts.clauses(p, n).map(|c| atoms(c, Atom::Current)));
            }
            let claim = draft.given(prepared, p, entered, claim);
            let all = draft.circuit.and(frame, claim);
            draft.assert(p, n, all);
        }
    }
    draft.finish("clauses")
}
