//! Inputs of an execution, for another program with the same text: one without what was
//! [woven in](crate::instrument).

use super::execution::{Demand, Execution};
use crate::flow::{Flow, HavocKind, Instruction, Variable};
use crate::trace::{CTrace, Input, InputKind};

/// The trace of an execution of `from` as one of `to`.
///
/// Calls whose results only `from` uses request nothing in `to`; variables have other numbers.
#[must_use]
pub fn transferred(from: &Flow, execution: &Execution, to: &Flow) -> CTrace {
    let used = execution.inputs.iter().filter(|i| i.demand != Demand::Unused && !i.is_number());
    let is_requested = |start: u32, end: u32| {
        let bodies = to.functions.iter().filter_map(|f| f.body.as_ref());
        bodies.flat_map(|body| &body.edges).any(|edge| {
            (edge.span.start, edge.span.end) == (start, end)
                && matches!(
                    edge.instruction,
                    Instruction::Havoc(_, HavocKind::Input(_))
                        | Instruction::Call { result: Some(_), .. }
                )
        })
    };
    let same = |a: &Variable, b: &Variable| {
        let name = |flow: &Flow, v: &Variable| {
            v.function.map(|f| flow.functions[f.0 as usize].name.clone())
        };
        (a.span, &a.name, name(from, a)) == (b.span, &b.name, name(to, b))
    };
    let inputs = used.filter_map(|recorded| {
        let mut input: Input = recorded.input.clone();
        match &mut input.kind {
            InputKind::Undefined { .. } | InputKind::Nondet { .. }
                if recorded.demand == Demand::Call =>
            {
                let span = recorded.span;
                return is_requested(span.start, span.end).then_some(input);
            }
            InputKind::Uninitialised { variable, .. } => {
                let old = from.variables.get(*variable as usize)?;
                *variable = to.variables.iter().position(|v| same(old, v))? as u32;
            }
            _ => {}
        }
        Some(input)
    });
    CTrace { inputs: inputs.collect(), guesses: vec![], edges: None }
}
