//! An execution as a C program: compiled by gcc and run, it reaches the error.
//!
//! One file: the program's own text with insertions, behind a few functions that give it the values
//! of the execution.  It needs no header and no library:
//!
//! ```text
//! gcc -std=gnu11 -w -O0 -fwrapv -fno-builtin -fno-strict-aliasing harness.c && ./a.out
//! gcc -m32 -nostdlib -static -fno-pie -fno-stack-protector -DHARDBOP_FREESTANDING ... # no C library for -m32
//! ```
//!
//! The process writes a line to standard error and exits with [`ERROR_CODE`] at the error, with
//! [`ASSUMPTION_CODE`] where an assumption is false, and with [`MISSING_CODE`] where it asks for more values than
//! the execution had (so it goes another way).
//!
//! How the parts are found again in the text:
//!
//! - functions without a body, `__VERIFIER_nondet_*` among them, are defined under other names that
//!   have the original ones as assembler names: no prototype of the program can be in conflict;
//! - where the execution reached the error, a call is inserted behind the label, or before the call
//!   that is the error; `assert` without a body is defined;
//! - declarations of uninitialised scalars that the execution asked for get an initialiser, those of
//!   aggregates are followed by a statement that fills in the parts that are read;
//! - where the data model has 32-bit `long` and the compiler has not, `long` becomes `int`; pointers
//!   keep the compiler's size.
//!
//! What cannot be put into the text is in [`Harness::notes`], and then running it may do something else.

mod edit;
mod runtime;
mod scan;
mod text;
mod value;

pub use runtime::{ASSUMPTION_CODE, ERROR_CODE, MISSING_CODE};

use super::execute::{Execution, Outcome};
use super::flow::{Flow, VariableKind};
use super::trace::InputKind;
use super::types::DataModel;
use edit::Edits;

/// A C program that repeats an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harness {
    pub text: String,
    /// In what the harness differs from the execution; empty: it is exact.
    pub notes: Vec<String>,
}

/// Makes a harness of an execution that reaches the error; `None` for others.
pub fn harness(flow: &Flow, execution: &Execution) -> Option<Harness> {
    let Outcome::Error { edge, span } = execution.outcome else { return None };
    let lexed = text::Lexed::new(&flow.source.text)?;
    let mut edits = Edits::default();
    let mut notes = Vec::new();
    let mut head = String::new();
    let instruction = (flow.functions.get(edge.function as usize))
        .and_then(|f| f.body.as_ref()?.edges.get(edge.edge as usize));
    debug_assert!(instruction.is_some(), "the edge of an outcome is one of the program");
    if !edit::mark_error(&lexed, span, &mut edits) {
        notes.push("the place of the error cannot be marked in the text".to_owned());
    }
    value::functions(flow, execution, &lexed, &mut head, &mut notes);
    value::externals(flow, execution, &mut head, &mut notes);
    value::locals(flow, execution, &lexed, &mut head, &mut edits, &mut notes);
    if flow.types.model == DataModel::Ilp32 {
        edit::shorten_longs(&lexed, &mut edits);
    }
    pointers(flow, execution, &mut notes);
    let name = flow.source.name.replace(['\n', '\r', '\\', '"'], "_");
    let body = edits.apply(&flow.source.text);
    let tail = runtime::tail(flow);
    let text = format!(
        "/* {} */\n{}\n{head}\n#line 1 \"{name}\"\n{body}\n{tail}",
        runtime::usage(flow, &name),
        runtime::PRELUDE
    );
    notes.dedup();
    Some(Harness { text, notes })
}

/// Addresses of the interpreter mean nothing to a compiled program.
fn pointers(flow: &Flow, execution: &Execution, notes: &mut Vec<String>) {
    for recorded in &execution.inputs {
        let input = &recorded.input;
        match &input.kind {
            InputKind::Heap => {
                notes.push("memory from malloc is read before it is written".to_owned());
            }
            InputKind::Uninitialised { name, variable, .. } => {
                let variable = &flow.variables[*variable as usize];
                if variable.kind == VariableKind::Parameter {
                    notes.push(format!("the parameter '{name}' has no argument"));
                }
            }
            InputKind::Nondet { .. } | InputKind::Undefined { .. } => {}
        }
    }
}
