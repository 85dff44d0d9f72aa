//! Reads values out of trees of YAML, and collects the mistakes in them.

use super::yaml::{Node, Value};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// A text from a file, and its position there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub text: String,
    pub span: Span,
}

/// The mistakes so far.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub problems: Vec<Diagnostic>,
}

impl Reader {
    pub fn problem(&mut self, kind: DiagnosticKind, span: Span, message: &str, hint: &str) {
        let diagnostic = Diagnostic::new(kind, span, message);
        self.problems.push(if hint.is_empty() { diagnostic } else { diagnostic.with_hint(hint) });
    }

    pub fn syntax(&mut self, span: Span, message: &str, hint: &str) {
        self.problem(DiagnosticKind::Syntax, span, message, hint);
    }

    pub fn unsupported(&mut self, span: Span, message: &str, hint: &str) {
        self.problem(DiagnosticKind::Unsupported, span, message, hint);
    }

    /// Reports duplicate keys, which are ambiguous.
    pub fn unique(&mut self, entries: &[(Node, Node)]) {
        for (i, (key, _)) in entries.iter().enumerate() {
            let Some(name) = scalar(key) else { continue };
            let before = entries[..i].iter().find(|(k, _)| scalar(k) == Some(name));
            if let Some((before, _)) = before {
                let message = format!("'{name}' occurs twice");
                let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, key.span, message);
                self.problems.push(diagnostic.with_related(before.span, "first here"));
            }
        }
    }

    /// A text that is not empty; `what` says which.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<Located> {
        match scalar(node) {
            Some(text) if !text.is_empty() => {
                Some(Located { text: text.to_owned(), span: node.span })
            }
            _ => {
                self.syntax(node.span, &format!("{what} is needed here"), "");
                None
            }
        }
    }
}

pub(super) fn scalar(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(text) => Some(text),
        _ => None,
    }
}

pub(super) fn find<'n>(entries: &'n [(Node, Node)], name: &str) -> Option<&'n Node> {
    entries.iter().find(|(key, _)| scalar(key) == Some(name)).map(|(_, value)| value)
}

/// A short span at which to report that something is missing from a mapping.
pub(super) fn first(entries: &[(Node, Node)], around: &Node) -> Span {
    entries.first().map_or(around.span, |(key, _)| key.span)
}
