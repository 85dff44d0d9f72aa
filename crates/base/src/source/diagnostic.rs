//! Diagnostics: mistakes in an input text, with their places.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Span;

/// The kind of mistake that a [`Diagnostic`] reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The text is not of the language.
    Syntax,
    /// A name is used that nothing declares.
    Undeclared,
    /// The function that executions are to start in is not there.
    NoEntry,
    /// A name is declared twice.
    Duplicate,
    /// Numbers of targets, values, arguments, parameters or returns do not fit.
    Arity,
    /// `goto` to a label that the procedure does not have.
    UnknownLabel,
    /// Legal elsewhere, not here (`'x` outside `constrain`, `_` as an operand, ...).
    Misplaced,
    /// A value of another type is needed (C).
    Type,
    /// The text is of the language, but not supported by hardbop (concurrency).
    Unsupported,
}

/// Most mistakes in one text that are reported; the rest are only counted.
pub const MOST_MISTAKES: usize = 100;

/// One mistake in an input text.
///
/// ```
/// use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};
///
/// let source = Source::new("lock.bp", "decl held;\nvoid main() begin hold := T; end");
/// let place = Span::new(29, 33);
/// let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, place, "undeclared variable 'hold'")
///     .with_hint("did you mean 'held'?");
/// assert_eq!(diagnostic.to_string(), "undeclared variable 'hold'");
/// assert_eq!(source.line_column(diagnostic.span.start), (2, 19));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Diagnostic {
    pub kind: DiagnosticKind,
    /// The headline, without a full stop: `undeclared variable 'x'`.
    pub message: String,
    /// The place that is underlined.
    pub span: Span,
    /// The words to write under the place; may be empty.
    pub label: String,
    /// A related place with its own words (`first declared here`).
    pub related: Option<(Span, String)>,
    /// Advice on how to correct the mistake.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A mistake at a place, without further words.
    pub fn new(kind: DiagnosticKind, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message, span, label: String::new(), related: None, hint: None }
    }

    /// Sets what is written under the place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets a related place with its own words.
    #[must_use]
    pub fn with_related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related = Some((span, words.into()));
        self
    }

    /// Sets what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
