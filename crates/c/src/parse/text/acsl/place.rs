//! Where annotations stand: assertions and invariants of loops in front of a statement of a block, or at its end, and
//! contracts in front of a declaration of the file.

use super::annotation::Assertion;
use super::{Meaning, UNPLACED_CLAUSE, UNPLACED_INVARIANT};
use crate::parse::text::tokens::{Token, TokenKind, partners, tokens};
use crate::syntax::Replacement;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The annotations of a text as parts of it.
#[derive(Debug, Default)]
pub(in crate::parse) struct Placed {
    /// The texts that are read in place of them.
    pub replacements: Vec<Replacement>,
    /// Those that are read, and what is wrong with others.
    pub annotated: Vec<Span>,
    pub mistakes: Vec<Diagnostic>,
    /// Invariants of loops that do not stand in front of a statement of a block, and clauses of contracts that do not stand in
    /// front of a declaration of the file: what they are, in words.
    pub unplaced: Vec<(&'static str, Span)>,
}

/// Writes annotations as C's grammar reads them, and drops those of which nothing is known where they stand.
pub(in crate::parse) fn placed(text: &str, assertions: &[Assertion]) -> Placed {
    let mut out = Placed::default();
    if !assertions.is_empty() {
        let tokens = tokens(text);
        let partners = partners(&tokens);
        Places { text, tokens, partners }.assertions(assertions, &mut out);
    }
    out
}

/// The tokens around annotations.
struct Places<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// Of each bracket the one that belongs to it.
    partners: Vec<Option<usize>>,
}

impl Places<'_> {
    fn assertions(&self, assertions: &[Assertion], out: &mut Placed) {
        out.annotated = assertions.iter().map(|a| a.span).collect();
        for assertion in assertions {
            let start = assertion.span.start as usize;
            // The first token of the predicate.
            let first = self.tokens.partition_point(|t| t.start < start);
            let next = self.tokens.partition_point(|t| t.start < assertion.span.end as usize);
            let dropped = match assertion.meaning {
                Meaning::Place => None,
                Meaning::Loop => self.misplaced(first, next).map(|_| UNPLACED_INVARIANT),
                _ => (!self.declares(first, next)).then_some(UNPLACED_CLAUSE),
            };
            if let Some(what) = dropped {
                let (start, end) = (assertion.span.start as usize, assertion.span.end as usize);
                out.replacements.push(Replacement { start, end, text: " ".to_owned() });
                out.unplaced.push((what, assertion.span));
                continue;
            }
            let is_statement = matches!(assertion.meaning, Meaning::Place | Meaning::Loop);
            match self.misplaced(first, next).filter(|_| is_statement) {
                Some((message, hint)) => {
                    let mistake =
                        Diagnostic::new(DiagnosticKind::Unsupported, assertion.span, message);
                    out.mistakes.push(mistake.with_label("not supported here").with_hint(hint));
                }
                None => {
                    for (start, end, text) in &assertion.edits {
                        let (start, end, text) = (*start, *end, text.clone());
                        out.replacements.push(Replacement { start, end, text });
                    }
                }
            }
        }
    }

    /// Whether a declaration of the file begins behind the tokens `first..next`.
    fn declares(&self, first: usize, next: usize) -> bool {
        let begins = match first.checked_sub(1).map(|before| self.tokens[before].kind) {
            None | Some(TokenKind::Sign(b';')) => true,
            Some(TokenKind::Sign(b'}')) => {
                let before = self.opening(first - 1).and_then(|open| open.checked_sub(1));
                self.type_closed_before(first).is_none()
                    && !before.is_some_and(|i| self.is(i, b'='))
            }
            Some(_) => false,
        };
        // A body would be that of a function whose parameters are declared behind their names.
        begins && self.tokens.get(next).is_some_and(|t| !t.is(b'{')) && self.around(first).is_none()
    }

    /// Why an assertion of the tokens `first..next` cannot be a statement.
    fn misplaced(&self, first: usize, next: usize) -> Option<(&'static str, &'static str)> {
        let Some(open) = self.around(first) else {
            let message = "an assertion outside of functions is not supported";
            return Some((message, "move it into a function"));
        };
        let before = first - 1;
        let begins = match self.tokens[before].kind {
            TokenKind::Sign(b';') => true,
            TokenKind::Sign(b'{') => before == open,
            TokenKind::Sign(b'}') => {
                let body = self.opening(before).and_then(|i| i.checked_sub(1));
                self.type_closed_before(first).is_none()
                    && !body.is_some_and(|i| self.get(i) == "do" || self.is(i, b'='))
            }
            TokenKind::Sign(b':') => self.labels_in_block(before),
            _ => false,
        };
        if !begins || !self.is_block(open) || self.get(next) == "else" {
            return Some((
                "an assertion that does not stand in front of a statement of a block is not supported",
                "put braces around the statement that it belongs to",
            ));
        }
        // Jumps to the label would pass it by.
        let label = matches!(self.get(next), "case" | "default") || self.is(next + 1, b':');
        label.then_some((
            "an assertion in front of a label is not supported",
            "put it behind the label, or a ';' between them",
        ))
    }

    fn get(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.text(self.text))
    }

    fn is(&self, i: usize, sign: u8) -> bool {
        self.tokens.get(i).is_some_and(|t| t.is(sign))
    }

    fn kind(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    /// The bracket that the one at `i` closes.
    fn opening(&self, i: usize) -> Option<usize> {
        self.partners.get(i).copied().flatten().filter(|&j| j < i)
    }

    /// The word `struct`, `union` or `enum` of the member list that ends right before token `i`.
    fn type_closed_before(&self, i: usize) -> Option<usize> {
        let open = self.opening(i.checked_sub(1).filter(|&j| self.is(j, b'}'))?)?;
        let is_tag = |j: usize| matches!(self.get(j), "struct" | "union" | "enum");
        let mut at = self.before_attributes(open.checked_sub(1)?)?;
        if !is_tag(at) {
            at = self.before_attributes(at.checked_sub(1)?)?;
        }
        is_tag(at).then_some(at)
    }

    /// The last token before `at` that does not belong to an attribute.
    fn before_attributes(&self, mut at: usize) -> Option<usize> {
        while self.is(at, b')') {
            let word = self.opening(at)?.checked_sub(1)?;
            if !matches!(self.get(word), "__attribute__" | "__attribute") {
                break;
            }
            at = word.checked_sub(1)?;
        }
        Some(at)
    }

    /// The bracket within which token `i` is.
    fn around(&self, i: usize) -> Option<usize> {
        let mut at = i;
        while let Some(before) = at.checked_sub(1) {
            match self.tokens[before].kind {
                TokenKind::Sign(b'(' | b'[' | b'{') => return Some(before),
                TokenKind::Sign(b')' | b']' | b'}') => at = self.opening(before)?,
                _ => at = before,
            }
        }
        None
    }

    /// Whether the brace at `open` begins a block.
    fn is_block(&self, open: usize) -> bool {
        let Some(before) = open.checked_sub(1).filter(|_| self.is(open, b'{')) else {
            return false;
        };
        match self.tokens[before].kind {
            TokenKind::Sign(sign) => b")(;:{}".contains(&sign),
            _ => matches!(self.get(before), "else" | "do"),
        }
    }

    /// Whether the colon is that of a label of a statement in a block.
    fn labels_in_block(&self, colon: usize) -> bool {
        let mut colon = colon;
        loop {
            let within = (0..colon).rev().take_while(|&j| {
                !matches!(self.tokens[j].kind, TokenKind::Sign(b';' | b'{' | b'}' | b':' | b'?'))
            });
            let case = within.into_iter().find(|&j| self.get(j) == "case");
            let word = colon.checked_sub(1).filter(|&j| self.kind(j) == Some(TokenKind::Word));
            let Some(before) = case.or(word).and_then(|start| start.checked_sub(1)) else {
                return false;
            };
            match self.tokens[before].kind {
                TokenKind::Sign(b';' | b'{' | b'}') => return true,
                TokenKind::Sign(b':') => colon = before,
                _ => return false,
            }
        }
    }
}
