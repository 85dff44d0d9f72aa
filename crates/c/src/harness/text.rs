//! The program's text as tokens.

use rustc_hash::FxHashSet;

use crate::parse::{Token, TokenKind, body_of, closing, tokens_of, used_words};
use hardbop_base::source::Span;

/// A text and its tokens, without comments and directives.
#[derive(Debug)]
pub(super) struct Lexed<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

impl<'t> Lexed<'t> {
    /// `None` if the text is not C.
    pub(super) fn new(text: &'t str) -> Option<Self> {
        Some(Self { text, tokens: tokens_of(text)? })
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(super) fn token(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index)
    }

    pub(super) fn text(&self, token: &Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or("")
    }

    /// A slice of the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or("")
    }

    /// Whether a token is within braces.
    pub(super) fn is_inside(&self, index: usize) -> bool {
        let count = |brace| self.tokens[..index].iter().filter(|t| t.is(brace)).count();
        count(b'{') > count(b'}')
    }

    /// The words, with the indices of their tokens.
    pub(super) fn words(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let words = self.tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Word);
        words.map(|(index, token)| (index, self.text(token)))
    }

    /// The words that are more than declared.
    pub(super) fn used(&self) -> FxHashSet<&'t str> {
        used_words(self.text, &self.tokens)
    }

    /// The token, if it is a word.
    pub(super) fn word(&self, index: usize) -> Option<&'t str> {
        let token = self.token(index).filter(|t| t.kind == TokenKind::Word)?;
        Some(self.text(token))
    }

    /// The first token that starts at or after an offset.
    pub(super) fn first_at(&self, offset: usize) -> usize {
        self.tokens.partition_point(|t| t.start < offset)
    }

    /// The first token in a part of the text that is this word.
    pub(super) fn word_in(&self, part: Span, word: &str) -> Option<usize> {
        (self.first_at(part.start as usize)..)
            .take_while(|&i| self.token(i).is_some_and(|t| t.start < part.end as usize))
            .find(|&i| self.word(i) == Some(word))
    }

    /// Whether a token starts at an offset; in comments, none does.
    pub(super) fn begins_at(&self, offset: usize) -> bool {
        self.token(self.first_at(offset)).is_some_and(|t| t.start == offset)
    }

    /// The parenthesis that closes the one at index `open`.
    pub(super) fn closing(&self, open: usize) -> Option<&Token> {
        closing(&self.tokens, open)
    }

    /// Whether the text defines the function `name`.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.body(name).is_some()
    }

    /// The brace that opens the body of the function `name`.
    pub(super) fn body(&self, name: &str) -> Option<&Token> {
        body_of(self.text, &self.tokens, name)
    }

    /// Where the declarator around the name at `index` ends, before `,` or `;`; `None` if it has an initialiser.
    pub(super) fn declarator_end(&self, index: usize) -> Option<usize> {
        let end = self.outer(index).find(|t| t.is(b';') || t.is(b',') || t.is(b'='))?;
        (!end.is(b'=')).then_some(end.start)
    }

    /// The end of the declaration of the name at `index`, after its `;`.
    pub(super) fn declaration_end(&self, index: usize) -> Option<usize> {
        self.outer(index).find(|token| token.is(b';')).map(|token| token.end)
    }

    /// The tokens from `index` on that are not within brackets.
    fn outer(&self, index: usize) -> impl Iterator<Item = &Token> {
        let mut depth = 0usize;
        self.tokens[index..].iter().filter(move |token| {
            if token.is(b'(') || token.is(b'[') || token.is(b'{') {
                depth += 1;
            } else if token.is(b')') || token.is(b']') || token.is(b'}') {
                // A parenthesis around the declarator closes here; it opened before the name.
                depth = depth.saturating_sub(1);
            }
            depth == 0
        })
    }
}
