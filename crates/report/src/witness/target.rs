//! The property that a witness is a witness of, as property files write it.

use crate::document::Document;
use crate::trace::Trace;
use hardbop_base::errors::{CHECKS, ErrorKind};
use hardbop_c::flow::Flow;

/// The formula that is violated, or all of them that hold, as the text of a property file.
pub(super) fn specification(flow: &Flow, document: &Document) -> String {
    let all: Vec<&str> = document.property.iter().map(String::as_str).collect();
    let mut formula = match &document.trace {
        Some(trace) => vec![violated(&all, trace)],
        None => all,
    };
    // What others call the absence of invalid accesses; of a proof, freed objects would be a part
    // of that. An error of a kind has SV-COMP's formula; what was proved is said in our own, which
    // may be less.
    let row = CHECKS.iter().find(|row| document.trace.is_some() && row.formula == formula[0]);
    if let Some(row) = row {
        formula = vec![row.sv_comp];
    }
    let entry = &flow.functions[flow.main.0 as usize].name;
    let checks: Vec<String> =
        formula.iter().map(|f| format!("CHECK( init({entry}()), LTL({f}) )")).collect();
    checks.join("\n")
}

fn violated<'a>(all: &[&'a str], trace: &Trace) -> &'a str {
    let find = |wanted: &str| all.iter().copied().find(|formula| *formula == wanted);
    let last = trace.steps.last();
    let kind = trace.violation_code.and_then(ErrorKind::of_code);
    let by_kind = kind.and_then(|k| k.row().checks.iter().find_map(|c| find(c.row().formula)));
    let called = last.and_then(|step| {
        let name = step.text.split('(').next()?.trim();
        find(&format!("G ! call({name}())"))
    });
    let labelled = last.and_then(|step| find(&format!("G ! label({})", step.text.trim())));
    let asserted = || last.filter(|s| s.text.starts_with("assert")).and_then(|_| find("G assert"));
    let found = by_kind.or(called).or(labelled).or_else(asserted);
    found.or_else(|| all.first().copied()).unwrap_or("G ! call(reach_error())")
}
