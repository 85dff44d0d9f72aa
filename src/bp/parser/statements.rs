//! Bodies: statements one after the other, with the open blocks on an explicit stack.

use super::{Failed, MAX_NESTING, Parsed, Parser, is_soft};
use crate::bp::diagnostic::{Diagnostic, DiagnosticKind};
use crate::bp::span::Span;
use crate::bp::syntax::{Expression, Name, Statement, StatementKind, Target};
use crate::bp::token::{Token, TokenKind};

/// What kind of block is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
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
}

impl Block {
    fn closing(self) -> &'static str {
        match self.kind {
            BlockKind::If => "fi",
            BlockKind::While => "od",
            BlockKind::Stray => "end",
        }
    }

    fn opening(self) -> &'static str {
        match self.kind {
            BlockKind::If => "if",
            BlockKind::While => "while",
            BlockKind::Stray => "begin",
        }
    }
}

/// A body as far as it was read.
#[derive(Default)]
struct Body {
    statements: Vec<Statement>,
    blocks: Vec<Block>,
}

impl Body {
    fn push(&mut self, kind: StatementKind, span: Span) {
        self.statements.push(Statement { labels: Vec::new(), kind, span });
    }
}

/// Whether a statement is followed by `;`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terminator {
    Needed,
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
                    self.missing_closing(&body.blocks, token);
                    self.take();
                    return (body.statements, token.span);
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
                        self.skip_to_statement();
                    }
                }
                _ => match self.labelled(&mut body) {
                    Ok(Terminator::Optional) => {}
                    Ok(Terminator::Needed) => {
                        if self.terminator().is_err() {
                            self.skip_to_statement();
                        }
                    }
                    Err(Failed) => {
                        // An error right at its beginning: make sure that reading advances.
                        if self.tokens.peek(0).span == token.span {
                            self.take();
                        }
                        self.skip_to_statement();
                    }
                },
            }
        }
    }

    /// Skips the rest of a statement that could not be read.
    fn skip_to_statement(&mut self) {
        use TokenKind::{
            AbortIf, AtomicBegin, AtomicEnd, Begin, Bool, Decl, Else, ElseIf, End, EndOfText,
            EndThread, Enforce, Fi, Goto, If, Od, Return, Semicolon, Skip, StartThread, Void,
            While,
        };
        loop {
            match self.kind() {
                Semicolon => {
                    self.take();
                    return;
                }
                AbortIf | AtomicBegin | AtomicEnd | Begin | Bool | Decl | Else | ElseIf | End
                | EndOfText | EndThread | Enforce | Fi | Goto | If | Od | Return | Skip
                | StartThread | Void | While => return,
                _ => {
                    self.take();
                }
            }
        }
    }

    /// `;` behind a statement, unless the block ends there.
    fn terminator(&mut self) -> Parsed<()> {
        match self.kind() {
            TokenKind::Semicolon => {
                self.take();
                Ok(())
            }
            kind if ends_block(kind) => Ok(()),
            kind => {
                if self.on_new_line() || self.is_statement_word(kind) {
                    self.missing_semicolon("the statement");
                    return Ok(());
                }
                let diagnostic = self.expectation("an operator or ';'");
                let diagnostic = match kind {
                    TokenKind::RightParen => diagnostic.with_hint("no '(' is open here"),
                    TokenKind::RightBracket => diagnostic.with_hint("no '[' is open here"),
                    _ => self.operator_hint(diagnostic, kind),
                };
                Err(self.report(diagnostic))
            }
        }
    }

    fn is_statement_word(&mut self, kind: TokenKind) -> bool {
        let span = self.tokens.peek(0).span;
        self.is_word(span)
            && !matches!(
                kind,
                TokenKind::Identifier
                    | TokenKind::True
                    | TokenKind::False
                    | TokenKind::Then
                    | TokenKind::Do
                    | TokenKind::Constrain
                    | TokenKind::Schoose
            )
    }

    /// `fi`, `od`, `else`, `elsif`.
    fn closing_word(&mut self, body: &mut Body, token: Token) -> Parsed<()> {
        let wanted = if token.kind == TokenKind::Od { BlockKind::While } else { BlockKind::If };
        let Some(position) = body.blocks.iter().rposition(|b| b.kind == wanted) else {
            return self.unopened(body, token, wanted);
        };
        if position + 1 < body.blocks.len() {
            self.missing_closing(&body.blocks[position + 1..], token);
            body.blocks.truncate(position + 1);
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
        let word = self.slice(token.span).to_owned();
        let opening = if wanted == BlockKind::If { "if" } else { "while" };
        let mut diagnostic = Diagnostic::new(
            DiagnosticKind::Syntax,
            token.span,
            format!("'{word}' without '{opening}'"),
        )
        .with_label(format!("no '{opening}' is open here"));
        let closes = matches!(token.kind, TokenKind::Fi | TokenKind::Od);
        if closes && let Some(&block) = body.blocks.last() {
            diagnostic = Diagnostic::new(
                DiagnosticKind::Syntax,
                token.span,
                format!("expected '{}', found '{word}'", block.closing()),
            )
            .with_label(format!("expected '{}'", block.closing()))
            .with_related(block.word, format!("to close this '{}'", block.opening()));
            body.blocks.pop();
        }
        self.report(diagnostic);
        self.take();
        if token.kind == TokenKind::ElseIf {
            return Err(Failed);
        }
        Ok(())
    }

    /// Reports that `blocks` are still open at `token`, if there are any.
    fn missing_closing(&mut self, blocks: &[Block], token: Token) {
        let Some(block) = blocks.last() else { return };
        let mut diagnostic = Diagnostic::new(
            DiagnosticKind::Syntax,
            token.span,
            format!("missing '{}' for this '{}'", block.closing(), block.opening()),
        )
        .with_label(format!("expected '{}' before this", block.closing()))
        .with_related(block.word, format!("this '{}' is not closed", block.opening()));
        if block.after_else {
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

    /// A statement with its labels.
    fn labelled(&mut self, body: &mut Body) -> Parsed<Terminator> {
        let mut labels: Vec<Name> = Vec::new();
        loop {
            let kind = self.kind();
            if !(kind == TokenKind::Identifier || is_soft(kind))
                || self.kind_at(1) != TokenKind::Colon
            {
                break;
            }
            let label = self.name("a label")?;
            self.take();
            if label.text.starts_with("ASYNC") {
                self.unsupported(label.span, &format!("the thread label '{}'", label.text));
            }
            labels.push(label);
        }
        let kind = self.kind();
        if let Some(last) = labels.last()
            && (ends_block(kind) || kind == TokenKind::Semicolon)
        {
            let span = last.span;
            body.statements.push(Statement { labels, kind: StatementKind::Skip, span });
            return Ok(Terminator::Optional);
        }
        let labelled = labels.last().map(|l| l.span);
        let start = self.tokens.peek(0).span;
        let (kind, span, terminator) = match self.statement(body, labelled)? {
            Some((kind, end, terminator)) => (kind, start.to(end), terminator),
            None => return Ok(Terminator::Optional),
        };
        body.statements.push(Statement { labels, kind, span });
        Ok(terminator)
    }

    /// What stands behind the labels: its kind, the place of its end, and whether `;` follows.
    ///
    /// Nothing if it was recognised, but is not supported.
    fn statement(
        &mut self,
        body: &mut Body,
        label: Option<Span>,
    ) -> Parsed<Option<(StatementKind, Span, Terminator)>> {
        let token = self.tokens.peek(0);
        if token.kind == TokenKind::Identifier || is_soft(token.kind) && self.soft_is_name() {
            let kind = self.assignment_or_call()?;
            return Ok(Some((kind, self.previous, Terminator::Needed)));
        }
        let kind = match token.kind {
            TokenKind::If | TokenKind::While => {
                let (kind, end) = self.block_head(body, token)?;
                return Ok(Some((kind, end, Terminator::Optional)));
            }
            TokenKind::Decl => StatementKind::Declare(self.declared_names()?),
            TokenKind::Skip => {
                self.take();
                StatementKind::Skip
            }
            TokenKind::Assume | TokenKind::Constrain => {
                self.take();
                StatementKind::Assume(self.expression()?)
            }
            TokenKind::Assert => {
                self.take();
                StatementKind::Assert(self.expression()?)
            }
            TokenKind::AbortIf => {
                self.take();
                StatementKind::AbortIf(self.expression()?)
            }
            TokenKind::Enforce => {
                self.take();
                StatementKind::Enforce(self.expression()?)
            }
            TokenKind::Goto => {
                self.take();
                StatementKind::Goto(self.names("a label")?)
            }
            TokenKind::Dead => {
                self.take();
                StatementKind::Dead(self.names("the name of a variable")?)
            }
            TokenKind::Return => {
                self.take();
                let kind = self.kind();
                let values = if ends_block(kind) || kind == TokenKind::Semicolon {
                    Vec::new()
                } else {
                    self.expressions()?
                };
                StatementKind::Return(values)
            }
            TokenKind::Print => {
                self.take();
                StatementKind::Print(self.arguments()?)
            }
            TokenKind::StartThread
            | TokenKind::EndThread
            | TokenKind::Sync
            | TokenKind::AtomicBegin
            | TokenKind::AtomicEnd
            | TokenKind::ThreadLocal => return self.concurrency(token),
            _ => return Err(self.no_statement(body, label)),
        };
        Ok(Some((kind, self.previous, Terminator::Needed)))
    }

    /// Reports a word of concurrent programs; what it stands before is read as a statement.
    fn concurrency<T>(&mut self, token: Token) -> Parsed<Option<T>> {
        let word = self.slice(token.span).to_owned();
        self.unsupported(token.span, &format!("'{word}'"));
        self.take();
        if token.kind == TokenKind::Sync && self.kind() == TokenKind::Identifier {
            self.take();
        }
        Ok(None)
    }

    fn no_statement(&mut self, body: &mut Body, label: Option<Span>) -> Failed {
        let mut diagnostic = self.expectation("a statement");
        match self.kind() {
            TokenKind::Bool => {
                diagnostic = diagnostic.with_hint("variables are declared by 'decl x, y;'");
            }
            TokenKind::Begin => {
                let word = self.take().span;
                let kind = BlockKind::Stray;
                body.blocks.push(Block { kind, word, otherwise: None, after_else: false });
                diagnostic = diagnostic.with_hint("there are no blocks 'begin .. end' in a body");
                self.diagnostics.push(diagnostic);
                return Failed;
            }
            TokenKind::Equal => {
                if let Some(label) = label {
                    diagnostic.span = label.to(diagnostic.span);
                    diagnostic =
                        diagnostic.with_hint("an assignment is written ':=', in one piece");
                }
            }
            TokenKind::Then | TokenKind::Do => {
                diagnostic = diagnostic.with_hint("is there a ';' in front of it too many?");
            }
            TokenKind::Number if self.kind_at(1) == TokenKind::Colon => {
                diagnostic = diagnostic.with_hint("a label is a name, such as 'L1'");
            }
            TokenKind::True | TokenKind::False => {
                diagnostic = diagnostic.with_hint("'T' and 'F' are constants and cannot be names");
            }
            _ => {}
        }
        self.report(diagnostic)
    }

    /// `if e then`, `while e do`: the statement, and the end of the condition.
    fn block_head(&mut self, body: &mut Body, token: Token) -> Parsed<(StatementKind, Span)> {
        let previous = self.previous;
        self.take();
        let kind = if token.kind == TokenKind::If { BlockKind::If } else { BlockKind::While };
        let after_else = body
            .blocks
            .last()
            .and_then(|b| b.otherwise)
            .is_some_and(|otherwise| otherwise == previous);
        body.blocks.push(Block { kind, word: token.span, otherwise: None, after_else });
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

    /// Whether a soft keyword at the beginning of a statement is a name.
    fn soft_is_name(&mut self) -> bool {
        use TokenKind::{Assign, Comma};
        matches!(self.kind_at(1), Assign | Comma)
    }

    /// `f(..)`, `x, y := f(..)`, `x, y := e, e constrain e`.
    fn assignment_or_call(&mut self) -> Parsed<StatementKind> {
        if self.kind_at(1) == TokenKind::LeftParen {
            let procedure = self.name("the name of a procedure")?;
            let arguments = self.arguments()?;
            if self.kind() == TokenKind::Assign {
                let diagnostic =
                    self.expectation("';'").with_hint("only variables can be assigned to");
                return Err(self.report(diagnostic));
            }
            return Ok(StatementKind::Call { targets: Vec::new(), procedure, arguments });
        }
        let first = self.tokens.peek(0).span;
        let mut targets = vec![self.target()?];
        while self.accept(TokenKind::Comma).is_some() {
            targets.push(self.target()?);
        }
        let left = first.to(self.previous);
        if self.accept(TokenKind::Assign).is_none() {
            let expected = if targets.len() == 1 { "':=', '(' or ':'" } else { "',' or ':='" };
            let diagnostic = self.expectation(expected);
            let diagnostic = match self.kind() {
                TokenKind::Equal => diagnostic.with_hint("did you mean ':='?"),
                TokenKind::Tick => diagnostic
                    .with_hint("next-state values are not assigned; they occur in 'constrain'"),
                _ => diagnostic,
            };
            return Err(self.report(diagnostic));
        }
        if self.kind() == TokenKind::Identifier && self.kind_at(1) == TokenKind::LeftParen
            || is_soft(self.kind()) && self.kind_at(1) == TokenKind::LeftParen
        {
            return self.call_with_values(targets);
        }
        let values = self.expressions()?;
        let right = values.first().map_or(left, Expression::span).to(self.previous);
        if targets.len() != values.len() {
            let counted =
                |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
            self.report(
                Diagnostic::new(
                    DiagnosticKind::Arity,
                    right,
                    format!(
                        "{} for {}",
                        counted(values.len(), "value"),
                        counted(targets.len(), "variable")
                    ),
                )
                .with_label(counted(values.len(), "value"))
                .with_related(left, counted(targets.len(), "variable")),
            );
        }
        let constrain = match self.accept(TokenKind::Constrain) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        Ok(StatementKind::Assign { targets, values, constrain })
    }

    /// The call behind `x, y :=`.
    fn call_with_values(&mut self, targets: Vec<Target>) -> Parsed<StatementKind> {
        let procedure = self.name("the name of a procedure")?;
        let arguments = self.arguments()?;
        let next = self.tokens.peek(0);
        let problem = match next.kind {
            TokenKind::Constrain => "a call cannot be constrained",
            TokenKind::Comma => "a call cannot be one of several values",
            kind if ends_block(kind) || kind == TokenKind::Semicolon => {
                return Ok(StatementKind::Call { targets, procedure, arguments });
            }
            _ if self.on_new_line() || self.is_statement_word(next.kind) => {
                return Ok(StatementKind::Call { targets, procedure, arguments });
            }
            _ => "a call cannot be part of an expression",
        };
        Err(self.report(
            Diagnostic::new(DiagnosticKind::Syntax, next.span, problem)
                .with_label("expected ';'")
                .with_related(procedure.span.to(self.previous), "the call is here")
                .with_hint("assign its value to a variable first, and use that"),
        ))
    }

    fn target(&mut self) -> Parsed<Target> {
        let token = self.tokens.peek(0);
        if token.kind == TokenKind::Identifier && self.slice(token.span) == "_" {
            self.take();
            return Ok(Target::Discard(token.span));
        }
        Ok(Target::Variable(self.name("the name of a variable")?))
    }

    /// `(e, e)`.
    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        let open = self.expect(TokenKind::LeftParen, "'('")?.span;
        if self.accept(TokenKind::RightParen).is_some() {
            return Ok(Vec::new());
        }
        let arguments = self.expressions()?;
        if self.accept(TokenKind::RightParen).is_none() {
            let kind = self.kind();
            let diagnostic =
                self.expectation("an operator, ',' or ')'").with_related(open, "to close this '('");
            let diagnostic = self.operator_hint(diagnostic, kind);
            return Err(self.report(diagnostic));
        }
        Ok(arguments)
    }
}

/// Whether a block or body ends, or goes on in another branch, at this word.
fn ends_block(kind: TokenKind) -> bool {
    use TokenKind::{Else, ElseIf, End, EndOfText, Fi, Od};
    matches!(kind, Else | ElseIf | End | EndOfText | Fi | Od)
}
