//! Edits of the program's text.

use super::text::Lexed;
use crate::execute::OutsideObject;
use crate::library::{Link, find};
use crate::parse::TokenKind;
use hardbop_base::source::Span;

/// Edits of a text, by byte offset in the original.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Offset, number of bytes to remove, and text to insert.
    edits: Vec<(usize, usize, String)>,
}

impl Edits {
    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.edits.push((at, 0, text.into()));
    }

    pub(super) fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.edits.push((start, end - start, text.into()));
    }

    /// The edited text; several edits at one place appear in the order in which they were made.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.edits.sort_by_key(|edit| edit.0);
        let mut out = String::with_capacity(text.len() + 64 * self.edits.len());
        let mut at = 0;
        for (start, drop, new) in self.edits {
            if start >= at {
                out.push_str(text.get(at..start).unwrap_or(""));
                at = start + drop;
            }
            out.push_str(&new);
        }
        out.push_str(text.get(at..).unwrap_or(""));
        out
    }
}

const REACHED: &str = "hardbop_reached()";

/// Inserts a call that reports the error; false if the place cannot be marked.
pub(super) fn mark_error(lexed: &Lexed, span: Span, edits: &mut Edits) -> bool {
    let first = lexed.first_at(span.start as usize);
    let (Some(name), Some(next)) = (lexed.word(first), lexed.token(first + 1)) else {
        return false;
    };
    if next.is(b':') {
        edits.insert(next.end, format!(" {REACHED};"));
        return true;
    }
    // Whether `assert` fails depends on its condition; its definition reports the error.
    if find(name).is_some_and(|known| known.link == Link::Assertion) {
        return true;
    }
    if next.is(b'(') {
        let Some(last) = lexed.closing(first + 1) else { return false };
        edits.insert(span.start as usize, format!("({REACHED}, "));
        edits.insert(last.end, ")");
        return true;
    }
    false
}

/// Redirects uses of the error function other than direct calls.
pub(super) fn mark_uses(lexed: &Lexed, name: &str, edits: &mut Edits) {
    for (index, word) in lexed.words() {
        if word == name
            && !lexed.token(index + 1).is_some_and(|t| t.is(b'('))
            && let Some(token) = lexed.token(index)
        {
            let new = format!("(*(__typeof__(&{name}))hardbop_reached)");
            edits.replace(token.start, token.end, new);
        }
    }
}

/// Puts an object in place of a number that is used as a pointer.
pub(super) fn replace_address(
    lexed: &Lexed,
    span: Span,
    object: &OutsideObject,
    edits: &mut Edits,
) {
    let first = lexed.first_at(span.start as usize);
    let new = format!("(hardbop_o_{} + {})", object.number, object.start);
    // The number may have a cast before it.
    let new = match lexed.token(first) {
        Some(token) if token.is(b'(') => {
            let end = (first..).map_while(|i| lexed.token(i));
            let last = end.take_while(|t| t.start < span.end as usize).last();
            let text = lexed.slice(token.start, last.map_or(token.end, |t| t.end));
            format!("((__typeof__({text})){new})")
        }
        _ => new,
    };
    edits.replace(span.start as usize, span.end as usize, new);
}

/// Replaces `long` by the type that the macros of the runtime give it.
///
/// `long long` and `long double` stay. Constants lose the suffix `l`, which does not change their
/// value.
pub(super) fn shorten_longs(lexed: &Lexed, edits: &mut Edits) {
    for (index, token) in lexed.tokens().iter().enumerate() {
        let text = lexed.text(token);
        if token.kind == TokenKind::Number {
            if let Some(shorter) = shorter_constant(text) {
                edits.replace(token.start, token.end, shorter);
            }
        } else if text == "long" {
            let around = [index.checked_sub(1).and_then(|i| lexed.word(i)), lexed.word(index + 1)];
            let next_to = |words: &[&str]| around.iter().flatten().any(|w| words.contains(w));
            if next_to(&["long", "double"]) {
                continue;
            }
            let joined = next_to(&["int", "unsigned", "signed", "__signed__"]);
            let new = if joined { "hardbop_long_with_int" } else { "hardbop_long" };
            edits.replace(token.start, token.end, new);
        }
    }
}

/// `1UL` becomes `1u`; `None` for constants of types other than `long`.
fn shorter_constant(text: &str) -> Option<String> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = text[digits.len()..].to_ascii_lowercase();
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if suffix.matches('l').count() != 1 || !hexadecimal && digits.contains(['.', 'e', 'E']) {
        return None;
    }
    Some(format!("{digits}{}", if suffix.len() > 1 { "u" } else { "" }))
}
