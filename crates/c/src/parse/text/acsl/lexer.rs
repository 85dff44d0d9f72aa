//! The tokens of an annotation.

use crate::syntax::splice::{skip_quoted, splice_length};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Quoted,
    /// A word behind a backslash.
    Builtin,
    Operator,
    /// A token that no annotation has.
    Strange,
}

/// A token, with its offsets in the whole text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Operators of more than one character, of C and of ACSL; longer ones first.
const OPERATORS: &[&str] = &[
    "<==>", "<-->", "...", "==>", "-->", "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "^^",
    "<<", ">>", "->", "++", "--", "..", "::", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The part between the signs of an annotation in `text[..end]`; `None` if the comment at `start` is none.
pub(super) fn content(text: &str, (start, end): (usize, usize)) -> Option<(usize, usize)> {
    let comment = &text[start..end];
    if comment.starts_with("//@") {
        Some((start + 3, end))
    } else if comment.starts_with("/*@") {
        Some((start + 3, end - 2))
    } else {
        None
    }
}

/// The tokens in `text[from..to]`, without comments within the annotation and the signs `@` of its margin.
pub(super) fn tokens(text: &str, (from, to): (usize, usize)) -> Vec<Token> {
    let bytes = &text.as_bytes()[..to];
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let word_end = |mut at: usize| {
        while at < to && is_word(bytes[at]) {
            at += 1;
        }
        at
    };
    let mut out = Vec::new();
    let mut at = from;
    let mut margin = true;
    while at < to {
        let (start, byte) = (at, bytes[at]);
        let rest = &text[at..to];
        let kind = match byte {
            _ if byte.is_ascii_whitespace() => {
                margin |= byte == b'\n';
                at += 1;
                continue;
            }
            b'\\' if splice_length(bytes, at) > 0 => {
                at += splice_length(bytes, at);
                continue;
            }
            b'@' if margin || rest.bytes().all(|b| b == b'@' || b.is_ascii_whitespace()) => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'\\' => {
                at = word_end(at + 1);
                if at > start + 1 { Kind::Builtin } else { Kind::Strange }
            }
            b'\'' | b'"' => {
                at = skip_quoted(bytes, at).min(to);
                let closed = at > start + 2 && bytes[at - 1] == byte;
                if closed { Kind::Quoted } else { Kind::Strange }
            }
            _ if byte.is_ascii_digit() => {
                // `0..9` is a range of two numbers.
                while at < to
                    && (is_word(bytes[at]) || bytes[at] == b'.' && bytes.get(at + 1) != Some(&b'.'))
                {
                    at += 1;
                }
                Kind::Number
            }
            _ if is_word(byte) => {
                at = word_end(at);
                Kind::Word
            }
            _ if byte.is_ascii_punctuation() => {
                let long = OPERATORS.iter().find(|operator| rest.starts_with(*operator));
                at += long.map_or(1, |operator| operator.len());
                Kind::Operator
            }
            _ => {
                at += rest.chars().next().map_or(1, char::len_utf8);
                Kind::Strange
            }
        };
        margin = false;
        out.push(Token { kind, start, end: at });
    }
    out
}
