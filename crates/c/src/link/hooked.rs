//! Hooks of functions that a program does not call: nothing is checked there.

use std::collections::{BTreeMap, HashSet};

use super::call::OTHERWISE;
use crate::flow::{Callee, Edge, FunctionId, Instruction};
use crate::parse::Unit;
use crate::rules::moment_of;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};

/// Leaves out hooks that nothing calls, and says which rules have no others.
pub(super) fn prune(unit: &mut Unit, source: &Source) {
    let hooks: Vec<FunctionId> = (0..unit.functions.len() as u32)
        .map(FunctionId)
        .filter(|f| moment_of(&unit.functions[f.0 as usize].name).is_some())
        .collect();
    if hooks.is_empty() {
        return;
    }
    let hooked = hooks.iter().filter_map(|hook| moment_of(&unit.functions[hook.0 as usize].name));
    let hooked_names: HashSet<String> = hooked.map(|(_, function)| function.to_owned()).collect();
    // What nothing in the text calls is not seen.
    for outside in &unit.outside {
        let function = &mut unit.functions[outside.function.0 as usize];
        let is_hooked = hooked_names.contains(&function.name);
        if let Some(body) = function.body.as_mut().filter(|_| is_hooked) {
            let what = "a constructor or destructor that a rule is about".to_owned();
            let entry = body.entry;
            body.edges.retain(|edge| edge.source != entry);
            let (source, target, span) = (entry, body.exit, function.span);
            let instruction = Instruction::Unsupported(what);
            body.edges.push(Edge { source, target, instruction, span });
        }
    }
    let called: HashSet<FunctionId> = unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
        .flat_map(|body| &body.edges)
        .filter_map(|edge| match edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => Some(f),
            _ => None,
        })
        .collect();
    let mut files: BTreeMap<String, (Span, bool)> = BTreeMap::new();
    for &hook in &hooks {
        let span = unit.functions[hook.0 as usize].span;
        let file = source.position(span.start).file.to_owned();
        let is_called = called.contains(&hook);
        files.entry(file).or_insert((span, false)).1 |= is_called;
        if !is_called {
            unit.functions[hook.0 as usize].body = None;
        }
    }
    let functions = &unit.functions;
    unit.stated.retain(|(f, _)| functions[f.0 as usize].body.is_some());
    // Calls that a rule could not be told of are calls of these, too.
    let is_otherwise = |edge: &Edge| match &edge.instruction {
        Instruction::Unsupported(what) => what.ends_with(OTHERWISE),
        _ => false,
    };
    let mut bodies = functions.iter().filter_map(|function| function.body.as_ref());
    if bodies.any(|body| body.edges.iter().any(is_otherwise)) {
        return;
    }
    for (span, _) in files.into_values().filter(|(_, is_called)| !is_called) {
        let message = "the program calls none of the functions that this rule is about";
        unit.warnings.push(Diagnostic::new(DiagnosticKind::Undeclared, span, message));
    }
}
