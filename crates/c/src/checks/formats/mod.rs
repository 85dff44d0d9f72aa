//! Checks that formats of `printf`, `scanf` and the like fit their arguments (C11, 7.21.6.1, 9, and 7.21.6.2, 10 and 13).

mod fit;
mod letters;

pub(in crate::checks) use letters::Letters;

use super::models::literal;
use crate::flow::{Callee, Edge, Flow, Instruction, Violation};
use crate::library::{Kind, LibraryFunction, find};
use hardbop_base::errors::{Check, Checks, ErrorKind};

pub(crate) use fit::{Direction, Fit, fit};

/// Whether a call of a function without a body is checked.
pub(super) fn is_checked(name: &str, known: &LibraryFunction, checks: Checks) -> bool {
    checks.has(Check::Format) && (known.prototype.format().is_some() || is_wide(name))
}

/// Whether a function has a format of wide characters.
fn is_wide(name: &str) -> bool {
    ["wprintf", "wscanf"].iter().any(|end| name.ends_with(end))
}

/// Replaces the calls that do not fit.
pub(super) fn insert(flow: &mut Flow) {
    for index in 0..flow.functions.len() {
        let Some(mut body) = flow.functions[index].body.take() else { continue };
        for edge in &mut body.edges {
            if let Some(instruction) = instead(flow, edge) {
                edge.instruction = instruction;
                edge.target = body.exit;
            }
        }
        flow.functions[index].body = Some(body);
    }
}

/// What a call is, if not one whose format fits.
fn instead(flow: &Flow, edge: &Edge) -> Option<Instruction> {
    let Instruction::Call { callee: Callee::Function(id), arguments, .. } = &edge.instruction
    else {
        return None;
    };
    let function = &flow.functions[id.0 as usize];
    if function.body.is_some() {
        return None;
    }
    let name = function.name.as_str();
    let known = find(name).filter(|known| is_checked(name, known, flow.checked))?;
    let undecided = |what: &str| {
        let what = format!("whether the format of '{name}' fits: {what}");
        Some(Instruction::Unsupported(what))
    };
    let parameters = known.prototype.parameters;
    let Some(format) = known.prototype.format() else {
        return undecided("its characters are wide");
    };
    let text = arguments.get(format).and_then(|format| literal(format, &flow.strings));
    let Some(text) = text else { return undecided("it is no literal") };
    let is_list = parameters.contains(&Kind::Arguments);
    if is_list {
        return text.contains(&b'%').then(|| undecided("its arguments are a list")).flatten();
    }
    let given: Vec<_> = arguments.iter().skip(parameters.len()).map(|a| a.ty).collect();
    let direction = match name.contains("scanf") {
        true => Direction::In,
        false => Direction::Out,
    };
    // What is read from a text may not come to the conversion.
    let is_reached = direction == Direction::Out || !parameters.contains(&Kind::Text);
    match fit(text, &given, &flow.types, direction) {
        Fit::Fits => None,
        Fit::Other if !is_reached => undecided("the text may not come to its arguments"),
        Fit::Missing | Fit::Other => Some(Instruction::Error(Violation::Of(ErrorKind::Format))),
        Fit::Unknown => undecided("it has something that is not known"),
    }
}
