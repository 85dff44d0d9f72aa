//! Finds what can be checked in a program's text.

use hardbop_base::errors::Check;
use hardbop_base::source::{Diagnostic, Source, Span};
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::syntax::{Item, StatementKind};
#[cfg(feature = "c")]
use hardbop_c::flow::{Flow, Instruction, Violation};
#[cfg(feature = "c")]
use hardbop_c::{Files, ParseOptions, Property};
#[cfg(feature = "c")]
use hardbop_cfa::Place;
use hardbop_report::contents::{Contents, Listed};
#[cfg(feature = "c")]
use hardbop_report::document::Checked;
use hardbop_report::document::Language;
#[cfg(feature = "c")]
use hardbop_report::trace::c::failed_assertion;
#[cfg(feature = "c")]
use std::collections::{BTreeMap, BTreeSet};

/// Length of an assertion's text beyond which it is cut.
const TEXT: usize = 60;
const MAIN: &str = "main";

fn listed(source: &Source, name: String, function: Option<&str>, span: Span) -> Listed {
    let at = source.position(span.start);
    let (file, function) = (at.file.to_owned(), function.map(str::to_owned));
    Listed { name, function, file, line: at.line, column: at.column }
}

/// The contents of a Boolean program.
///
/// # Errors
/// The text is no Boolean program.
pub fn of_boolean(source: &Source, dialect: Dialect) -> Result<Contents, Vec<Diagnostic>> {
    let tree = parse(&source.text, dialect)?;
    let mut contents = Contents::new(Language::BooleanProgram, vec![source.name.clone()]);
    for item in &tree.items {
        let Item::Procedure(procedure) = item else { continue };
        let name = &procedure.name;
        contents.functions.push(listed(source, name.text.clone(), None, name.span));
        let within = Some(name.text.as_str());
        for statement in &procedure.body {
            let labels = statement.labels.iter();
            contents.labels.extend(labels.map(|l| listed(source, l.text.clone(), within, l.span)));
            if let StatementKind::Assert(_) | StatementKind::AbortIf(_) = statement.kind {
                let text = source.snippet(statement.span, TEXT);
                contents.assertions.push(listed(source, text, within, statement.span));
            }
        }
    }
    main_first(&mut contents);
    Ok(contents)
}

/// The contents of a C program.
///
/// # Errors
/// The mistakes in the files.
#[cfg(feature = "c")]
pub fn of_c(files: &Files, options: &ParseOptions) -> Result<Contents, Vec<Diagnostic>> {
    let found = files.contents(options)?;
    let source = files.source();
    let mut contents = Contents::new(Language::C, files.names().to_vec());
    for (name, span) in found.functions {
        let function = listed(source, name, None, span);
        // Those of headers are the same in many programs.
        if !function.file.ends_with(".h") {
            contents.functions.push(function);
        }
    }
    for (function, span) in found.errors {
        add_error(&mut contents, source, (&function, span), &options.property);
    }
    main_first(&mut contents);
    Ok(contents)
}

/// The errors in the text of a C program, also those in functions that have no names for users.
#[cfg(feature = "c")]
#[must_use]
pub fn errors_of_c(flow: &Flow, files: Vec<String>, property: &Property) -> Contents {
    let mut contents = Contents::new(Language::C, files);
    let stated = flow.stated.iter();
    let stated = stated.map(|&(id, span)| (flow.functions[id.0 as usize].name.as_str(), span));
    let mut found: Vec<(&str, Span)> = stated.collect();
    found.sort_by_key(|(_, span)| (span.start, span.end));
    found.dedup_by_key(|(_, span)| *span);
    for error in found {
        add_error(&mut contents, &flow.source, error, property);
    }
    contents
}

/// The operations and assertions that are no errors, by their [names](names); `open` are the errors that executions may still reach.
/// What an error before them stops does not count.
#[cfg(feature = "c")]
#[must_use]
pub fn proved(flow: &Flow, open: &BTreeSet<Place>) -> Vec<String> {
    let mut open: BTreeSet<(u32, u32)> =
        open.iter().map(|place| (place.function, place.instruction)).collect();
    let mut is_proved: BTreeMap<String, bool> = BTreeMap::new();
    for (function, of) in (0..).zip(&flow.functions) {
        let edges = of.body.iter().flat_map(|body| &body.edges);
        for (instruction, edge) in (0..).zip(edges) {
            let Instruction::Error(violation) = edge.instruction else { continue };
            let is_open = open.remove(&(function, instruction));
            let place = flow.source.place(edge.span);
            for name in names(violation, &place, |check| flow.checked.has(check)) {
                *is_proved.entry(name).or_insert(true) &= !is_open;
            }
        }
    }
    // Nothing is said where errors are not those of the text.
    if !open.is_empty() {
        return vec![];
    }
    is_proved.into_iter().filter_map(|(name, is_proved)| is_proved.then_some(name)).collect()
}

/// The names of an error at a place, one for each check that looks for it, of those that count.
#[cfg(feature = "c")]
#[must_use]
pub fn names(violation: Violation, place: &str, counts: impl Fn(Check) -> bool) -> Vec<String> {
    match violation {
        Violation::Of(kind) => {
            let those = kind.row().checks.iter().filter(|check| counts(**check));
            those.map(|check| named(Some(*check), place)).collect()
        }
        Violation::Reached | Violation::Witness(_) => vec![named(None, place)],
    }
}

/// The name of what is an error at a place, as `--only-at` and `--except-at` have it: the place, behind the check of an operation.
#[must_use]
pub fn named(check: Option<Check>, place: &str) -> String {
    check.map_or_else(|| place.to_owned(), |check| format!("{}@{place}", check.row().name))
}

/// What is looked for in a C program, in counts: of what it states the places, since a macro may make several at one.
#[cfg(feature = "c")]
#[must_use]
pub fn checked(flow: &Flow, property: &Property) -> Checked {
    let contents = errors_of_c(flow, vec![], property);
    let is_call = |error: &&Listed| {
        let called = error.name.split('(').next().unwrap_or("").trim();
        property.error_functions.iter().any(|name| name == called)
    };
    let places = |all: &[&Listed]| all.iter().map(|e| e.place()).collect::<BTreeSet<_>>().len();
    let (calls, assertions): (Vec<_>, Vec<_>) = contents.assertions.iter().partition(is_call);
    let labels: Vec<&Listed> = contents.labels.iter().collect();
    let mut library = 0;
    let operations = flow.checked.rows().map(|row| {
        let (there, own): (Vec<Span>, Vec<Span>) =
            flow.operations(row.check).into_keys().partition(|&span| flow.is_in_library(span));
        library += there.len() as u64;
        (row.check, own.len() as u64)
    });
    let operations = operations.collect();
    Checked {
        assertions: places(&assertions) as u64,
        calls: places(&calls) as u64,
        labels: places(&labels) as u64,
        operations,
        library,
    }
}

#[cfg(feature = "c")]
fn add_error(
    contents: &mut Contents,
    source: &Source,
    (function, span): (&str, Span),
    property: &Property,
) {
    let text = source.snippet(span, TEXT);
    let label = text.split(':').next().unwrap_or("").trim();
    if property.error_labels.iter().any(|l| l == label) {
        let label = label.to_owned();
        contents.labels.push(listed(source, label, Some(function), span));
    } else {
        let text = failed_assertion(&text).unwrap_or(text);
        contents.assertions.push(listed(source, text, Some(function), span));
    }
}

fn main_first(contents: &mut Contents) {
    contents.functions.sort_by_key(|function| function.name != MAIN);
    let first = contents.functions.first().filter(|function| function.name == MAIN);
    contents.entry = first.map(|function| function.name.clone());
}
