//! The relations of a BDD search as a layer.

use super::draft::{Draft, Known};
use super::factors::formula;
use crate::engine::prepare::Prepared;
use crate::language::program::{NodeId, ProcId, VarId};
use crate::proof::formula::FALSE;
use crate::proof::invariant::{Atom, Layer};
use hardbop_logic::bdd::Bdd;

/// The states reached at each cut node, over the variables that `order` names.
pub fn layer<'b>(
    prepared: &Prepared,
    known: &Known,
    order: &[Atom],
    reached: impl Fn(ProcId, NodeId) -> Option<&'b Bdd>,
) -> Layer {
    let program = prepared.program;
    let kept = || prepared.slice.relevant.ones().map(|v| VarId(v as u32));
    let entry_value = |&atom: &Atom| match atom {
        Atom::Current(v) => Atom::Entry(v),
        atom => atom,
    };
    let at_entry: Vec<Atom> = order.iter().map(entry_value).collect();
    let mut draft = Draft::default();
    for p in program.procedure_ids() {
        if prepared.slice.procedure(p).is_none() {
            continue;
        }
        let frame = draft.frame(prepared, p, kept().filter(|&v| program.is_global(v)));
        let formula_at = |draft: &mut Draft, n: NodeId, order: &[Atom]| {
            reached(p, n).map_or(FALSE, |bdd| formula(&mut draft.circuit, order, bdd))
        };
        // At the entry node, current values are entry values.
        let context = formula_at(&mut draft, program.procedure(p).entry, &at_entry);
        let possible = draft.known(known, p);
        let entered = draft.circuit.and(possible, context);
        for n in prepared.cut_nodes(p) {
            let mut all = frame;
            if !prepared.is_transparent(p) {
                let here = formula_at(&mut draft, n, order);
                let claim = draft.given(prepared, p, entered, here);
                all = draft.circuit.and(all, claim);
            }
            draft.assert(p, n, all);
        }
    }
    draft.finish("search")
}
