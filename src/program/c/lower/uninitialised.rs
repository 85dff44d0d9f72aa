//! Local pointers that may be used before they have a value.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::super::flow::{
    Base, Body, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place, VariableId, VariableKind,
};

/// Whether some path of the function uses the value of a local pointer that has none.  Pointers whose address is taken
/// are not looked at: something else may give them a value.
pub(super) fn uses_uninitialised(flow: &Flow, function: FunctionId) -> bool {
    let Some(body) = &flow.functions[function.0 as usize].body else { return false };
    let parts = body.edges.iter().flat_map(|edge| edge.instruction.parts());
    let addressed: FxHashSet<VariableId> = parts
        .filter_map(|e| match &e.kind {
            ExprKind::AddressOf(place) => whole(place),
            _ => None,
        })
        .collect();
    let is_candidate = |id: &VariableId| {
        let variable = &flow.variables[id.0 as usize];
        variable.kind == VariableKind::Local
            && flow.types.is_pointer(variable.ty)
            && !addressed.contains(id)
    };
    let declared = body.edges.iter().filter_map(|e| declares(&e.instruction));
    let candidates: FxHashSet<VariableId> = declared.filter(is_candidate).collect();
    !candidates.is_empty() && may_use(body, &candidates)
}

/// The variable that comes into scope without a value.
fn declares(instruction: &Instruction) -> Option<VariableId> {
    match instruction {
        Instruction::Havoc(place, HavocKind::Uninitialised) => whole(place),
        _ => None,
    }
}

fn whole(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(id) if place.path.is_empty() => Some(id),
        _ => None,
    }
}

fn may_use(body: &Body, candidates: &FxHashSet<VariableId>) -> bool {
    let mut outgoing = vec![vec![]; body.locations as usize];
    for edge in &body.edges {
        outgoing[edge.source.0 as usize].push(edge);
    }
    // For each location, the pointers that may have no value there.
    let mut without: Vec<Option<FxHashSet<VariableId>>> = vec![None; body.locations as usize];
    without[body.entry.0 as usize] = Some(FxHashSet::default());
    let mut open = VecDeque::from([body.entry]);
    while let Some(location) = open.pop_front() {
        let here = without[location.0 as usize].clone().unwrap_or_default();
        for edge in &outgoing[location.0 as usize] {
            let reads_one = edge.instruction.parts().any(|e| match &e.kind {
                ExprKind::Load(place) => whole(place).is_some_and(|id| here.contains(&id)),
                _ => false,
            });
            if reads_one {
                return true;
            }
            let mut after = here.clone();
            if let Some(id) = edge.instruction.target().and_then(whole) {
                after.remove(&id);
            }
            after.extend(declares(&edge.instruction).filter(|id| candidates.contains(id)));
            let target = &mut without[edge.target.0 as usize];
            let grows = match target {
                None => {
                    *target = Some(after);
                    true
                }
                Some(there) => {
                    let size = there.len();
                    there.extend(after);
                    there.len() > size
                }
            };
            if grows {
                open.push_back(edge.target);
            }
        }
    }
    false
}
