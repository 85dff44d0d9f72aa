//! Bodies: statements one after the other, with the open blocks on an explicit stack.

use super::{Failed, MAX_NESTING, Parsed, Parser};
use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use crate::boolean::language::syntax::{Expression, Statement, StatementKind};
use crate::boolean::language::token::{Token, TokenKind};

/// What kind of block is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    If,
    While,
    /// `begin .. end` within a body, which is no block of the language; reported already.
    Stray,
}

/// An open block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub kind: BlockKind,
    /// The word that opened it.
    pub word: Span,
    /// Its `else`, once it was read.
    pub otherwise: Option<Span>,
    /// An `if` right behind `else`.
    pub after_else: bool,
    /// There was an `if` right behind its `else`.
    pub else_if: bool,
}

impl Block {
    fn closing(self) -> &'static str {
        match self.kind {
            BlockKind::If => "fi",
            BlockKind::While => "od",
            BlockKind::Stray => "end",
        }
    }
}

/// A body as far as it was read.
#[derive(Default)]
pub(super) struct Body {
    pub statements: Vec<Statement>,
    pub blocks: Vec<Block>,
    /// Blocks that were closed by a guess, after an error: their closing words may yet come, and
    /// are no mistakes then.
    guessed: Vec<BlockKind>,
}

impl Body {
    fn push(&mut self, kind: StatementKind, span: Span) {
        self.statements.push(Statement { labels: Vec::new(), kind, span });
    }

    /// A block of which only the last word of the head was recognised.
    fn open_broken(&mut self, kind: BlockKind, word: Span) {
        self.blocks.push(Block { kind, word, otherwise: None, after_else: false, else_if: false });
    }
}

/// Whether a statement is followed by `;`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Terminator {
    /// What else may stand there, for messages.
    Needed(&'static str),
    Optional,
}

impl Parser<'_> {
    /// The statements of procedure `name` up to its `end`, whose place is returned too.
    pub(super) fn body(&mut self, name: &str, head: Span) -> (Vec<Statement>, Span) {
        let mut body = Body::default();
        loop {
            let token = self.tokens.peek(0);
            match token.kind {
                TokenKind::Semicolon => {
                    self.take();
                }
                TokenKind::End => {
                    if body.blocks.last().is_some_and(|b| b.kind == BlockKind::Stray) {
                        self.take();
                        body.blocks.pop();
                        continue;
                    }
                    if body.blocks.is_empty() || self.at_last_end() {
                        self.missing_closing(&body.blocks, token);
                        self.take();
                        return (body.statements, token.span);
                    }
                    // Meant as the end of a block.
                    self.wrong_closing(&mut body);
                    self.take();
                }
                TokenKind::EndOfText => {
                    self.missing_end(name, head, &body.blocks);
                    return (body.statements, token.span);
                }
                TokenKind::Void | TokenKind::Bool | TokenKind::Dfs if self.at_procedure() => {
                    self.missing_end(name, head, &body.blocks);
                    return (body.statements, token.span);
                }
                TokenKind::Fi | TokenKind::Od | TokenKind::Else | TokenKind::ElseIf => {
                    if self.closing_word(&mut body, token).is_err() {
                        self.recover(&mut body);
                    }
                }
                _ => match self.labelled(&mut body) {
                    Ok(Terminator::Optional) => {}
                    Ok(Terminator::Needed(expected)) => {
                        if self.terminator(expected).is_err() {
                            self.recover(&mut body);
                        }
                    }
                    Err(Failed) => {
                        // An error right at its beginning: make sure that reading advances.
                        if self.tokens.peek(0).span == token.span {
                            self.take();
                        }
                        let head = matches!(token.kind, TokenKind::Do | TokenKind::Then);
                        if !head || self.kind() == TokenKind::Colon {
                            self.recover(&mut body);
                        }
                    }
                },
            }
        }
    }

    /// Skips the rest of a statement that could not be read.
    fn recover(&mut self, body: &mut Body) {
        self.skip_to_statement();
        let kind = match self.kind() {
            TokenKind::Do => BlockKind::While,
            TokenKind::Then => BlockKind::If,
            _ => return,
        };
        let word = self.take().span;
        body.open_broken(kind, word);
    }

    /// `fi`, `od`, `else`, `elsif`.
    fn closing_word(&mut self, body: &mut Body, token: Token) -> Parsed<()> {
        let wanted = if token.kind == TokenKind::Od { BlockKind::While } else { BlockKind::If };
        let Some(position) = body.blocks.iter().rposition(|b| b.kind == wanted) else {
            return self.unopened(body, token, wanted);
        };
        if position + 1 < body.blocks.len() {
            self.missing_closing(&body.blocks[position + 1..], token);
            body.guessed.extend(body.blocks.drain(position + 1..).map(|b| b.kind));
            body.guessed.push(wanted);
        }
        self.take();
        let block = &mut body.blocks[position];
        match token.kind {
            TokenKind::Fi => {
                body.blocks.pop();
                body.push(StatementKind::EndIf, token.span);
            }
            TokenKind::Od => {
                body.blocks.pop();
                body.push(StatementKind::EndWhile, token.span);
            }
            _ => {
                let word = if token.kind == TokenKind::Else { "else" } else { "elsif" };
                let earlier = block.otherwise;
                if token.kind == TokenKind::Else {
                    block.otherwise = Some(token.span);
                }
                let opened = block.word;
                if let Some(earlier) = earlier {
                    self.report(
                        Diagnostic::new(
                            DiagnosticKind::Syntax,
                            token.span,
                            format!("'{word}' behind the 'else' of the same 'if'"),
                        )
                        .with_label("not possible here")
                        .with_related(earlier, "the 'else' is here")
                        .with_hint("is a 'fi' missing in between?"),
                    );
                }
                if token.kind == TokenKind::Else {
                    body.push(StatementKind::Else, token.span);
                } else {
                    let (condition, end) = self.condition(TokenKind::Then, opened)?;
                    body.push(StatementKind::ElseIf(condition), token.span.to(end));
                }
            }
        }
        Ok(())
    }

    /// A closing word for which no block is open.
    fn unopened(&mut self, body: &mut Body, token: Token, wanted: BlockKind) -> Parsed<()> {
        let closes = matches!(token.kind, TokenKind::Fi | TokenKind::Od);
        let guessed = body.guessed.iter().rposition(|&kind| kind == wanted);
        if let Some(guessed) = guessed {
            body.guessed.swap_remove(guessed);
        } else if closes && !body.blocks.is_empty() {
            self.wrong_closing(body);
        } else {
            self.without_opening(token, wanted);
        }
        self.take();
        if !closes {
            body.open_broken(BlockKind::If, token.span);
        }
        if token.kind == TokenKind::ElseIf {
            self.condition(TokenKind::Then, token.span)?;
        }
        Ok(())
    }

    fn without_opening(&mut self, token: Token, wanted: BlockKind) {
        let word = self.slice(token.span).to_owned();
        let opening = if wanted == BlockKind::If { "if" } else { "while" };
        let diagnostic = Diagnostic::new(
            DiagnosticKind::Syntax,
            token.span,
            format!("'{word}' without '{opening}'"),
        )
        .with_label(format!("no '{opening}' is open here"));
        self.report(diagnostic);
    }

    /// A closing word that closes the innermost block, though it is not its own.
    fn wrong_closing(&mut self, body: &mut Body) {
        let Some(block) = body.blocks.pop() else { return };
        body.guessed.push(block.kind);
        let (opening, closing) = (self.slice(block.word).to_owned(), block.closing());
        let diagnostic = self
            .expectation(&format!("'{closing}'"))
            .with_related(block.word, format!("to close this '{opening}'"));
        self.report(diagnostic);
    }

    /// Whether what follows the `end` ahead belongs to the top level.
    fn at_last_end(&mut self) -> bool {
        use TokenKind::{Bool, Decl, Dfs, EndOfText, Semicolon, Void};
        let after = usize::from(self.kind_at(1) == Semicolon) + 1;
        matches!(self.kind_at(after), Bool | Decl | Dfs | EndOfText | Void)
    }

    /// Reports that `blocks` are still open at `token`, if there are any.
    fn missing_closing(&mut self, blocks: &[Block], token: Token) {
        let Some(block) = blocks.last() else { return };
        let opening = self.slice(block.word).to_owned();
        let mut diagnostic = Diagnostic::new(
            DiagnosticKind::Syntax,
            token.span,
            format!("missing '{}' for this '{}'", block.closing(), opening),
        )
        .with_label(format!("expected '{}' before this", block.closing()))
        .with_related(block.word, format!("this '{}' is not closed", opening));
        if block.after_else || block.else_if {
            diagnostic = diagnostic
                .with_hint("the 'if' behind 'else' needs a 'fi' of its own; 'elsif' needs none");
        } else if blocks.len() > 1 {
            let more = blocks.len() - 1;
            let noun = if more == 1 { "block is" } else { "blocks are" };
            diagnostic = diagnostic.with_hint(format!("{more} more {noun} open around it"));
        }
        self.report(diagnostic);
    }

    /// Reports that the procedure has no `end`.
    fn missing_end(&mut self, name: &str, head: Span, blocks: &[Block]) {
        let token = self.tokens.peek(0);
        if !blocks.is_empty() {
            return self.missing_closing(blocks, token);
        }
        let mut diagnostic = self.expectation("'end'").with_related(head, "to end this procedure");
        if !name.is_empty() {
            diagnostic.message = format!("missing 'end' of procedure '{name}'");
        }
        self.report(diagnostic);
    }

    /// `if e then`, `while e do`: the statement, and the end of the condition.
    pub(super) fn block_head(
        &mut self,
        body: &mut Body,
        token: Token,
    ) -> Parsed<(StatementKind, Span)> {
        let previous = self.previous;
        self.take();
        let kind = if token.kind == TokenKind::If { BlockKind::If } else { BlockKind::While };
        let after_else = body
            .blocks
            .last()
            .and_then(|b| b.otherwise)
            .is_some_and(|otherwise| otherwise == previous);
        if after_else && let Some(outer) = body.blocks.last_mut() {
            outer.else_if = true;
        }
        let word = token.span;
        body.blocks.push(Block { kind, word, otherwise: None, after_else, else_if: false });
        if body.blocks.len() > MAX_NESTING {
            return Err(self.too_deep(token.span));
        }
        let closing = if kind == BlockKind::If { TokenKind::Then } else { TokenKind::Do };
        let (condition, end) = self.condition(closing, token.span)?;
        Ok(match kind {
            BlockKind::If => (StatementKind::If(condition), end),
            _ => (StatementKind::While(condition), end),
        })
    }

    /// A condition and the word behind it; `opened` is the word in front of it.
    fn condition(&mut self, closing: TokenKind, opened: Span) -> Parsed<(Expression, Span)> {
        let condition = self.expression();
        let end = self.previous;
        if condition.is_ok() && self.accept(closing).is_some() {
            return condition.map(|c| (c, end));
        }
        if condition.is_ok() {
            let (word, opening) = match closing {
                TokenKind::Do => ("'do'", "behind the condition of this 'while'"),
                _ => ("'then'", "behind the condition of this 'if'"),
            };
            let kind = self.kind();
            let expected =
                if self.on_new_line() { word.to_owned() } else { format!("an operator or {word}") };
            let diagnostic = self.expectation(&expected).with_related(opened, opening);
            let diagnostic = match kind {
                TokenKind::Do => diagnostic.with_hint("'do' belongs to 'while'"),
                TokenKind::Then => diagnostic.with_hint("'then' belongs to 'if'"),
                TokenKind::Assign => diagnostic.with_hint("equality is written '='"),
                _ => self.operator_hint(diagnostic, kind),
            };
            self.report(diagnostic);
            if self.on_new_line() && !matches!(kind, TokenKind::Do | TokenKind::Then) {
                return condition.map(|c| (c, end));
            }
        }
        // Go on behind `then` or `do` if it comes soon.
        loop {
            match self.kind() {
                TokenKind::Then | TokenKind::Do => {
                    self.take();
                    break;
                }
                kind if ends_block(kind) || kind == TokenKind::Semicolon => return Err(Failed),
                _ if self.on_new_line() => break,
                kind if kind != TokenKind::Identifier && { self.is_statement_word(kind) } => {
                    break;
                }
                _ => {
                    self.take();
                }
            }
        }
        Ok((condition.unwrap_or_else(|_| Expression { nodes: Vec::new() }), end))
    }
}

/// Whether a block or body ends, or goes on in another branch, at this word.
pub(super) fn ends_block(kind: TokenKind) -> bool {
    use TokenKind::{Else, ElseIf, End, EndOfText, Fi, Od};
    matches!(kind, Else | ElseIf | End | EndOfText | Fi | Od)
}
