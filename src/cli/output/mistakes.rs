//! Mistakes in input texts: as words for people, and one by one with their places, for `hardbop lsp`.

use std::fmt;

use serde::{Deserialize, Serialize};

use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};

/// Mistakes, in one text or several.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    rendered: String,
    all: Vec<Mistake>,
}

impl Mistakes {
    /// Mistakes in a text, which are rendered so.
    pub fn new(rendered: String, source: &Source, diagnostics: &[Diagnostic]) -> Self {
        Self { rendered, all: diagnostics.iter().map(|d| Mistake::new(source, d)).collect() }
    }

    /// Those of another text come behind.
    pub fn append(&mut self, others: Self) {
        self.rendered.push_str(&others.rendered);
        self.all.extend(others.all);
    }

    pub fn is_empty(&self) -> bool {
        self.rendered.is_empty()
    }

    /// One by one.
    pub fn all(&self) -> &[Mistake] {
        &self.all
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rendered)
    }
}

/// A mistake with its places, as a file of `--mistakes` has it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mistake {
    pub kind: DiagnosticKind,
    pub message: String,
    /// The words at the place; may be empty.
    pub label: String,
    pub hint: Option<String>,
    pub place: Place,
    /// A related place with its own words.
    pub related: Option<(Place, String)>,
}

/// A place in a file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    pub file: String,
    /// The line, from 1, as the column, which counts characters.
    pub line: usize,
    pub column: usize,
    /// Characters from there, in the same line.
    pub length: usize,
}

impl Mistake {
    fn new(source: &Source, diagnostic: &Diagnostic) -> Self {
        let related = diagnostic.related.as_ref();
        Self {
            kind: diagnostic.kind,
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            hint: diagnostic.hint.clone(),
            place: Place::new(source, diagnostic.span),
            related: related.map(|(span, words)| (Place::new(source, *span), words.clone())),
        }
    }
}

impl Place {
    fn new(source: &Source, span: Span) -> Self {
        let at = source.position(span.start);
        let text = source.text.get(span.range()).unwrap_or("");
        let length = text.lines().next().map_or(0, |line| line.chars().count());
        Self { file: at.file.to_owned(), line: at.line, column: at.column, length }
    }
}
