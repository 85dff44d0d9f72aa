//! How reading goes on behind a mistake.

use super::{Failed, Parsed, Parser};
use crate::syntax::token::{Kind, Sign, Token, Word};

/// So many mistakes are enough.
const ENOUGH: usize = 20;

/// Whether each brace has a partner: elsewhere nothing behind the first mistake can be trusted.
pub(super) fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for token in tokens {
        match token.kind {
            Kind::Sign(Sign::OpenBrace) => depth += 1,
            Kind::Sign(Sign::CloseBrace) if depth == 0 => return false,
            Kind::Sign(Sign::CloseBrace) => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

impl Parser<'_> {
    /// Goes on behind the statement or declaration of a block that began at token `first`.
    pub(super) fn recover_in_block(&mut self, first: usize) -> Parsed<()> {
        if !self.is_balanced || self.mistakes.len() >= ENOUGH {
            return Err(Failed);
        }
        // Back to the start: the mistake may be within braces.
        let mistake = self.at;
        self.at = first;
        // A mistake in the head of a loop, or of `if`, leaves its body.
        let head =
            matches!(self.kind(), Kind::Word(Word::If | Word::While | Word::For | Word::Switch));
        let is_for = self.is_word(Word::For);
        let mut rounds = 0_usize;
        loop {
            let is_behind = self.at >= mistake;
            match self.kind() {
                Kind::End => return Err(Failed),
                Kind::Sign(Sign::OpenRound) => rounds += 1,
                Kind::Sign(Sign::CloseRound) => {
                    rounds = rounds.saturating_sub(1);
                    if head && is_behind && rounds == 0 {
                        self.bump();
                        return Ok(());
                    }
                }
                // Only in the head of `for` are semicolons in parentheses.
                Kind::Sign(Sign::Semicolon) if is_behind && !(is_for && rounds > 0) => {
                    self.bump();
                    return Ok(());
                }
                Kind::Sign(Sign::CloseBrace) => return Ok(()),
                Kind::Sign(Sign::OpenBrace) => {
                    // A block, or a list of values.
                    self.at = self.closing_brace(self.at);
                    if self.at > mistake && !self.is_within() {
                        return Ok(());
                    }
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether what has braces goes on here.
    fn is_within(&self) -> bool {
        matches!(self.kind(), Kind::Sign(Sign::Semicolon | Sign::Comma | Sign::CloseRound))
    }

    /// Goes on behind the declaration that began at token `first`; whether there is more to read.
    pub(super) fn recover_in_file(&mut self, first: usize) -> bool {
        if !self.is_balanced || self.mistakes.len() >= ENOUGH {
            return false;
        }
        let is_typedef = self.token_at(first).kind == Kind::Word(Word::TypeDef);
        // Back to the start: the mistake may be within braces.
        let mistake = self.at;
        self.at = first;
        while self.kind() != Kind::End {
            match self.kind() {
                Kind::Sign(Sign::Semicolon) if self.at >= mistake => {
                    // Its uses are no mistakes of their own.
                    let before = self.token_at(self.at.saturating_sub(1));
                    if is_typedef && before.kind == Kind::Name {
                        self.names.declare(self.text_of(before), true);
                    }
                    self.bump();
                    return true;
                }
                Kind::Sign(Sign::OpenBrace) => {
                    self.at = self.closing_brace(self.at);
                    if self.at > mistake && !is_typedef && !self.goes_on() {
                        return true;
                    }
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
        false
    }

    /// Whether what has a list in braces goes on behind it.
    fn goes_on(&self) -> bool {
        match self.kind() {
            Kind::Word(_) => false,
            Kind::Name => self.ahead(1) == Kind::Sign(Sign::Semicolon),
            _ => true,
        }
    }

    /// The index behind the brace that closes the one at token `i`.
    fn closing_brace(&self, i: usize) -> usize {
        let mut depth = 0_usize;
        for (j, token) in self.tokens.iter().enumerate().skip(i) {
            match token.kind {
                Kind::Sign(Sign::OpenBrace) => depth += 1,
                Kind::Sign(Sign::CloseBrace) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return j + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len() - 1
    }
}
