//! Variables that the program uses as larger ones than it declares: `PIRP irp; pirp = &irp;`.

use std::fmt::Write as _;

use super::edit::Edits;
use super::memory::room;
use super::text::Lexed;
use crate::execute::{Execution, Owner};
use crate::flow::{Base, Flow, VariableId, VariableKind};

/// The name of the memory for a variable that is used as a larger one.
pub(super) fn larger_name(variable: VariableId) -> String {
    format!("hardbop_l_{}", variable.0)
}

/// Defines memory for all such variables. Their declarations are renamed, and they become `extern`.
/// Returns the text that initialises them, which goes behind the program.
pub(super) fn variables(
    flow: &Flow,
    execution: &Execution,
    lexed: &Lexed<'_>,
    out: &mut String,
    edits: &mut Edits,
    notes: &mut Vec<String>,
) -> String {
    let mut initial = String::new();
    for larger in &execution.larger {
        let variable = match larger.owner {
            Owner::Variable(variable) => variable,
            Owner::Block { stack, .. } => {
                if stack {
                    notes.push("a block of alloca is used as a larger one".to_owned());
                }
                continue;
            }
        };
        let declared = &flow.variables[variable.0 as usize];
        // The name of a local static variable comes behind that of its function.
        let name = declared.name.rsplit("::").next().unwrap_or(&declared.name);
        let local = match declared.kind {
            VariableKind::Global => false,
            VariableKind::Local => true,
            // The harness defines it in its full size.
            VariableKind::External => continue,
            VariableKind::Parameter | VariableKind::Temporary => {
                notes.push(format!("'{name}' is used as something larger"));
                continue;
            }
        };
        let at = lexed.word_in(declared.span, name);
        let place = at.and_then(|i| Some((lexed.token(i)?, lexed.declaration_end(i)?)));
        let Some((token, behind)) = place else {
            notes.push(format!("the declaration of '{name}' cannot be found"));
            continue;
        };
        let initialised = flow
            .initialisers
            .iter()
            .any(|(place, _)| matches!(place.base, Base::Variable(v) if v == variable));
        let index = lexed.first_at(token.start);
        if initialised && lexed.is_inside(index) {
            notes.push(format!(
                "'{name}' loses its initial value, as it is used as something larger"
            ));
        }
        let (own, old) = (larger_name(variable), format!("hardbop_u_{}", variable.0));
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "unsigned char {own}[{}] __asm__(\"{own}\") __attribute__((aligned(16)));",
            room(larger.size)
        );
        if initialised && !lexed.is_inside(index) {
            let _ = writeln!(initial, "  hardbop_copy({own}, &{old}, sizeof {old});");
        }
        edits.replace(token.start, token.end, old.as_str());
        edits.insert(behind, format!(" extern __typeof__({old}) {name} __asm__(\"{own}\");"));
        if local {
            let copy = format!("hardbop_copy(&{name}, &{old}, sizeof {old})");
            edits.insert(behind, format!(" int {own}_done = {copy};"));
        }
    }
    // Writing to a String cannot fail.
    let _ = writeln!(out, "static void hardbop_initial(void);");
    format!("static void hardbop_initial(void) {{\n{initial}}}\n")
}
