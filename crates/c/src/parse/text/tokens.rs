//! C tokens, as far as the passes before parsing need them.

use rustc_hash::FxHashSet;

use super::clean::clean;
use crate::syntax::splice::{is_word, number_end, skip_quoted};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Number,
    Quoted,
    /// One character of punctuation.
    Sign(u8),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn is(self, sign: u8) -> bool {
        self.kind == TokenKind::Sign(sign)
    }

    fn opens(self) -> bool {
        matches!(self.kind, TokenKind::Sign(b'(' | b'[' | b'{'))
    }

    fn closes(self) -> bool {
        matches!(self.kind, TokenKind::Sign(b')' | b']' | b'}'))
    }

    pub fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// For each bracket the token that belongs to it; brackets of all kinds are alike.
pub(in crate::parse) fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.opens() {
            open.push(i);
        } else if token.closes()
            && let Some(other) = open.pop()
        {
            (partners[other], partners[i]) = (Some(i), Some(other));
        }
    }
    partners
}

/// All tokens of a text without comments.
pub(in crate::parse) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'"' | b'\'' => {
                at = skip_quoted(bytes, at);
                TokenKind::Quoted
            }
            byte if is_word(byte) && !byte.is_ascii_digit() => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                TokenKind::Word
            }
            byte if byte.is_ascii_digit() => {
                at = number_end(bytes, at);
                TokenKind::Number
            }
            byte => {
                at += 1;
                TokenKind::Sign(byte)
            }
        };
        out.push(Token { kind, start, end: at });
    }
    out
}

/// The tokens of a preprocessed text without comments and line marks; `None` if it contains
/// directives.
pub(crate) fn tokens_of(text: &str) -> Option<Vec<Token>> {
    Some(tokens(&clean(text).ok()?.text))
}

/// The words of a text that are more than declared: those within braces or brackets, or of a value.
pub(crate) fn used_words<'t>(text: &'t str, tokens: &[Token]) -> FxHashSet<&'t str> {
    let mut used = FxHashSet::default();
    let (mut depth, mut is_value) = (0_usize, false);
    for token in tokens {
        if token.is(b'{') || token.is(b'[') {
            depth += 1;
        } else if token.is(b'}') || token.is(b']') {
            depth = depth.saturating_sub(1);
        } else if token.is(b';') {
            is_value = false;
        } else if token.is(b'=') {
            is_value = true;
        } else if (depth > 0 || is_value) && token.kind == TokenKind::Word {
            used.extend(text.get(token.start..token.end));
        }
    }
    used
}
