//! `hardbop check --each` on a C program: each check at each place is a finding.
//!
//! All are asked for at once.  An error that is found counts from then on as one that does not occur, and the others are asked
//! for again, until there is a proof, which is that of all that are left.  Where there is none, each is asked for by itself.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::each::{Answer, Words, asked, is_enough, name};
use crate::cli::output::error::CliError;
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_c::flow::{Flow, Violation};
use hardbop_report::document::Verdict;
use hardbop_report::properties::{Kind, Property};

/// Length of an operation's text beyond which it is cut.
const TEXT: usize = 40;

/// The operations that a check is about, each at its place; none where it is not about places.
pub(super) fn operations(flow: &Flow, check: Check) -> Vec<Property> {
    let kind = Kind::Operations(check);
    let functions = flow.functions_of_errors();
    let mut found: Vec<Property> = Vec::new();
    for (span, error) in flow.operations(check) {
        let (place, text) = (flow.source.place(span), flow.source.snippet(span, TEXT));
        // What begins at one place, as all that a macro makes, is one finding.
        match found.last_mut().filter(|other| other.places[0] == place) {
            Some(last) if last.name.split("; ").any(|other| other == text) => {}
            Some(last) => last.name = format!("{}; {text}", last.name),
            None => {
                let function = functions.get(&span).map(|name| (*name).to_owned());
                let property = Property::open(kind, &text, vec![place]);
                found.push(Property { code: error.row().code, function, ..property });
            }
        }
    }
    found
}

/// Whether an error of a program is asked for, as these options name errors: all operations, unless some of their check are named.
pub(super) fn is_asked(
    violation: Violation,
    place: &str,
    only: &[String],
    except: &[String],
) -> bool {
    let checks = match violation {
        Violation::Of(kind) => kind.row().checks,
        Violation::Reached | Violation::Witness(_) => {
            let is_named = |names: &[String]| names.iter().any(|name| name == place);
            return (only.is_empty() || is_named(only)) && !is_named(except);
        }
    };
    let names: Vec<String> =
        checks.iter().map(|&check| name(Kind::Operations(check), place)).collect();
    let of_check = |name: &String| {
        name.split_once('@').is_some_and(|(of, _)| checks.iter().any(|c| c.row().name == of))
    };
    let is_named = |all: &[String]| all.iter().any(|name| names.contains(name));
    (!only.iter().any(of_check) || is_named(only)) && !is_named(except)
}

/// The findings that an answer says to be an error: several where more than one check looks for it.
fn errors_of(answer: &Value, properties: &[Property]) -> Vec<usize> {
    let is_error = |property: &&Property| {
        let trace = &answer["trace"];
        let last = trace["steps"].as_array()?.last()?;
        let file = last["file"].as_str().or_else(|| trace["file"].as_str())?;
        let place = format!("{file}:{}:{}", last["line"], last["column"]);
        let code = trace["violation-code"].as_str();
        let fits = match (property.kind, code) {
            (Kind::Operations(of), Some(code)) => {
                ErrorKind::of_code(code)?.row().checks.contains(&of)
            }
            (Kind::Label | Kind::Assertion, None) => true,
            _ => false,
        };
        (fits && is_open(property) && property.places.contains(&place)).then_some(())
    };
    let all = properties.iter().enumerate();
    all.filter(|(_, property)| is_error(property).is_some()).map(|(at, _)| at).collect()
}

fn is_open(property: &Property) -> bool {
    property.verdict == Verdict::Unknown
}

/// Decides findings together, as far as that goes, and hands them on after each step.  The result are the errors, by their
/// [names](name), which count as ones that do not occur; the `first` one may be enough.
pub(super) fn together(
    properties: &mut [Property],
    words: &Words,
    (cancel, first): (&AtomicBool, bool),
    mut said: impl FnMut(&[Property]) -> Result<(), CliError>,
) -> Result<Vec<String>, CliError> {
    let mut except: Vec<String> = Vec::new();
    while !cancel.load(Ordering::Relaxed) {
        let open = properties.iter().filter(|p| is_open(p)).count();
        if open == 0 {
            break;
        }
        let answer = words.ask(&asked(properties, None), &except)?;
        if open == 1 {
            properties.iter_mut().filter(|p| is_open(p)).for_each(|p| answer.clone().decides(p));
            said(properties)?;
            break;
        }
        let Answer { verdict, seconds, document, .. } = answer;
        let errors = document.as_ref().map(|answer| errors_of(answer, properties));
        let errors = errors.unwrap_or_default();
        // It is the answer of several, and shown with the first.
        let mut document = document;
        match verdict {
            Verdict::Safe => {
                for property in properties.iter_mut().filter(|property| is_open(property)) {
                    property.verdict = Verdict::Safe;
                    (property.seconds, property.answer) = (seconds, document.take());
                }
            }
            Verdict::Unsafe if !errors.is_empty() => {
                for at in errors {
                    let property = &mut properties[at];
                    property.verdict = Verdict::Unsafe;
                    (property.seconds, property.answer) = (seconds, document.take());
                    except.extend(property.places.iter().map(|place| name(property.kind, place)));
                }
            }
            Verdict::Unsafe | Verdict::Unknown => break,
        }
        said(properties)?;
        if first && is_enough(properties) {
            break;
        }
    }
    Ok(except)
}
