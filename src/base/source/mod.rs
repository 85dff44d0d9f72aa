//! Source texts, places in them, and what is wrong there.

mod diagnostic;
mod lines;
mod suggest;

pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use lines::{LineMap, Position};
pub(crate) use suggest::Suggestions;

use serde::Serialize;

/// A half-open range of byte offsets in the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As indices into the source text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A source text with its name and the starts of its lines.
///
/// ```
/// use hardbop::{BpOptions, Budget, Source, check_bp};
///
/// let source = Source::new("drivers/lock.bp", "decl held;\nvoid main() begin assert(!held); end");
/// let answer = check_bp(&source, &BpOptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.file.as_deref(), Some("drivers/lock.bp"));
/// let trace = answer.trace.expect("held may be T at the start");
/// assert_eq!(trace.steps.last().and_then(|s| s.line), Some(2));
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    /// File name as the user gave it, `<stdin>` for standard input.
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
    line_map: Option<LineMap>,
}

impl Source {
    /// `text` must be shorter than 4 GiB (offsets are 32 bits).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Self { name: name.into(), text, line_starts, line_map: None }
    }

    /// The same text, with the files that its lines come from.
    #[must_use]
    pub fn with_line_map(mut self, map: LineMap) -> Self {
        self.line_map = (!map.is_empty()).then_some(map);
        self
    }

    /// File, line and column of a byte offset, where the text says which files it was made of;
    /// otherwise as [`Source::line_column`].
    pub fn position(&self, offset: u32) -> Position<'_> {
        let (line, column) = self.line_column(offset);
        let (file, line) = match &self.line_map {
            Some(map) => map.find(line),
            None => (None, line),
        };
        Position { file: file.unwrap_or(&self.name), line, column }
    }

    /// Where a span begins: `main.c:16:9`.
    pub fn place(&self, span: Span) -> String {
        let Position { file, line, column } = self.position(span.start);
        format!("{file}:{line}:{column}")
    }

    /// Where an offset is, in words: `in line 3`, or `at b.c:3` in another file than the first one.
    pub fn words(&self, offset: u32) -> String {
        let Position { file, line, .. } = self.position(offset);
        if file == self.name { format!("in line {line}") } else { format!("at {file}:{line}") }
    }

    /// Line and column of a byte offset, both counted from 1; the column counts characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&s| s <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        (line, self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1)
    }

    /// The text of a span, on one line, blanks collapsed; at most `limit` characters, then `...`.
    pub fn snippet(&self, span: Span, limit: usize) -> String {
        let raw = self.text.get(span.range()).unwrap_or("");
        let mut out = String::new();
        // A preprocessor puts line marks into statements that came from macros.
        let lines = raw.lines().filter(|line| !line.starts_with("# "));
        for word in lines.flat_map(str::split_whitespace) {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
            if out.chars().count() > limit {
                return out.chars().take(limit).chain("...".chars()).collect();
            }
        }
        out
    }
}
