//! Single statements, their labels and terminators.

use super::blocks::{Block, BlockKind, Body, Terminator, ends_block};
use super::{Failed, Parsed, Parser, is_soft};
use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use crate::boolean::language::syntax::{Expression, Name, Statement, StatementKind, Target};
use crate::boolean::language::token::{Token, TokenKind};

impl Parser<'_> {
    /// Skips to where a statement or block may begin or end, or to the end of a block's head.
    pub(super) fn skip_to_statement(&mut self) {
        use TokenKind::{
            AbortIf, AtomicBegin, AtomicEnd, Begin, Bool, Decl, Do, EndThread, Enforce, Goto, If,
            Return, Semicolon, Skip, StartThread, Then, Void, While,
        };
        self.skip_to(|kind| {
            let begins = matches!(
                kind,
                AbortIf
                    | AtomicBegin
                    | AtomicEnd
                    | Begin
                    | Bool
                    | Decl
                    | EndThread
                    | Enforce
                    | Goto
                    | If
                    | Return
                    | Skip
                    | StartThread
                    | Void
                    | While
            );
            begins || matches!(kind, Do | Semicolon | Then) || ends_block(kind)
        });
        self.accept(Semicolon);
    }

    /// `;` behind a statement, unless the block ends there.
    pub(super) fn terminator(&mut self, expected: &str) -> Parsed<()> {
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
                let diagnostic = self.expectation(expected);
                let diagnostic = match kind {
                    TokenKind::RightParen => diagnostic.with_hint("no '(' is open here"),
                    TokenKind::RightBracket => diagnostic.with_hint("no '[' is open here"),
                    _ => self.operator_hint(diagnostic, kind),
                };
                Err(self.report(diagnostic))
            }
        }
    }

    pub(super) fn is_statement_word(&mut self, kind: TokenKind) -> bool {
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

    /// A statement with its labels.
    pub(super) fn labelled(&mut self, body: &mut Body) -> Parsed<Terminator> {
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
            let terminator = terminator_of(&kind);
            return Ok(Some((kind, self.previous, terminator)));
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
        let terminator = terminator_of(&kind);
        Ok(Some((kind, self.previous, terminator)))
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
            _ if matches!(self.kind_at(1), TokenKind::Assign | TokenKind::Colon)
                && self.is_word(diagnostic.span) =>
            {
                diagnostic = self.reserved(diagnostic);
            }
            TokenKind::Begin => {
                let word = self.take().span;
                let kind = BlockKind::Stray;
                body.blocks.push(Block {
                    kind,
                    word,
                    otherwise: None,
                    after_else: false,
                    else_if: false,
                });
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
        let next = self.kind();
        let complete = next == TokenKind::Constrain
            || next == TokenKind::Semicolon
            || ends_block(next)
            || self.on_new_line();
        if targets.len() != values.len() && complete {
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

/// What may follow such a statement.
fn terminator_of(kind: &StatementKind) -> Terminator {
    use StatementKind::{Call, Dead, Declare, Goto, Print, Skip};
    Terminator::Needed(match kind {
        Declare(_) | Dead(_) | Goto(_) => "',' or ';'",
        Call { .. } | Print(_) | Skip => "';'",
        _ => "an operator or ';'",
    })
}
