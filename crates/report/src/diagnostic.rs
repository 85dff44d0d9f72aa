//! Diagnostics for people: headline, place, source line with underlined text, advice.
//!
//! Only a bounded piece of text around each place is shown, however long the line is.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

use hardbop_base::source::Diagnostic;
use hardbop_base::source::{Source, Span};

/// Length of a line beyond which it is cut to the part around the place.
const LONG_LINE: usize = 240;

/// Characters that are shown on both sides of a place in a long line.
const MARGIN: usize = 100;

/// Places further apart are shown one after the other, not in one piece of text.
const FAR_LINES: usize = 200;

/// Shows the diagnostics one after the other; each ends with an empty line.
pub fn render(source: &Source, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&render_one(source, diagnostic, &renderer));
        out.push_str("\n\n");
    }
    out
}

fn render_one(source: &Source, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let primary = Place::of(source, diagnostic.span);
    let label = visible(&diagnostic.label);
    let related =
        diagnostic.related.as_ref().map(|(span, words)| (Place::of(source, *span), visible(words)));

    let mut elements: Vec<Element> = Vec::new();
    let shown_column;
    match related {
        Some((place, words)) if primary.is_near(&place) && primary.is_beside(&place, source) => {
            let excerpt = Excerpt::of(source, &[&primary, &place]);
            shown_column = excerpt.column(0);
            let mut snippet = excerpt.snippet(source);
            snippet = snippet
                .annotation(AnnotationKind::Primary.span(excerpt.ranges[0].clone()).label(label));
            if excerpt.ranges[1] != excerpt.ranges[0] {
                snippet = snippet.annotation(
                    AnnotationKind::Context.span(excerpt.ranges[1].clone()).label(words),
                );
            }
            elements.push(snippet.into());
        }
        related => {
            let excerpt = Excerpt::of(source, &[&primary]);
            shown_column = excerpt.column(0);
            let range = excerpt.ranges[0].clone();
            let annotation = AnnotationKind::Primary.span(range).label(label);
            elements.push(excerpt.snippet(source).annotation(annotation).into());
            if let Some((place, words)) = related {
                let excerpt = Excerpt::of(source, &[&place]);
                let range = excerpt.ranges[0].clone();
                let annotation = AnnotationKind::Context.span(range).label(words);
                elements.push(excerpt.snippet(source).annotation(annotation).into());
            }
        }
    }
    if let Some(hint) = &diagnostic.hint {
        elements.push(Level::HELP.message(visible(hint)).into());
    }
    let group = Group::with_title(Level::ERROR.primary_title(visible(&diagnostic.message)))
        .elements(elements);
    let text = renderer.render(&[group]);

    // Where the beginning of the line was cut off, the library counts too few columns.
    let position = source.position(primary.start as u32);
    let (name, line, column) = (position.file, position.line, position.column);
    if column == shown_column {
        return text;
    }
    let shown = format!("{name}:{line}:{shown_column}");
    text.replacen(&shown, &format!("{name}:{line}:{column}"), 1)
}

/// Control characters escaped, so that a file cannot write to the terminal through a message.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A span cut to its first line, in a text where it may not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    start: usize,
    end: usize,
    /// The line, counted from 1.
    line: usize,
    /// The first byte of that line.
    line_start: usize,
}

impl Place {
    fn of(source: &Source, span: Span) -> Self {
        let text = &source.text;
        let start = floor(text, span.start as usize);
        let (line, _) = source.line_column(start as u32);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let stop = floor(text, (span.end as usize).min(start.saturating_add(LONG_LINE)));
        let stop = stop.max(start);
        let end = text[start..stop].find(['\n', '\r']).map_or(stop, |i| start + i);
        Self { start, end, line, line_start }
    }

    /// Whether the lines between the two are those between them in one file: both may be of
    /// several.
    fn is_beside(&self, other: &Self, source: &Source) -> bool {
        let [own, others] = [self, other].map(|place| source.position(place.start as u32));
        own.file == others.file && own.line.abs_diff(others.line) == self.line.abs_diff(other.line)
    }

    fn is_near(&self, other: &Self) -> bool {
        self.line.abs_diff(other.line) <= FAR_LINES
            && (self.line != other.line || self.start.abs_diff(other.start) <= 2 * LONG_LINE)
    }
}

/// A piece of the source, with places in it.
struct Excerpt {
    text: String,
    /// Number of its first line in the whole text.
    line: usize,
    /// The first byte of that line.
    start: usize,
    /// The places, as ranges of `text`.
    ranges: Vec<Range<usize>>,
}

impl Excerpt {
    /// The lines from the first to the last of `places` (not empty).
    fn of(source: &Source, places: &[&Place]) -> Self {
        let text = &source.text;
        let first = places.iter().min_by_key(|p| p.line);
        let mut excerpt = Self {
            text: String::new(),
            line: first.map_or(1, |p| p.line),
            start: first.map_or(0, |p| p.line_start),
            ranges: vec![0..0; places.len()],
        };
        let last = places.iter().map(|p| p.line).max().unwrap_or(1);
        let mut start = places.iter().map(|p| p.line_start).min().unwrap_or(0);
        for line in excerpt.line..=last {
            let stop = text[start..].find('\n').map_or(text.len(), |i| start + i);
            let end = start + text[start..stop].trim_end_matches('\r').len();
            let here = || places.iter().enumerate().filter(|(_, p)| p.line == line);
            let (mut from, mut to) = (start, end);
            if end - start > LONG_LINE {
                let left = here().map(|(_, p)| p.start).min().unwrap_or(start);
                let right = here().map(|(_, p)| p.end).max().unwrap_or(start);
                from = floor(text, left.saturating_sub(MARGIN)).max(start);
                to = floor(text, right + MARGIN).clamp(right.min(end), end);
            }
            if from > start {
                excerpt.text.push_str("...");
            }
            for (i, place) in here() {
                let shift = |at: usize| excerpt.text.len() + (at.min(to) - from);
                excerpt.ranges[i] = shift(place.start)..shift(place.end);
            }
            excerpt.text.push_str(&text[from..to]);
            if to < end {
                excerpt.text.push_str("...");
            }
            excerpt.text.push('\n');
            start = (stop + 1).min(text.len());
        }
        excerpt
    }

    fn snippet<'a>(&self, source: &'a Source) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let position = source.position(self.start as u32);
        Snippet::source(self.text.clone()).line_start(position.line).path(position.file)
    }

    /// The column of a place within the excerpt, counted from 1.
    fn column(&self, place: usize) -> usize {
        let before = &self.text[..self.ranges[place].start];
        before.chars().rev().take_while(|&c| c != '\n').count() + 1
    }
}

/// The last character boundary that is not behind `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::render;
    use hardbop_base::source::{Diagnostic, DiagnosticKind};
    use hardbop_base::source::{Source, Span};

    fn shown(text: &str, span: Span, related: Option<Span>) -> String {
        let mut diagnostic =
            Diagnostic::new(DiagnosticKind::Syntax, span, "wrong").with_label("here");
        diagnostic.related = related.map(|r| (r, "there".to_owned()));
        render(&Source::new("f.bp", text), &[diagnostic], false)
    }

    #[test]
    fn long_lines_are_cut() {
        let text = format!("first\n{}X{}\n", "\u{e9}".repeat(3_000_000), "b".repeat(3_000_000));
        let at = 6 + 6_000_000;
        let out = shown(&text, Span::new(at, at + 1), Some(Span::new(0, 5)));
        assert!(out.len() < 2000, "{}", out.len());
        assert!(out.contains("f.bp:2:3000001\n"), "{out}");
        assert!(out.contains("there"), "{out}");
        let out = shown(&text, Span::new(at, text.len()), Some(Span::new(6, 8)));
        assert!(out.len() < 4000 && out.contains("f.bp:2:3000001\n"), "{out}");
    }

    #[test]
    fn any_span_can_be_shown() {
        for text in ["", "\n", "a\r\n\u{e9}\t\n", "a\u{0}\u{1b}[31mb\nc"] {
            for start in 0..12 {
                for end in 0..12 {
                    let span = Span { start, end };
                    for related in [None, Some(Span { start: end, end: start })] {
                        let out = shown(text, span, related);
                        assert!(out.starts_with("error: wrong\n"), "{out}");
                        assert!(!out.contains('\u{1b}'), "{out:?}");
                    }
                }
            }
        }
    }
}
