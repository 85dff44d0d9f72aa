//! What kinds of errors there are, under names that stay the same from version to version.

use crate::present::document::Document;
use crate::present::trace::{Step, Trace};

/// A kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    pub id: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// In a sentence.
    pub description: &'static str,
}

/// An assertion fails, or a label or call that counts as an error is reached.
const REACHED: Rule = Rule {
    id: "reachable-error",
    title: "Reachable error",
    description: "An assertion can fail, or a label or call that must not be reached can be.",
};

pub(super) const RULES: [Rule; 6] = [
    REACHED,
    Rule {
        id: "signed-overflow",
        title: "Signed overflow",
        description: "The result of an operation on signed integers does not fit their type.",
    },
    Rule {
        id: "shift-count",
        title: "Shift out of range",
        description: "A shift goes by a negative count, or by at least the width of the number.",
    },
    Rule {
        id: "out-of-bounds",
        title: "Access out of bounds",
        description: "An access is not within one object.",
    },
    Rule {
        id: "null-pointer",
        title: "Null pointer",
        description: "An access goes through a null pointer.",
    },
    Rule {
        id: "array-length",
        title: "Array without elements",
        description: "The length of an array of variable length is not positive.",
    },
];

impl Rule {
    /// The rule that a trace violates.
    pub fn of(trace: &Trace) -> Self {
        let code = trace.violation_code;
        RULES.into_iter().find(|rule| Some(rule.id) == code).unwrap_or(REACHED)
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
