//! Puts the parts of a harness together.

use super::edit::Edits;
use super::{arguments, edit, larger, library, memory, models, runtime, text, value};
use crate::execute::{Execution, ExecutionOutcome};
use crate::flow::{Flow, Violation};
use crate::trace::InputKind;
use crate::types::{DataModel, Type};

/// A C program that repeats an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harness {
    pub text: String,
    /// How the harness differs from the execution; it is exact if this is empty.
    pub notes: Vec<String>,
}

/// So begin the names and macros of a harness.
const OWN: &str = "hardbop_";
const MACRO: &str = "HARDBOP_";

/// Makes a harness from an execution that reaches the error; `None` for other executions.
pub fn harness(flow: &Flow, execution: &Execution) -> Option<Harness> {
    let ExecutionOutcome::Error { span, .. } = execution.outcome else { return None };
    let violation = execution.violation(flow)?;
    let lexed = text::Lexed::new(&flow.source.text)?;
    let mut edits = Edits::default();
    let mut notes = Vec::new();
    let mut head = String::new();
    let by_pointer = flow.functions.iter().find(|f| f.span == span && f.is_convention());
    if violation != Violation::Reached {
        head.push_str(runtime::SANITIZER);
        notes.extend(runtime::unseen(violation));
    } else if let Some(function) = by_pointer {
        edit::mark_uses(&lexed, &function.name, &mut edits);
    } else if !lexed.begins_at(span.start as usize) {
        notes.push("the error is in an annotation, which compilers do not read".to_owned());
    } else if !edit::mark_error(&lexed, span, &mut edits) {
        notes.push("the place of the error cannot be marked in the text".to_owned());
    }
    let initial = larger::variables(flow, execution, &lexed, &mut head, &mut edits, &mut notes);
    for (span, object) in &execution.addresses {
        edit::replace_address(&lexed, *span, object, &mut edits);
    }
    memory::at_start(flow, execution, &mut head, &mut notes);
    let heap = memory::heap(flow, execution, &lexed, &mut head, &mut edits);
    value::functions(flow, execution, &lexed, heap, &mut head, &mut notes);
    value::locals(flow, execution, &lexed, &mut head, &mut edits, &mut notes);
    arguments::arguments(flow, execution, &lexed, &mut head, &mut edits, &mut notes);
    if flow.types.model == DataModel::Ilp32 {
        edit::shorten_longs(&lexed, &mut edits);
    }
    models::keep_apart(&lexed, &flow.source.text, &mut edits);
    other_inputs(flow, execution, &mut notes);
    if flow.is_told_to_rules() {
        let note = "a compiled program is not told to rules, so it does not reach their errors";
        notes.push(note.to_owned());
    } else if lexed.words().any(|(_, word)| word.starts_with(OWN) || word.starts_with(MACRO)) {
        let note = "names of the program begin with 'hardbop_', as those of the harness do: it may not compile";
        notes.push(note.to_owned());
    }
    let name = flow.source.name.replace(['\n', '\r', '\\', '"'], "_");
    let body = edits.apply(&flow.source.text);
    let (start, tail) = (runtime::start(flow), runtime::tail(flow, execution));
    let inlines = if body.contains("gnu_inline") { "" } else { runtime::INLINES };
    let text = format!(
        "/* {} */\n{}{}\n{inlines}{head}\n{start}\n#line 1 \"{name}\"\n{body}\n{initial}{tail}",
        runtime::usage(flow, &name, violation),
        runtime::PRELUDE,
        library::word(flow.types.model)
    );
    notes.sort();
    notes.dedup();
    Some(Harness { text, notes })
}

/// Neither the interpreter nor a compiled program has objects below this address.
const FIRST_ADDRESS: u64 = 4096;

/// Notes the inputs that cannot be put into the text.
fn other_inputs(flow: &Flow, execution: &Execution, notes: &mut Vec<String>) {
    for recorded in &execution.inputs {
        let input = &recorded.input;
        let address = match &input.kind {
            InputKind::Heap { block: None, .. } => {
                notes.push("memory from alloca is read before it is written".to_owned());
                continue;
            }
            InputKind::Heap { .. }
            | InputKind::Outside { .. }
            | InputKind::Argument { .. }
            | InputKind::Address { .. }
            | InputKind::Fails { .. } => continue,
            InputKind::Volatile { name } => {
                notes.push(format!(
                    "only something outside the program changes the volatile '{name}'"
                ));
                continue;
            }
            InputKind::Uninitialised { variable, .. } => {
                let variable = &flow.variables[*variable as usize];
                matches!(flow.types.get(variable.ty), Type::Pointer(_))
            }
            InputKind::Nondet { function } | InputKind::Undefined { function } => {
                let function = flow.functions.iter().find(|f| f.name == *function);
                function.is_some_and(|f| match *flow.types.get(f.ty) {
                    Type::Function { result, .. } => {
                        matches!(flow.types.get(result), Type::Pointer(_))
                    }
                    _ => false,
                })
            }
        };
        // The interpreter's addresses mean nothing in a compiled program.
        if address && !input.object && input.value >= FIRST_ADDRESS {
            notes.push("a pointer from outside may be one to an object".to_owned());
        }
    }
}
