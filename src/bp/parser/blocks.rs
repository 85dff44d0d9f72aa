//! Bodies: entries one after the other, with the open blocks on an explicit stack.

use super::mistakes;
use super::reader::{Failure, MAX_NESTING, Node, Reader, Rule};
use super::state::{NO_EXPRESSION, Parser};
use crate::bp::syntax::{Expression, Statement, StatementKind};
use crate::source::{Diagnostic, DiagnosticKind, Span};

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
struct Block {
    kind: BlockKind,
    /// The word that opened it.
    word: Span,
    /// Its `else`, once it was read.
    otherwise: Option<Span>,
    /// An `if` right behind `else`.
    after_else: bool,
    /// There was an `if` right behind its `else`.
    else_if: bool,
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
    blocks: Vec<Block>,
    /// Blocks that were closed by a guess, after an error: their closing words may yet come, and
    /// are no mistakes then.
    guessed: Vec<BlockKind>,
    /// The last entry is `else`.
    behind_else: bool,
}

impl Body {
    fn push(&mut self, kind: StatementKind, span: Span) {
        self.statements.push(Statement { labels: Vec::new(), kind, span });
    }

    fn open(&mut self, kind: BlockKind, word: Span) {
        let after_else = std::mem::take(&mut self.behind_else);
        if after_else && let Some(outer) = self.blocks.last_mut() {
            outer.else_if = true;
        }
        self.blocks.push(Block { kind, word, otherwise: None, after_else, else_if: false });
    }
}

impl Parser {
    /// The statements of procedure `name` up to its `end`, whose place is returned too.
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
                    if let Some(end) = self.entry(reader, &node, &mut body, name, head) {
                        return (body.statements, end);
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

    /// Takes an entry of a body; gives the place of its end if that is reached.
    fn entry(
        &mut self,
        reader: &Reader<'_>,
        node: &Node<'_>,
        body: &mut Body,
        name: &str,
        head: Span,
    ) -> Option<Span> {
        let span = node.span();
        match node.rule() {
            Rule::empty => {}
            Rule::END => {
                if body.blocks.last().is_some_and(|b| b.kind == BlockKind::Stray) {
                    body.blocks.pop();
                } else if body.blocks.is_empty()
                    || reader.test(Rule::last_end, span.start as usize).is_some()
                {
                    self.missing_closing(reader, &body.blocks, span);
                    return Some(span);
                } else {
                    // Meant as the end of a block.
                    self.wrong_closing(reader, body, span);
                }
            }
            Rule::end_of_text | Rule::next_procedure => {
                self.missing_end(reader, name, head, &body.blocks);
                return Some(Span { end: span.start, ..span });
            }
            Rule::FI | Rule::OD | Rule::ELSE => self.closing_word(reader, body, node.rule(), span),
            Rule::else_if => {
                let word = node.children().next().map_or(span, |word| word.span());
                self.closing_word(reader, body, Rule::ELSIF, word);
                let (condition, end) = self.condition(node);
                body.push(StatementKind::ElseIf(condition), word.to(end));
            }
            _ => self.statement(node, body),
        }
        None
    }

    /// Opens a block.
    pub(super) fn open(&mut self, body: &mut Body, kind: BlockKind, word: Span) {
        body.open(kind, word);
        if body.blocks.len() > MAX_NESTING {
            self.too_deep(word);
        }
    }

    /// The condition in a head, and the end of it.
    pub(super) fn condition(&mut self, head: &Node<'_>) -> (Expression, Span) {
        let mut parts = head.children().filter(|part| part.rule() == Rule::expression);
        match parts.next() {
            Some(part) => (self.expression(&part), part.span()),
            None => (NO_EXPRESSION, head.span()),
        }
    }

    /// Reports what is wrong with an entry, and goes on behind it.
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
        if let Some(word) = head.and_then(|head| head.children().next_back())
            && at > start
        {
            match word.rule() {
                Rule::IF => self.open(body, BlockKind::If, word.span()),
                Rule::WHILE => self.open(body, BlockKind::While, word.span()),
                _ => self.closing_word(reader, body, Rule::ELSIF, word.span()),
            }
            if !on_new_line || reader.test(Rule::head_word, at).is_some() {
                self.skip(reader, Rule::rest_of_head);
            }
            return;
        }
        if at == start {
            // Makes sure that reading advances.
            let token = reader.read(Rule::lexeme, at);
            self.at = token.map_or(at, |token| token.end());
            if reader.test(Rule::head_word, at).is_some() {
                return;
            }
        }
        self.skip(reader, Rule::rest_of_statement);
        if let Some(word) = reader.test(Rule::head_word, self.at) {
            let kind = if word.text() == "do" { BlockKind::While } else { BlockKind::If };
            body.open(kind, word.span());
            self.at = word.end();
        }
    }

    /// `fi`, `od`, `else`, `elsif`, given by its rule and place.
    fn closing_word(&mut self, reader: &Reader<'_>, body: &mut Body, rule: Rule, word: Span) {
        let wanted = if rule == Rule::OD { BlockKind::While } else { BlockKind::If };
        let Some(position) = body.blocks.iter().rposition(|b| b.kind == wanted) else {
            return self.unopened(reader, body, rule, word, wanted);
        };
        if position + 1 < body.blocks.len() {
            self.missing_closing(reader, &body.blocks[position + 1..], word);
            body.guessed.extend(body.blocks.drain(position + 1..).map(|b| b.kind));
            body.guessed.push(wanted);
        }
        match rule {
            Rule::FI => {
                body.blocks.pop();
                body.push(StatementKind::EndIf, word);
            }
            Rule::OD => {
                body.blocks.pop();
                body.push(StatementKind::EndWhile, word);
            }
            _ => {
                let block = &mut body.blocks[position];
                if let Some(earlier) = block.otherwise {
                    let found = reader.slice(word);
                    let message = format!("'{found}' behind the 'else' of the same 'if'");
                    let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, word, message)
                        .with_label("not possible here")
                        .with_related(earlier, "the 'else' is here")
                        .with_hint("is a 'fi' missing in between?");
                    self.report(word.start as usize, diagnostic);
                }
                if rule == Rule::ELSE {
                    block.otherwise = Some(word);
                    body.push(StatementKind::Else, word);
                }
            }
        }
    }

    /// A closing word for which no block is open.
    fn unopened(
        &mut self,
        reader: &Reader<'_>,
        body: &mut Body,
        rule: Rule,
        word: Span,
        wanted: BlockKind,
    ) {
        let closes = matches!(rule, Rule::FI | Rule::OD);
        if let Some(guessed) = body.guessed.iter().rposition(|&kind| kind == wanted) {
            body.guessed.swap_remove(guessed);
        } else if closes && !body.blocks.is_empty() {
            self.wrong_closing(reader, body, word);
        } else {
            let opening = if wanted == BlockKind::If { "if" } else { "while" };
            let message = format!("'{}' without '{opening}'", reader.slice(word));
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, word, message)
                .with_label(format!("no '{opening}' is open here"));
            self.report(word.start as usize, diagnostic);
        }
        if !closes {
            body.open(BlockKind::If, word);
        }
    }

    /// A closing word that closes the innermost block, though it is not its own.
    fn wrong_closing(&mut self, reader: &Reader<'_>, body: &mut Body, word: Span) {
        let Some(block) = body.blocks.pop() else { return };
        body.guessed.push(block.kind);
        let found = format!("'{}'", reader.slice(word));
        let diagnostic = mistakes::expected(&format!("'{}'", block.closing()), word, &found)
            .with_related(block.word, format!("to close this '{}'", reader.slice(block.word)));
        self.report(word.start as usize, diagnostic);
    }

    /// Reports that `blocks` are still open at a place, if there are any.
    fn missing_closing(&mut self, reader: &Reader<'_>, blocks: &[Block], place: Span) {
        let Some(block) = blocks.last() else { return };
        let (opening, closing) = (reader.slice(block.word), block.closing());
        let message = format!("missing '{closing}' for this '{opening}'");
        let mut diagnostic = Diagnostic::new(DiagnosticKind::Syntax, place, message)
            .with_label(format!("expected '{closing}' before this"))
            .with_related(block.word, format!("this '{opening}' is not closed"));
        if block.after_else || block.else_if {
            diagnostic = diagnostic
                .with_hint("the 'if' behind 'else' needs a 'fi' of its own; 'elsif' needs none");
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
            return self.missing_closing(reader, blocks, place);
        }
        let mut diagnostic =
            mistakes::expected("'end'", place, &found).with_related(head, "to end this procedure");
        if !name.is_empty() {
            diagnostic.message = format!("missing 'end' of procedure '{name}'");
        }
        self.report(place.start as usize, diagnostic);
    }
}
