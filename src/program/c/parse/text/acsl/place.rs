//! Where assertions and invariants of loops stand: in front of a statement of a block, or at its end.

use super::annotation::Assertion;
use crate::base::source::{Diagnostic, DiagnosticKind};
use crate::program::c::parse::text::patch::Patcher;
use crate::program::c::parse::text::tokens::TokenKind;

impl Patcher<'_> {
    /// Writes assertions as calls, and drops invariants of loops that do not stand in front of a statement of a block.
    pub fn assertions(&mut self, assertions: &[Assertion]) {
        self.annotated = assertions.iter().map(|a| a.span).collect();
        for assertion in assertions {
            let start = assertion.span.start as usize;
            // The first token of the predicate.
            let first = self.tokens.partition_point(|t| t.start < start);
            let next = self.tokens.partition_point(|t| t.start < assertion.span.end as usize);
            match self.misplaced(first, next) {
                Some(_) if assertion.of_loop => {
                    let (start, end) = (assertion.span.start as usize, assertion.span.end as usize);
                    self.replace_bytes(start, end, String::new());
                    self.unplaced.push(assertion.span);
                }
                Some((message, hint)) => {
                    let mistake =
                        Diagnostic::new(DiagnosticKind::Unsupported, assertion.span, message);
                    self.mistakes.push(mistake.with_label("not supported here").with_hint(hint));
                }
                None => {
                    for (start, end, text) in &assertion.edits {
                        self.replace_bytes(*start, *end, text.clone());
                    }
                }
            }
        }
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
