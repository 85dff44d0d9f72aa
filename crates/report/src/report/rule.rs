//! The kinds of errors, under names that stay the same from version to version.

use hardbop_base::errors::{ERRORS, ErrorRow};

use crate::document::Verdict;
use crate::properties::{self, Kind, Property};
use crate::trace::{Step, Trace};

/// A kind of error, as reports describe it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    pub id: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// A description in one sentence.
    pub description: &'static str,
    /// The weakness of <https://cwe.mitre.org> that it is.
    pub cwe: u32,
}

/// An assertion fails, or a label or call that counts as an error is reached.
const REACHED: Rule = Rule {
    id: properties::REACHED,
    title: "Reachable error",
    description: "An assertion can fail, or a label or call that must not be reached can be.",
    cwe: 617,
};

/// All rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let of_kind = |row: &ErrorRow| Rule {
        id: row.code,
        title: row.title,
        description: row.description,
        cwe: row.cwe,
    };
    std::iter::once(REACHED).chain(ERRORS.iter().map(of_kind))
}

impl Rule {
    /// The rule that a trace violates.
    pub fn of(trace: &Trace) -> Self {
        let code = trace.violation_code;
        rules().find(|rule| Some(rule.id) == code).unwrap_or(REACHED)
    }

    /// The rule of a property: of a check that looks for several kinds of error, that of the one at the place.
    pub fn of_property(property: &Property) -> Self {
        rules().find(|rule| rule.id == property.code).unwrap_or(REACHED)
    }

    /// Its position among all rules.
    pub fn index(&self) -> Option<usize> {
        rules().position(|rule| rule == *self)
    }
}

/// The error in a sentence: `assert(!held) in 'lock' can fail`.
pub(super) fn sentence(trace: &Trace) -> String {
    let Some(last) = trace.steps.last() else { return "An error can be reached".to_owned() };
    match &trace.violation {
        Some(violation) => format!("There can be {violation}, in '{}'", last.function),
        None => format!("The error '{}' in '{}' can be reached", last.text, last.function),
    }
}

/// The file of a step, where it is known: of a program whose first file is this one.
pub(super) fn file<'a>(
    program: Option<&'a str>,
    trace: &'a Trace,
    step: &'a Step,
) -> Option<&'a str> {
    step.file.as_deref().or(trace.file.as_deref()).or(program)
}

/// What is known of a property in a sentence, without the full stop: `'assert(x)' holds`.
pub(super) fn statement(property: &Property) -> String {
    let name = &property.name;
    match (property.verdict, property.kind) {
        (Verdict::Safe, Kind::Label) => format!("The label '{name}' is not reached"),
        (Verdict::Safe, Kind::Function | Kind::Program) => format!("'{name}' has no error"),
        (Verdict::Safe, Kind::Assertion) => format!("'{name}' is no error"),
        (Verdict::Safe, Kind::Operations(check)) if property.places.is_empty() => {
            format!("In the whole program: {}", check.row().holds)
        }
        (Verdict::Safe, Kind::Operations(check)) => {
            format!("Of '{name}' it is proved: {}", check.row().holds)
        }
        (Verdict::Unknown, _) => {
            let reason = property.reason.as_deref().unwrap_or("no reason is known");
            format!("It is not known whether '{name}' can be an error: {reason}")
        }
        (Verdict::Unsafe, _) => {
            let trace = property.trace();
            trace.map_or_else(|| format!("'{name}' can be an error"), |trace| sentence(&trace))
        }
    }
}
