//! Source texts, places in them, and what is wrong there.

mod diagnostic;
mod json;
mod lines;
mod object;
mod original;
mod suggest;

pub use diagnostic::MOST_MISTAKES;
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use json::{from_json, json_words};
pub use lines::{LineMap, Position};
pub use object::{Object, object, objects, some_object};
pub use original::Original;
pub use suggest::Suggestions;

use std::sync::Arc;

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

    /// The span as a range of indices into the source text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// At most so many lines on each side of one belong to the same line of a file.
const NEAR: usize = 64;

/// A source text with its name and the starts of its lines.
///
/// ```
/// use hardbop_base::source::{Source, Span};
///
/// let source = Source::new("drivers/lock.bp", "decl held;\nvoid main() begin assert(!held); end");
/// let assertion = Span::new(29, 42);
/// assert_eq!(&source.text[assertion.range()], "assert(!held)");
/// assert_eq!(source.line_column(assertion.start), (2, 19));
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    /// File name as the user gave it, `<stdin>` for standard input.
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
    line_map: Option<LineMap>,
    /// Files before the preprocessor, by their names.
    originals: Vec<(String, Arc<Original>)>,
}

impl Source {
    /// `text` must be shorter than 4 GiB (offsets are 32 bits).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Self { name: name.into(), text, line_starts, line_map: None, originals: vec![] }
    }

    /// This text with the files that its lines come from.
    #[must_use]
    pub fn with_line_map(mut self, map: LineMap) -> Self {
        self.line_map = (!map.is_empty()).then_some(map);
        self
    }

    /// This text with the files, by name, of which a preprocessor has made it: columns are then
    /// those of the files, as far as they can be told.
    #[must_use]
    pub fn with_originals(mut self, files: Vec<(String, Arc<Original>)>) -> Self {
        self.originals = files;
        self
    }

    /// The original files, as given to [`Source::with_originals`].
    pub fn originals(&self) -> &[(String, Arc<Original>)] {
        &self.originals
    }

    /// File, line and column of a byte offset, where the text says which files it was made of;
    /// otherwise as [`Source::line_column`].
    pub fn position(&self, offset: u32) -> Position<'_> {
        let (line, plain) = self.line_column(offset);
        let (file, number) = self.origin(line);
        let own = self.originals.iter().find(|(name, _)| name == file);
        let column = own.and_then(|(_, original)| {
            let (output, at) = self.made_of_line(line, offset as usize)?;
            original.column(number, &output, at)
        });
        Position { file, line: number, column: column.unwrap_or(plain) }
    }

    /// The file of a line of the text, and the line's number there.
    fn origin(&self, line: usize) -> (&str, usize) {
        let (file, number) = match &self.line_map {
            Some(map) => map.find(line),
            None => (None, line),
        };
        (file.unwrap_or(&self.name), number)
    }

    /// The text into which one line of a file was preprocessed, without marks: this line, and those
    /// beside it that come from the same one; and the place of an offset of this line in it.
    fn made_of_line(&self, line: usize, offset: usize) -> Option<(String, usize)> {
        let line_text = |line: usize| {
            let start = *self.line_starts.get(line - 1)? as usize;
            let end = self.line_starts.get(line).map_or(self.text.len(), |&end| end as usize);
            self.text.get(start..end)
        };
        let is_mark = |text: &str| text.starts_with("# ");
        let origin = self.origin(line);
        let belongs = |line: usize| {
            line_text(line).is_some_and(|text| is_mark(text) || self.origin(line) == origin)
        };
        let first = (1..line).rev().take_while(|&l| belongs(l)).take(NEAR).last().unwrap_or(line);
        let last = (line + 1..).take_while(|&l| belongs(l)).take(NEAR).last().unwrap_or(line);
        let (mut output, mut at) = (String::new(), 0);
        for number in first..=last {
            let text = line_text(number)?;
            if number == line {
                at = output.len() + offset.checked_sub(self.line_starts[line - 1] as usize)?;
            }
            // Marks stand between lines that belong together, and before and behind them.
            if !is_mark(text) {
                output.push_str(text);
            }
        }
        Some((output, at))
    }

    /// The place where a span begins: `main.c:16:9`.
    pub fn place(&self, span: Span) -> String {
        let Position { file, line, column } = self.position(span.start);
        format!("{file}:{line}:{column}")
    }

    /// The place of an offset, in words: `in line 3`, or `at b.c:3` in another file than the first
    /// one.
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
