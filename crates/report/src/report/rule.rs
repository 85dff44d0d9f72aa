//! The kinds of errors, under names that stay the same from version to version.

use hardbop_base::errors::{ERRORS, ErrorRow};

use crate::document::Document;
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
    id: "reachable-error",
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
}

/// The error in a sentence: `assert(!held) in 'lock' can fail`.
pub(super) fn sentence(trace: &Trace) -> String {
    let Some(last) = trace.steps.last() else { return "An error can be reached".to_owned() };
    match &trace.violation {
        Some(violation) => format!("There can be {violation}, in '{}'", last.function),
        None => format!("The error '{}' in '{}' can be reached", last.text, last.function),
    }
}

/// The file of a step, where it is known.
pub(super) fn file<'a>(
    document: &'a Document,
    trace: &'a Trace,
    step: &'a Step,
) -> Option<&'a str> {
    step.file.as_deref().or(trace.file.as_deref()).or(document.file.as_deref())
}
