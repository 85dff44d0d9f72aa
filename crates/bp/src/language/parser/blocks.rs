//! Bodies: one entry after another, with the open blocks on an explicit stack.

use super::mistakes;
use super::reader::{Failure, MAX_NESTING, Node, Reader, Rule};
use super::state::{NO_EXPRESSION, Parser};
use crate::language::syntax::{Expression, Name, Statement, StatementKind};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The kind of an open block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    If,
    While,
    /// `begin .. end` within a body, which is not a block of the language; already reported.
    Stray,
}

/// An open block.
struct Block {
    kind: BlockKind,
    /// The word that opened it.
    word: Name,
    /// The `else` of the block, once read.
    otherwise: Option<Span>,
    /// Whether it is an `if` right behind `else`, or has such an `if` behind its `else`.
    else_if: bool,
}

impl Block {
    fn closing(&self) -> &'static str {
        match self.kind {
            BlockKind::If => "fi",
            BlockKind::While => "od",
            BlockKind::Stray => "end",
        }
    }
}

/// A body as read so far.
#[derive(Default)]
pub(super) struct Body {
    pub statements: Vec<Statement>,
    blocks: Vec<Block>,
    /// Blocks closed by a guess, after an error: their closing words may still come, and are then
    /// no mistakes.
    guessed: Vec<BlockKind>,
    /// Whether the last entry is `else`.
    behind_else: bool,
}

impl Body {
    fn push(&mut self, kind: StatementKind, span: Span) {
        self.statements.push(Statement { labels: Vec::new(), kind, span });
    }
}

impl Parser {
    /// The statements of procedure `name` up to its `end`, and the position of the latter.
    pub(super) fn body(
        &mut self,
        reader: &mut Reader<'_>,
        name: &str,
        head: Span,
    ) -> (Vec<Statement>, Span) {
        let mut body = Body::default();
        loop {
            self.may_stop(reader);
            let failure = match reader.read(Rule::entry, self.at) {
                Ok(node) => {
                    self.at = node.end();
                    let span = node.span();
                    match node.rule() {
                        Rule::END if self.ends(reader, &mut body, span) => {
                            return (body.statements, span);
                        }
                        Rule::end_of_text | Rule::next_procedure => {
                            self.missing_end(reader, name, head, &body.blocks);
                            return (body.statements, Span { end: span.start, ..span });
                        }
                        _ => self.entry(&node, &mut body),
                    }
                    body.behind_else = node.rule() == Rule::ELSE;
                    continue;
                }
                Err(failure) => failure,
            };
            if !self.strange(reader, failure.at) {
                self.broken_entry(reader, &failure, &mut body);
            }
        }
    }

    /// Takes an entry of a body that does not end it.
    fn entry(&mut self, node: &Node<'_>, body: &mut Body) {
        let word = node.children().next().unwrap_or(node.clone());
        match node.rule() {
            Rule::empty | Rule::END => {}
            Rule::FI | Rule::OD | Rule::ELSE => self.closing_word(body, node.rule(), node.name()),
            Rule::else_if => {
                self.closing_word(body, Rule::ELSIF, word.name());
                let (condition, end) = self.condition(node);
                body.push(StatementKind::ElseIf(condition), word.span().to(end));
            }
            _ => self.statement(node, body),
        }
    }

    /// Whether an `end` ends the body rather than a block.
    fn ends(&mut self, reader: &Reader<'_>, body: &mut Body, end: Span) -> bool {
        if body.blocks.pop_if(|block| block.kind == BlockKind::Stray).is_some() {
            return false;
        }
        let last = reader.test(Rule::last_end, end.start as usize).is_some();
        if last || body.blocks.is_empty() {
            self.missing_closing(&body.blocks, end);
            return true;
        }
        self.wrong_closing(body, &Name { text: "end".to_owned(), span: end });
        false
    }

    /// Opens a block.
    pub(super) fn open(&mut self, body: &mut Body, kind: BlockKind, word: Name) {
        let else_if = std::mem::take(&mut body.behind_else);
        if else_if && let Some(outer) = body.blocks.last_mut() {
            outer.else_if = true;
        }
        if body.blocks.len() > MAX_NESTING {
            self.too_deep(word.span);
        }
        body.blocks.push(Block { kind, word, otherwise: None, else_if });
    }

    /// The condition in a head, and its position.
    pub(super) fn condition(&mut self, head: &Node<'_>) -> (Expression, Span) {
        match head.children().find(|part| part.rule() == Rule::expression) {
            Some(part) => (self.expression(&part), part.span()),
            None => (NO_EXPRESSION, head.span()),
        }
    }

    /// Reports what is wrong with an entry, and goes on after it.
    fn broken_entry(&mut self, reader: &mut Reader<'_>, failure: &Failure, body: &mut Body) {
        let (start, at) = (self.token(reader), failure.at);
        let end = reader.row(start, at).end;
        let on_new_line = reader.new_line(end, at);
        if failure.expected.contains(&Rule::semicolon)
            && (on_new_line || reader.test(Rule::statement_word, at).is_some())
        {
            self.missing_semicolon(reader, "the statement", end, at);
            if let Some(statement) = reader.read_up_to(Rule::statement, start, at) {
                self.statement(&statement, body);
            }
            return;
        }
        self.unreadable(reader, failure, start);
        let head = reader.test(Rule::broken_head, start);
        if let Some(word) = head.and_then(|head| head.children().next_back()) {
            match word.rule() {
                Rule::IF => self.open(body, BlockKind::If, word.name()),
                Rule::WHILE => self.open(body, BlockKind::While, word.name()),
                _ => self.closing_word(body, Rule::ELSIF, word.name()),
            }
            if !on_new_line || reader.test(Rule::head_word, at).is_some() {
                self.skip(reader, Rule::rest_of_head);
            }
            return;
        }
        if at == start {
            // Ensures progress.
            self.at = reader.read(Rule::lexeme, at).map_or(at, |token| token.end());
            if reader.test(Rule::head_word, at).is_some() {
                return;
            }
        }
        self.skip(reader, Rule::rest_of_statement);
        if let Some(word) = reader.test(Rule::head_word, self.at) {
            let kind = if word.text() == "do" { BlockKind::While } else { BlockKind::If };
            self.at = word.end();
            self.open(body, kind, word.name());
        }
    }

    /// `fi`, `od`, `else`, or `elsif`.
    fn closing_word(&mut self, body: &mut Body, rule: Rule, word: Name) {
        let wanted = if rule == Rule::OD { BlockKind::While } else { BlockKind::If };
        let Some(position) = body.blocks.iter().rposition(|b| b.kind == wanted) else {
            return self.unopened(body, rule, word, wanted);
        };
        let inner = body.blocks.split_off(position + 1);
        if !inner.is_empty() {
            self.missing_closing(&inner, word.span);
            body.guessed.extend(inner.iter().map(|block| block.kind));
            body.guessed.push(wanted);
        }
        let block = &mut body.blocks[position];
        let kind = match rule {
            Rule::FI => StatementKind::EndIf,
            Rule::OD => StatementKind::EndWhile,
            _ => {
                let earlier = block.otherwise;
                if rule == Rule::ELSE {
                    block.otherwise = Some(word.span);
                    body.push(StatementKind::Else, word.span);
                }
                if let Some(earlier) = earlier {
                    let message = format!("'{}' after the 'else' of the same 'if'", word.text);
                    let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, word.span, message)
                        .with_label("not possible here")
                        .with_related(earlier, "the 'else' is here")
                        .with_hint("is a 'fi' missing in between?");
                    self.report(word.span.start as usize, diagnostic);
                }
                return;
            }
        };
        body.blocks.pop();
        body.push(kind, word.span);
    }

    /// Reports a closing word without an open block.
    fn unopened(&mut self, body: &mut Body, rule: Rule, word: Name, wanted: BlockKind) {
        let closes = matches!(rule, Rule::FI | Rule::OD);
        if let Some(guessed) = body.guessed.iter().rposition(|&kind| kind == wanted) {
            body.guessed.swap_remove(guessed);
        } else if closes && !body.blocks.is_empty() {
            self.wrong_closing(body, &word);
        } else {
            let opening = if wanted == BlockKind::If { "if" } else { "while" };
            let message = format!("'{}' without '{opening}'", word.text);
            self.syntax(word.span, message, &format!("no '{opening}' is open here"), "");
        }
        if !closes {
            self.open(body, BlockKind::If, word);
        }
    }

    /// Handles a closing word of another kind of block, which closes the innermost block.
    fn wrong_closing(&mut self, body: &mut Body, word: &Name) {
        let Some(block) = body.blocks.pop() else { return };
        body.guessed.push(block.kind);
        let (wanted, found) = (format!("'{}'", block.closing()), format!("'{}'", word.text));
        let diagnostic = mistakes::expected(&wanted, word.span, &found)
            .with_related(block.word.span, format!("to close this '{}'", block.word.text));
        self.report(word.span.start as usize, diagnostic);
    }

    /// Reports the `blocks` that are still open at a position, if any.
    fn missing_closing(&mut self, blocks: &[Block], place: Span) {
        let Some(block) = blocks.last() else { return };
        let (opening, closing) = (&block.word.text, block.closing());
        let message = format!("missing '{closing}' for this '{opening}'");
        let mut diagnostic = Diagnostic::new(DiagnosticKind::Syntax, place, message)
            .with_label(format!("expected '{closing}' before this"))
            .with_related(block.word.span, format!("this '{opening}' is not closed"));
        if block.else_if {
            diagnostic =
                diagnostic.with_hint("an 'if' after 'else' needs its own 'fi'; 'elsif' does not");
        } else if blocks.len() > 1 {
            let more = blocks.len() - 1;
            let noun = if more == 1 { "block is" } else { "blocks are" };
            diagnostic = diagnostic.with_hint(format!("{more} more {noun} open around it"));
        }
        self.report(place.start as usize, diagnostic);
    }

    /// Reports that the procedure has no `end`.
    fn missing_end(&mut self, reader: &Reader<'_>, name: &str, head: Span, blocks: &[Block]) {
        let (place, found) = reader.found(self.at);
        if !blocks.is_empty() {
            return self.missing_closing(blocks, place);
        }
        let mut diagnostic =
            mistakes::expected("'end'", place, &found).with_related(head, "to end this procedure");
        if !name.is_empty() {
            diagnostic.message = format!("missing 'end' of procedure '{name}'");
        }
        self.report(place.start as usize, diagnostic);
    }
}
