//! The top level: global declarations and procedure heads.

use super::{Failed, Parsed, Parser};
use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use crate::boolean::language::syntax::{Item, Name, ProcedureSyntax, SyntaxTree};
use crate::boolean::language::token::TokenKind;

/// A procedure may return so many values.
const MAX_RETURNS: usize = 65_536;

impl Parser<'_> {
    /// The whole file.
    pub(super) fn program(&mut self) -> SyntaxTree {
        let mut tree = SyntaxTree::default();
        loop {
            let token = self.tokens.peek(0);
            let item = match token.kind {
                TokenKind::EndOfText => return tree,
                TokenKind::Semicolon => {
                    self.take();
                    continue;
                }
                TokenKind::Decl => self.global_declaration(),
                TokenKind::Void | TokenKind::Bool => self.procedure(),
                TokenKind::Dfs => self.procedure(),
                TokenKind::Identifier if self.kind_at(1) == TokenKind::LeftParen => {
                    self.procedure()
                }
                TokenKind::ThreadLocal => {
                    self.unsupported(token.span, "'thread_local'");
                    self.take();
                    continue;
                }
                _ => {
                    self.stray(token.kind, tree.items.last());
                    continue;
                }
            };
            match item {
                Ok(item) => tree.items.push(item),
                Err(Failed) => self.skip_to_item(),
            }
        }
    }

    /// Something that is neither a declaration nor a procedure; skipped.
    fn stray(&mut self, kind: TokenKind, before: Option<&Item>) {
        let mut diagnostic = self.expectation("'decl' or a procedure");
        match kind {
            TokenKind::End => {
                diagnostic = diagnostic
                    .with_hint("the procedure is already closed: is there one 'end' too many?");
            }
            TokenKind::Fi | TokenKind::Od | TokenKind::Begin => {}
            _ if self.is_word(diagnostic.span) => {
                diagnostic = diagnostic
                    .with_hint("statements stand in procedures, as in 'void main() begin .. end'");
            }
            _ => {}
        }
        if let Some(Item::Procedure(p)) = before {
            diagnostic = diagnostic.with_related(p.end, "the procedure before it ends here");
        }
        self.report(diagnostic);
        use TokenKind::{Bool, Decl, Dfs, Void};
        self.skip_to(|kind| matches!(kind, Bool | Decl | Dfs | Void));
    }

    fn skip_to_item(&mut self) {
        use TokenKind::{Bool, Decl, Dfs, Semicolon, ThreadLocal, Void};
        self.skip_to(|kind| matches!(kind, Bool | Decl | Dfs | Semicolon | ThreadLocal | Void));
    }

    fn global_declaration(&mut self) -> Parsed<Item> {
        let names = self.declared_names()?;
        if self.accept(TokenKind::Semicolon).is_none() && self.kind() != TokenKind::EndOfText {
            self.missing_semicolon("the declaration");
            if !self.on_new_line() {
                return Err(Failed);
            }
        }
        Ok(Item::Declaration(names))
    }

    /// `decl x, y`.
    pub(super) fn declared_names(&mut self) -> Parsed<Vec<Name>> {
        self.take();
        let names = self.names("the name of a variable")?;
        if matches!(self.kind(), TokenKind::Assign | TokenKind::Equal) {
            let diagnostic = self
                .expectation("',' or ';'")
                .with_hint("a declaration gives no value; assign it in the body");
            return Err(self.report(diagnostic));
        }
        Ok(names)
    }

    /// Says that a `;` is missing behind the last token.
    pub(super) fn missing_semicolon(&mut self, after: &str) -> Failed {
        let end = self.previous.end as usize;
        let found = self.found();
        let place = Span::new(end, end);
        self.report(
            Diagnostic::new(
                DiagnosticKind::Syntax,
                place,
                format!("expected ';' after {after}, found {found}"),
            )
            .with_label("';' is missing here"),
        )
    }

    /// Whether a procedure begins here, as far as can be told without error messages.
    pub(super) fn at_procedure(&mut self) -> bool {
        let first = usize::from(self.kind() == TokenKind::Dfs);
        match self.kind_at(first) {
            TokenKind::Bool if self.kind_at(first + 1) == TokenKind::Less => true,
            TokenKind::Bool | TokenKind::Void => {
                self.kind_at(first + 1) == TokenKind::Identifier
                    && self.kind_at(first + 2) == TokenKind::LeftParen
            }
            _ => false,
        }
    }

    fn procedure(&mut self) -> Parsed<Item> {
        let start = self.tokens.peek(0).span;
        let dfs = self.accept(TokenKind::Dfs).is_some();
        let head = self.head(start);
        if head.is_err() {
            // Its body is read all the same, for the mistakes in it.
            use TokenKind::{Begin, Bool, Decl, Dfs, End, Void};
            self.skip_to(|kind| matches!(kind, Begin | Bool | Decl | Dfs | End | Void));
            if self.kind() != Begin {
                return Err(Failed);
            }
        }
        let (returns, name, formals) =
            head.unwrap_or_else(|_| (0, Name { text: String::new(), span: start }, Vec::new()));
        let span = start.to(self.previous);
        if self.accept(TokenKind::Begin).is_none() {
            let diagnostic = self
                .expectation("'begin'")
                .with_related(span, "to begin the body of this procedure");
            self.report(diagnostic);
            if matches!(self.kind(), TokenKind::Semicolon | TokenKind::EndOfText)
                || self.at_procedure()
            {
                return Err(Failed);
            }
        }
        let (body, end) = self.body(&name.text, span);
        Ok(Item::Procedure(ProcedureSyntax { name, dfs, returns, formals, body, span, end }))
    }

    /// Type, name and parameters.
    fn head(&mut self, start: Span) -> Parsed<(usize, Name, Vec<Name>)> {
        let returns = match self.kind() {
            TokenKind::Void => {
                self.take();
                0
            }
            TokenKind::Bool => {
                self.take();
                if self.accept(TokenKind::Less).is_some() { self.width()? } else { 1 }
            }
            _ => {
                let diagnostic = self
                    .expectation("'void' or 'bool'")
                    .with_hint("a procedure begins with its type: 'void', 'bool' or 'bool<2>'");
                self.report(diagnostic);
                if self.kind_at(1) != TokenKind::LeftParen {
                    return Err(Failed);
                }
                0
            }
        };
        let name = self.name("the name of a procedure")?;
        if self.kind() != TokenKind::LeftParen {
            let hint = match self.kind() {
                TokenKind::Semicolon | TokenKind::Comma if returns > 0 => {
                    "variables are declared by 'decl x, y;'"
                }
                _ => "the parameters of a procedure stand in '( )', also when there are none",
            };
            let diagnostic = self
                .expectation("'('")
                .with_related(start.to(name.span), "in the head of this procedure")
                .with_hint(hint);
            return Err(self.report(diagnostic));
        }
        let open = self.take().span;
        let mut formals = Vec::new();
        if self.kind() != TokenKind::RightParen {
            loop {
                if self.kind() == TokenKind::Bool {
                    let diagnostic = self
                        .expectation("the name of a parameter")
                        .with_hint("parameters have no type: all are Boolean");
                    self.report(diagnostic);
                    self.take();
                }
                formals.push(self.name("the name of a parameter")?);
                if self.accept(TokenKind::Comma).is_none() {
                    break;
                }
            }
        }
        if self.accept(TokenKind::RightParen).is_none() {
            let diagnostic = self.expectation("',' or ')'").with_related(open, "to close this '('");
            return Err(self.report(diagnostic));
        }
        Ok((returns, name, formals))
    }

    /// The rest of `bool<n>` behind `<`.
    fn width(&mut self) -> Parsed<usize> {
        let token = self.expect(TokenKind::Number, "the number of values that are returned")?;
        let returns = self.slice(token.span).parse::<usize>().unwrap_or(usize::MAX);
        if returns == 0 || returns > MAX_RETURNS {
            let diagnostic = Diagnostic::new(
                DiagnosticKind::Syntax,
                token.span,
                format!("a procedure cannot return {} values", self.slice(token.span)),
            );
            self.report(if returns == 0 {
                diagnostic
                    .with_label("at least 1")
                    .with_hint("a procedure without values has the type 'void'")
            } else {
                diagnostic.with_label(format!("at most {MAX_RETURNS}"))
            });
        }
        self.expect(TokenKind::Greater, "'>'")?;
        Ok(returns.clamp(1, MAX_RETURNS))
    }
}
