//! The order in which functions are looked at.

use crate::flow::{Body, Callee, Flow, FunctionId, Instruction};

/// The functions that a body calls by their names.
pub(super) fn callees(body: &Body) -> impl Iterator<Item = FunctionId> {
    body.edges.iter().filter_map(|edge| match &edge.instruction {
        Instruction::Call { callee: Callee::Function(callee), .. } => Some(*callee),
        _ => None,
    })
}

/// The numbers of all functions, each behind those that it calls, but for recursion.
pub(super) fn callees_first(flow: &Flow) -> Vec<usize> {
    let called = |function: usize| {
        let body = flow.functions[function].body.as_ref();
        body.into_iter().flat_map(callees).map(|callee| callee.0 as usize)
    };
    let mut order = Vec::with_capacity(flow.functions.len());
    let mut seen = vec![false; flow.functions.len()];
    for first in 0..flow.functions.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut open = vec![(first, called(first))];
        while let Some((function, rest)) = open.last_mut() {
            match rest.find(|&callee| !std::mem::replace(&mut seen[callee], true)) {
                Some(callee) => open.push((callee, called(callee))),
                None => {
                    order.push(*function);
                    open.pop();
                }
            }
        }
    }
    order
}

/// Looks at all functions, callees first, as long as that changes anything.
pub(super) fn until_nothing_changes(flow: &Flow, mut looks_at: impl FnMut(usize) -> bool) {
    let order = callees_first(flow);
    // Only what is recursive takes more than a second round.
    loop {
        let mut has_changed = false;
        for &function in &order {
            has_changed |= looks_at(function);
        }
        if !has_changed {
            return;
        }
    }
}
