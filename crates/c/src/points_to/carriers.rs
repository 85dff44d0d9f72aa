//! Integers that carry addresses, as in `x = (unsigned)p; y = x + 4; *(int *)y` and in
//! `x = (unsigned)p; if (x == 0)`: tools that divide expressions into single steps write so.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::flow::{
    Base, BinaryOp, Expr, ExprKind, Flow, HavocKind, Instruction, Place, VariableId, VariableKind,
};

/// The local integer variables that get addresses, and those whose values become pointers, directly
/// or by way of others of them.
///
/// Each is as wide as a pointer, only its own function assigns to it, and its address is not taken: so
/// nothing else can read or change it.
pub(super) fn carriers(flow: &Flow) -> FxHashSet<VariableId> {
    let mut prevented = FxHashSet::default();
    let mut carriers = FxHashSet::default();
    let mut assigned: FxHashMap<VariableId, Vec<&Expr>> = FxHashMap::default();
    let mut todo: Vec<VariableId> = Vec::new();
    for edge in flow.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges) {
        match &edge.instruction {
            Instruction::Assign(place, value) => {
                if let Some(variable) = plain(place) {
                    if is_address(flow, value) {
                        todo.push(variable);
                    }
                    assigned.entry(variable).or_default().push(value);
                }
            }
            Instruction::Havoc(_, HavocKind::Uninitialised | HavocKind::Ended) => {}
            other => prevented.extend(other.target().and_then(plain)),
        }
        for part in edge.instruction.parts() {
            match &part.kind {
                ExprKind::AddressOf(place) => prevented.extend(plain(place)),
                ExprKind::Cast(inner) if flow.types.is_pointer(part.ty) => {
                    sources(flow, inner, &mut todo);
                }
                _ => {}
            }
        }
    }
    while let Some(variable) = todo.pop() {
        if is_local_word(flow, variable)
            && !prevented.contains(&variable)
            && carriers.insert(variable)
        {
            for value in assigned.get(&variable).into_iter().flatten() {
                sources(flow, value, &mut todo);
            }
        }
    }
    carriers
}

/// The variable that a place is, if it is a whole one.
pub(super) fn plain(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(variable) if place.path.is_empty() => Some(variable),
        _ => None,
    }
}

fn is_local_word(flow: &Flow, variable: VariableId) -> bool {
    let known = &flow.variables[variable.0 as usize];
    let word = flow.types.model.word();
    matches!(known.kind, VariableKind::Local | VariableKind::Temporary)
        && known.function.is_some()
        && !known.volatile
        && flow.types.is_integer(known.ty)
        && flow.types.bits(known.ty).is_some_and(|(bits, _)| bits == word)
}

/// Whether an integer is the value of a pointer.
fn is_address(flow: &Flow, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(inner) => flow.types.is_pointer(inner.ty) || is_address(flow, inner),
        _ => false,
    }
}

/// Adds the variables whose addresses an integer may carry.
fn sources(flow: &Flow, expr: &Expr, to: &mut Vec<VariableId>) {
    match &expr.kind {
        ExprKind::Load(place) => to.extend(plain(place)),
        ExprKind::Cast(inner) if flow.types.is_integer(inner.ty) => sources(flow, inner, to),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, _) => sources(flow, left, to),
        _ => {}
    }
}
