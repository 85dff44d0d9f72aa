//! The arguments of `main` in a harness: objects of its own take the place of those that the system gives it.

use std::fmt::Write as _;

use super::edit::Edits;
use super::text::Lexed;
use crate::arguments::{CommandLine, Parameters};
use crate::execute::Execution;
use crate::flow::Flow;

/// More arguments than this are not put into a text.
const MOST: u64 = 1 << 20;

/// Defines the texts that the execution has read, and inserts into `main` what sets its parameters; its first parameter is
/// set as other inputs are.
pub(super) fn arguments(
    flow: &Flow,
    execution: &Execution,
    lexed: &Lexed<'_>,
    out: &mut String,
    edits: &mut Edits,
    notes: &mut Vec<String>,
) {
    let Some((line, parameters)) =
        CommandLine::of(flow, execution.inputs.iter().map(|r| &r.input)).zip(Parameters::of(flow))
    else {
        return;
    };
    let Some(brace) = lexed.body("main").filter(|_| line.count <= MOST) else {
        notes.push("'main' cannot be given its arguments".to_owned());
        return;
    };
    let arrays = [
        (parameters.texts, "hardbop_arguments"),
        (parameters.environment, "hardbop_arguments + hardbop_count"),
    ];
    for (parameter, array) in arrays {
        let Some(parameter) = parameter else { continue };
        let name = &flow.variables[parameter.0 as usize].name;
        edits.insert(brace.end, format!(" *(void **)&{name} = {array};"));
    }
    // Each is an object of its own, so that a sanitizer sees where it ends.
    let mut pointers = format!("[0 ... {}] = \"\"", line.count - 1);
    for (index, text) in &line.texts {
        let text: String = text.iter().map(|byte| format!("\\{byte:03o}")).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "static char hardbop_argument_{index}[] = \"{text}\";");
        let _ = write!(pointers, ", [{index}] = hardbop_argument_{index}");
    }
    let _ = writeln!(
        out,
        "enum {{ hardbop_count = {} }};\nstatic char *hardbop_arguments[hardbop_count + 1] = {{ {pointers} }};",
        line.count
    );
}
