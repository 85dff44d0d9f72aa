//! Why a program has no form in another language.

use thiserror::Error;

use hardbop_base::budget::Exhausted;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Why a program could not be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportError {
    /// The language has no stack.
    #[error("procedure '{procedure}' is recursive: it calls '{callee}' before it returns")]
    Recursion {
        procedure: String,
        /// The procedure that it calls, from where it is called again; maybe itself.
        callee: String,
        /// The call.
        span: Span,
    },
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl ExportError {
    /// The error as a mistake in the program, if it is about a place there.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let Self::Recursion { procedure, callee, span } = self else { return None };
        let words = format!("procedure '{procedure}' is recursive, and a circuit has no stack");
        let label = match procedure == callee {
            true => "it calls itself here".to_owned(),
            false => format!("'{callee}' calls it again"),
        };
        let hint = "Horn clauses (--format chc) and Boogie (--format boogie) can express it";
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, *span, words);
        Some(diagnostic.with_label(label).with_hint(hint))
    }
}
