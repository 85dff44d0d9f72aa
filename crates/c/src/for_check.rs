//! What a program is asked for that states no error itself.

use crate::flow::{Flow, Instruction};
use crate::parse::ParseOptions;
use crate::property::Property;
use hardbop_base::errors::Checks;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Reads a program by `parse`.  Where nothing in it is an error by the default property, which would make it
/// safe whatever it does, and it is told to no rule, the property becomes that nothing undefined happens, of the
/// kinds that have a check, and the program is read once more.
///
/// # Errors
/// Those of `parse`.
///
/// ```
/// use hardbop_base::errors::Check;
/// use hardbop_base::source::Source;
/// use hardbop_c::{ParseOptions, parse, read_for_check};
///
/// let source = Source::new("f.c", "int main(int argc, char **argv) { return 8 / (argc - 3); }");
/// let mut options = ParseOptions::default();
/// read_for_check(&mut options, |o| parse(source.clone(), o)).expect("C");
/// assert!(options.property.checks.has(Check::Division));
/// ```
pub fn read_for_check<E>(
    options: &mut ParseOptions,
    parse: impl Fn(&ParseOptions) -> Result<Flow, E>,
) -> Result<Flow, E> {
    let flow = parse(options)?;
    let default = Property { assertions: options.property.assertions, ..Property::default() };
    if !flow.stated.is_empty() || options.property != default || flow.is_told_to_rules() {
        return Ok(flow);
    }
    options.property.checks = Checks::undefined();
    let mut flow = parse(options)?;
    let what = match can_fail(&flow) {
        true => "so what is looked for is undefined behaviour",
        false => "and has nothing in it that can be one of the errors that are looked for",
    };
    let kinds: Vec<&str> = options.property.checks.rows().map(|row| row.name).collect();
    let message = format!(
        "this program states no error itself, {what}: {} ('--error' and '--check' name others)",
        kinds.join(", ")
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, Span::new(0, 0), message);
    flow.warnings.push(diagnostic);
    Ok(flow)
}

/// Whether there is a check in a body, or something that may be an error and is not looked into.
fn can_fail(flow: &Flow) -> bool {
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    let mut edges = bodies.flat_map(|body| &body.edges);
    edges.any(|e| matches!(e.instruction, Instruction::Error(_) | Instruction::Unsupported(_)))
}
