//! What is wrong with an input text, and where.

use thiserror::Error;

use super::Span;

/// What kind of mistake a [`Diagnostic`] reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The text is not of the language.
    Syntax,
    /// A name is used that nothing declares.
    Undeclared,
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
    /// Of the language, but not supported by hardbop (concurrency).
    Unsupported,
}

/// Of more mistakes than so many in one text, the rest are only counted.
pub(crate) const MOST_MISTAKES: usize = 100;

/// One mistake in an input text.
///
/// ```
/// use hardbop::{BpOptions, Budget, CheckError, Source, check_bp};
///
/// let source = Source::new("lock.bp", "decl held;\nvoid main() begin hold := T; end");
/// let checked = check_bp(&source, &BpOptions::default(), &Budget::unlimited(), &mut ());
/// let Err(CheckError::Input { diagnostics, .. }) = checked else { panic!("it has a mistake") };
/// assert_eq!(diagnostics[0].message, "undeclared variable 'hold'");
/// assert_eq!(diagnostics[0].hint.as_deref(), Some("did you mean 'held'?"));
/// assert_eq!(source.line_column(diagnostics[0].span.start), (2, 19));
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
    /// What to write under the place; may be empty.
    pub label: String,
    /// A related place with its own words (`first declared here`).
    pub related: Option<(Span, String)>,
    /// What to do about it.
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
