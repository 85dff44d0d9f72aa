//! Clauses over entry values and current values as a layer.

use super::draft::{Draft, Known};
use crate::boolean::engine::prepare::Prepared;
use crate::boolean::language::program::{NodeId, ProcId, VarId};
use crate::boolean::proof::formula::{FALSE, Literal, TRUE};
use crate::boolean::proof::invariant::{Atom, Layer};

/// A clause: values, each with whether it is negated.
pub type ValueClause = Vec<(Atom, bool)>;

/// The clauses at each cut node; `None`: nothing is claimed there.
pub fn layer(
    prepared: &Prepared,
    known: &Known,
    clauses: impl Fn(ProcId, NodeId) -> Option<Vec<ValueClause>>,
    name: String,
) -> Layer {
    let program = prepared.program;
    let kept = || prepared.slice.relevant.ones().map(|v| VarId(v as u32));
    let at_entry = |atom: Atom| match atom {
        Atom::Current(v) => Atom::Entry(v),
        atom => atom,
    };
    let mut draft = Draft::default();
    for p in program.procedure_ids() {
        if prepared.slice.procedure(p).is_none() {
            continue;
        }
        let frame = draft.frame(prepared, p, kept().filter(|&v| program.is_global(v)));
        let procedure = program.procedure(p);
        // Claims about locals at the entry say nothing about contexts.
        let given = |&(atom, _): &(Atom, bool)| match atom {
            Atom::Current(v) => program.is_global(v) || procedure.formals.contains(&v),
            _ => true,
        };
        let contexts = clauses(p, procedure.entry).unwrap_or_default();
        let contexts: Vec<ValueClause> =
            contexts.into_iter().filter(|c| c.iter().all(given)).collect();
        let context = conjunction(&mut draft, &contexts, at_entry);
        let possible = draft.known(known, p);
        let entered = draft.circuit.and(possible, context);
        for n in prepared.cut_nodes(p) {
            let mut all = frame;
            if let Some(clauses) = clauses(p, n) {
                let claim = conjunction(&mut draft, &clauses, |atom| atom);
                let claim = draft.given(prepared, p, entered, claim);
                all = draft.circuit.and(all, claim);
            }
            draft.assert(p, n, all);
        }
    }
    draft.finish(name)
}

fn conjunction(
    draft: &mut Draft,
    clauses: &[ValueClause],
    atom: impl Fn(Atom) -> Atom,
) -> Literal {
    let mut all = TRUE;
    for clause in clauses {
        let mut any = FALSE;
        for &(value, negated) in clause {
            let value = draft.circuit.atom(atom(value));
            any = draft.circuit.or(any, value ^ u32::from(negated));
        }
        all = draft.circuit.and(all, any);
    }
    all
}
