//! Which variables, and results of functions, certainly have values.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::flow::{
    Base, Body, Callee, ExprKind, Flow, HavocKind, Instruction, Place, Variable, VariableId,
};
use crate::types::Types;

/// The variables that certainly have a value at each location of a body, of those whose address is not taken.
#[derive(Debug, Default)]
pub(super) struct Written {
    at: Vec<Option<FxHashSet<VariableId>>>,
}

impl Written {
    pub(super) fn new(body: &Body, variables: &[Variable], types: &Types) -> Self {
        let mut outgoing = vec![Vec::new(); body.locations as usize];
        let mut named = FxHashSet::default();
        for edge in &body.edges {
            outgoing[edge.source.0 as usize].push(edge);
            named.extend(edge.instruction.parts().filter_map(|part| match &part.kind {
                ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) => Some(*v),
                _ => None,
            }));
        }
        let mut found = Self { at: vec![None; body.locations as usize] };
        found.at[body.entry.0 as usize] = Some(FxHashSet::default());
        let mut open = VecDeque::from([body.entry]);
        while let Some(location) = open.pop_front() {
            for edge in &outgoing[location.0 as usize] {
                let Some(mut after) = found.at[location.0 as usize].clone() else { continue };
                if let Some(place) = edge.instruction.target()
                    && let Some(variable) = whole(place).filter(|v| !named.contains(v))
                {
                    let has_value = match &edge.instruction {
                        Instruction::Havoc(_, kind) => {
                            !matches!(kind, HavocKind::Uninitialised | HavocKind::Ended)
                        }
                        Instruction::Assign(_, value) => match value.copied(types) {
                            Some(from) => whole(from).is_some_and(|from| {
                                after.contains(&from) || is_given(&variables[from.0 as usize])
                            }),
                            None => true,
                        },
                        _ => true,
                    };
                    if has_value {
                        after.insert(variable)
                    } else {
                        after.remove(&variable)
                    };
                }
                let there = &mut found.at[edge.target.0 as usize];
                let changes = match there {
                    Some(before) => {
                        let count = before.len();
                        before.retain(|v| after.contains(v));
                        before.len() < count
                    }
                    None => {
                        *there = Some(after);
                        true
                    }
                };
                if changes {
                    open.push_back(edge.target);
                }
            }
        }
        found
    }

    /// Whether a place certainly has a value where an instruction begins.
    pub(super) fn has(&self, location: u32, place: &Place, variables: &[Variable]) -> bool {
        let Base::Variable(base) = place.base else {
            return matches!(place.base, Base::String(_));
        };
        let known = self.at.get(location as usize).and_then(Option::as_ref);
        is_given(&variables[base.0 as usize])
            || whole(place).is_some_and(|v| known.is_none_or(|known| known.contains(&v)))
    }
}

/// Whether a variable has a value from the start.
fn is_given(variable: &Variable) -> bool {
    variable.function.is_none()
}

/// The scalar variable that a place is.
pub(super) fn whole(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(v) if place.path.is_empty() => Some(v),
        _ => None,
    }
}

/// Leaves undecided what follows the end of a function without the value that it should return, if some call uses that of
/// such a function (C11, 6.9.1, 12).
pub(super) fn refuse_missing_results(flow: &mut Flow) {
    let mut is_used = vec![false; flow.functions.len()];
    let mut pointers = false;
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    for edge in bodies.flat_map(|body| &body.edges) {
        match &edge.instruction {
            Instruction::Call { result: Some(_), callee: Callee::Function(f), .. } => {
                is_used[f.0 as usize] = true;
            }
            Instruction::Call { result: Some(_), callee: Callee::Pointer(_), .. } => {
                pointers = true;
            }
            _ => {}
        }
    }
    for (function, is_used) in flow.functions.iter_mut().zip(is_used) {
        let edges = function.body.iter_mut().flat_map(|body| &mut body.edges);
        for edge in edges.filter(|_| function.result.is_some() && (is_used || pointers)) {
            if matches!(edge.instruction, Instruction::Return(None)) {
                let what =
                    format!("whether the result is used that '{}' does not give", function.name);
                edge.instruction = Instruction::Unsupported(what);
            }
        }
    }
}
