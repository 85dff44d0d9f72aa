//! Where local variables of a thread die: their values are forgotten there, so that states in which other threads run do not
//! differ by what nobody reads any more.

use std::collections::BTreeSet;

use super::shared::Shared;
use crate::flow::{
    Base, Body, Edge, Expr, ExprKind, Flow, FunctionId, Place, VariableId, VariableKind,
};

/// By location, the scalar variables of a function that are not read from there on, but have got a value, or were read, on
/// the edges to it.
pub(super) fn dying(
    flow: &Flow,
    shared: &Shared,
    function: FunctionId,
    body: &Body,
) -> Vec<Vec<VariableId>> {
    let is_own = |v: VariableId| {
        let variable = &flow.variables[v.0 as usize];
        variable.function == Some(function)
            && matches!(variable.kind, VariableKind::Local | VariableKind::Temporary)
            && !variable.lasting
            && flow.types.bits(variable.ty).is_some()
            && !shared.is_variable(v)
    };
    let reads = |edge: &Edge| -> BTreeSet<VariableId> {
        let parts = edge.instruction.parts().filter_map(read);
        // A part of a variable is changed, or it is changed by way of a pointer in it.
        let target = edge.instruction.target().filter(|place| !place.path.is_empty());
        parts.chain(target.and_then(variable)).filter(|v| is_own(*v)).collect()
    };
    let writes = |edge: &Edge| {
        let target = edge.instruction.target().filter(|place| place.path.is_empty());
        target.and_then(variable).filter(|v| is_own(*v))
    };
    let edges: Vec<_> = body.edges.iter().map(|e| (e, reads(e), writes(e))).collect();
    let mut live: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new(); body.locations as usize];
    let mut is_new = true;
    while is_new {
        is_new = false;
        for (edge, reads, writes) in edges.iter().rev() {
            let after = &live[edge.target.0 as usize];
            let before = after.iter().copied().filter(|v| Some(*v) != *writes);
            let before: Vec<VariableId> = before.chain(reads.iter().copied()).collect();
            let at = &mut live[edge.source.0 as usize];
            for v in before {
                is_new |= at.insert(v);
            }
        }
    }
    let mut dying: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new(); body.locations as usize];
    for (edge, _, writes) in &edges {
        let after = &live[edge.target.0 as usize];
        let before = live[edge.source.0 as usize].iter().copied().chain(*writes);
        dying[edge.target.0 as usize].extend(before.filter(|v| !after.contains(v)));
    }
    dying.into_iter().map(|all| all.into_iter().collect()).collect()
}

fn read(part: &Expr) -> Option<VariableId> {
    match &part.kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => variable(place),
        _ => None,
    }
}

fn variable(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(v) => Some(v),
        _ => None,
    }
}
