//! Diagnostics of a run that has found nothing: mistakes in its input, those that the preprocessor has told, or why there is no
//! answer.

use std::path::{Path, PathBuf};

use lsp_types::{DiagnosticRelatedInformation, DiagnosticSeverity, Range};

use super::place::{Extent, Files};
use super::report::{Found, diagnostic};
use crate::cli::output::mistakes::Mistake;
use hardbop_base::source::DiagnosticKind;

/// The mistakes of a run on this file.
pub(super) fn found(mistakes: &[Mistake], path: &Path, files: &mut Files) -> Found {
    let mut all = Found::default();
    for mistake in mistakes {
        let Mistake { kind, message, label, hint, place, related } = mistake;
        // A file of functions for others is none.
        let severity = match kind {
            DiagnosticKind::NoEntry => DiagnosticSeverity::INFORMATION,
            _ => DiagnosticSeverity::ERROR,
        };
        let label = Some(label).filter(|label| !label.is_empty()).cloned();
        let hint = hint.as_ref().map(|hint| format!("help: {hint}"));
        let told: Vec<String> =
            [Some(message.clone()), label, hint].into_iter().flatten().collect();
        let extent = Extent::Characters(place.length);
        let (at, range) = shown_at(&place.file, (place.line, place.column), extent, path, files);
        let kind = serde_json::to_value(kind).unwrap_or_default();
        let mut shown =
            diagnostic(range, severity, kind.as_str().unwrap_or("mistake"), told.join("\n"));
        shown.related_information = related.as_ref().and_then(|(place, words)| {
            let there = files.named(&place.file)?;
            let extent = Extent::Characters(place.length);
            let location = files.location(&there, (place.line, place.column), extent)?;
            Some(vec![DiagnosticRelatedInformation { location, message: words.clone() }])
        });
        all.add(&at, shown);
    }
    all
}

/// A place by the name of its file; what is in no file is shown at the beginning of the one that was checked.
fn shown_at(
    name: &str,
    position: (usize, usize),
    to: Extent,
    path: &Path,
    files: &mut Files,
) -> (PathBuf, Range) {
    match files.named(name) {
        Some(at) => {
            let range = files.range(&at, position, to);
            (at, range)
        }
        None => (path.to_owned(), Range::default()),
    }
}

/// What a run without an answer has said to people: errors of the preprocessor at their places, and anything else at the beginning
/// of the file.
pub(super) fn said(words: &str, path: &Path, files: &mut Files) -> Found {
    let mut all = Found::default();
    for line in words.lines() {
        let Some((name, position, message)) = placed(line) else { continue };
        let (at, range) = shown_at(name, position, Extent::Text(""), path, files);
        let message = message.to_owned();
        all.add(&at, diagnostic(range, DiagnosticSeverity::ERROR, "preprocessor", message));
    }
    if all.files.is_empty() {
        let words = words.trim();
        let words = words.strip_prefix("error: ").unwrap_or(words);
        all.unchecked(path, words);
    }
    all
}

/// A line as compilers write them: `main.c:3:10: fatal error: x.h: No such file or directory`.
fn placed(line: &str) -> Option<(&str, (usize, usize), &str)> {
    let (place, message) = line.split_once(": fatal error: ").or(line.split_once(": error: "))?;
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parts.next()?, (line, column), message))
}

#[cfg(test)]
mod tests {
    use super::placed;

    #[test]
    fn lines_of_compilers() {
        let line = "a:b.c:3:10: fatal error: x.h: No such file or directory";
        assert_eq!(placed(line), Some(("a:b.c", (3, 10), "x.h: No such file or directory")));
        assert_eq!(placed("a.c:3:1: error: #error \"no\""), Some(("a.c", (3, 1), "#error \"no\"")));
        for other in ["compilation terminated.", "a.c:3: error: x", "a.c:3:1: warning: x", ""] {
            assert_eq!(placed(other), None, "{other}");
        }
    }
}
