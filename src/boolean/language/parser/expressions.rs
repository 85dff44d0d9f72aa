//! Expressions, by operator precedence with an explicit stack of what is pending.

use super::{Dialect, Failed, MAX_NESTING, Parsed, Parser, is_soft};
use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use crate::boolean::language::syntax::{Expression, ExpressionNode, Operator};
use crate::boolean::language::token::TokenKind;

/// An operator without its right operand, or an open bracket.
enum Pending {
    Paren(Span),
    /// `schoose[`, and how many values were begun.
    Choose {
        word: Span,
        values: u32,
    },
    Not(Span),
    Binary(TokenKind),
}

/// How tightly a binary operator binds.
#[derive(Clone, Copy)]
struct Binding {
    strength: u8,
    to_right: bool,
}

/// The expression as far as it was read.
#[derive(Default)]
struct Builder {
    nodes: Vec<ExpressionNode>,
    pending: Vec<Pending>,
    /// Places of the operands that wait for their operator, brackets included.
    operands: Vec<Span>,
}

impl Builder {
    fn operand(&mut self, operator: Operator, span: Span) {
        self.nodes.push(ExpressionNode { operator, span });
        self.operands.push(span);
    }

    /// Completes operators that bind at least as tightly as `limit`, up to the innermost bracket.
    fn reduce(&mut self, dialect: Dialect, limit: Option<Binding>) {
        loop {
            match self.pending.last() {
                Some(&Pending::Not(sign)) => {
                    let span = sign.to(self.operands.pop().unwrap_or(sign));
                    self.operand(Operator::Not, span);
                }
                Some(&Pending::Binary(kind)) => {
                    let Some((operator, binding)) = binary(kind, dialect) else { return };
                    let stays = limit.is_some_and(|l| {
                        binding.strength < l.strength
                            || binding.strength == l.strength && l.to_right
                    });
                    if stays {
                        return;
                    }
                    let right = self.operands.pop().unwrap_or_default();
                    let left = self.operands.pop().unwrap_or(right);
                    self.operand(operator, left.to(right));
                }
                _ => return,
            }
            self.pending.pop();
        }
    }

    /// The operand just completed stands in brackets that reach over `span`.
    fn bracketed(&mut self, span: Span) {
        if let Some(operand) = self.operands.last_mut() {
            *operand = span;
        }
        if let Some(node) = self.nodes.last_mut() {
            use Operator::{Constant, Next, Nondet, Variable};
            if !matches!(node.operator, Constant(_) | Next(_) | Nondet | Variable(_)) {
                node.span = span;
            }
        }
    }
}

/// The table of binary operators.
fn binary(kind: TokenKind, dialect: Dialect) -> Option<(Operator, Binding)> {
    let (operator, [slam, getafix, wali]) = match kind {
        TokenKind::Implies => (Operator::Implies, [1, 1, 1]),
        TokenKind::Equal => (Operator::Equal, [1, 5, 5]),
        TokenKind::NotEqual => (Operator::NotEqual, [1, 5, 5]),
        TokenKind::Xor => (Operator::Xor, [2, 3, 3]),
        TokenKind::Or => (Operator::Or, [3, 2, 1]),
        TokenKind::And => (Operator::And, [4, 4, 4]),
        _ => return None,
    };
    let binding = match dialect {
        Dialect::Slam => Binding { strength: slam, to_right: slam == 1 },
        Dialect::Getafix => Binding { strength: getafix, to_right: false },
        Dialect::Wali => Binding { strength: wali, to_right: false },
    };
    Some((operator, binding))
}

impl Parser<'_> {
    /// One or more expressions, separated by commas.
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expression>> {
        let mut expressions = vec![self.expression()?];
        while self.accept(TokenKind::Comma).is_some() {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    /// An expression, as long as it goes on.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        let mut builder = Builder::default();
        loop {
            self.operand(&mut builder)?;
            if !self.operator(&mut builder)? {
                return Ok(Expression { nodes: builder.nodes });
            }
        }
    }

    /// Reads prefix operators, opening brackets and the operand behind them.
    fn operand(&mut self, builder: &mut Builder) -> Parsed<()> {
        loop {
            let token = self.tokens.peek(0);
            if builder.pending.len() > MAX_NESTING {
                return Err(self.too_deep(token.span));
            }
            let operator = match token.kind {
                TokenKind::Not => {
                    self.take();
                    builder.pending.push(Pending::Not(token.span));
                    continue;
                }
                TokenKind::LeftParen => {
                    self.take();
                    builder.pending.push(Pending::Paren(token.span));
                    continue;
                }
                TokenKind::Schoose => {
                    self.take();
                    if self.accept(TokenKind::LeftBracket).is_none() {
                        let diagnostic =
                            self.expectation("'['").with_hint("it is written 'schoose[p, n]'");
                        return Err(self.report(diagnostic));
                    }
                    builder.pending.push(Pending::Choose { word: token.span, values: 1 });
                    continue;
                }
                TokenKind::Tick => {
                    let (operator, span) = self.next_state()?;
                    builder.operand(operator, span);
                    return Ok(());
                }
                TokenKind::Star | TokenKind::Question => Operator::Nondet,
                TokenKind::True => Operator::Constant(true),
                TokenKind::False => Operator::Constant(false),
                TokenKind::Number => Operator::Constant(self.number(token.span)),
                kind if kind == TokenKind::Identifier || is_soft(kind) => {
                    if kind == TokenKind::Identifier && self.kind_at(1) == TokenKind::LeftParen {
                        return Err(self.call_in_expression());
                    }
                    if self.slice(token.span) == "_" {
                        self.report(
                            Diagnostic::new(
                                DiagnosticKind::Misplaced,
                                token.span,
                                "'_' has no value",
                            )
                            .with_label("used as an operand")
                            .with_hint("'_' may only stand left of ':='; any value is '*'"),
                        );
                    }
                    Operator::Variable(self.slice(token.span).to_owned())
                }
                _ => return Err(self.no_operand(builder)),
            };
            self.take();
            builder.operand(operator, token.span);
            return Ok(());
        }
    }

    /// Reads closing brackets and the operator behind an operand; false where the expression ends.
    fn operator(&mut self, builder: &mut Builder) -> Parsed<bool> {
        loop {
            let token = self.tokens.peek(0);
            if let Some((_, binding)) = binary(token.kind, self.dialect) {
                self.take();
                builder.reduce(self.dialect, Some(binding));
                builder.pending.push(Pending::Binary(token.kind));
                return Ok(true);
            }
            if token.kind == TokenKind::Tick {
                self.take();
                self.postfix_tick(builder, token.span)?;
                continue;
            }
            builder.reduce(self.dialect, None);
            match (builder.pending.last_mut(), token.kind) {
                (None, _) => return Ok(false),
                (Some(&mut Pending::Paren(open)), TokenKind::RightParen) => {
                    self.take();
                    builder.pending.pop();
                    builder.bracketed(open.to(token.span));
                }
                (Some(Pending::Choose { values, .. }), TokenKind::Comma) if *values < 2 => {
                    self.take();
                    *values += 1;
                    return Ok(true);
                }
                (Some(&mut Pending::Choose { word, values: 2 }), TokenKind::RightBracket) => {
                    self.take();
                    builder.pending.pop();
                    builder.operands.pop();
                    builder.operands.pop();
                    builder.operand(Operator::Choose, word.to(token.span));
                }
                (
                    Some(Pending::Choose { word, .. }),
                    TokenKind::RightBracket | TokenKind::Comma,
                ) => {
                    let word = *word;
                    return Err(self.choose_arity(word, token.kind));
                }
                (Some(open), _) => {
                    let (closing, place, words) = match open {
                        Pending::Choose { word, .. } => ("']'", *word, "to close this 'schoose['"),
                        Pending::Paren(open) => ("')'", *open, "to close this '('"),
                        // `reduce` stops at brackets only.
                        Pending::Not(_) | Pending::Binary(_) => return Err(Failed),
                    };
                    let diagnostic = self
                        .expectation(&format!("an operator or {closing}"))
                        .with_related(place, words);
                    let diagnostic = self.operator_hint(diagnostic, token.kind);
                    return Err(self.report(diagnostic));
                }
            }
        }
    }

    /// A hint for what was written where an operator or the end of an expression was expected.
    pub(super) fn operator_hint(&mut self, diagnostic: Diagnostic, kind: TokenKind) -> Diagnostic {
        match kind {
            TokenKind::Assign => diagnostic.with_hint("equality is written '='"),
            // Where a bracket is open, that is the mistake.
            TokenKind::Do | TokenKind::Then if diagnostic.related.is_some() => diagnostic,
            TokenKind::Do => diagnostic.with_hint("the head of a loop is 'while .. do'"),
            TokenKind::Then => diagnostic.with_hint("the head of a branch is 'if .. then'"),
            TokenKind::Not => diagnostic.with_hint("'differs from' is written '!='"),
            TokenKind::Question => {
                diagnostic.with_hint("there is no 'c ? a : b'; write '(c & a) | (!c & b)'")
            }
            TokenKind::Less | TokenKind::Greater => {
                diagnostic.with_hint("Boolean values have no order; 'differs from' is written '!='")
            }
            _ if matches!(self.slice(self.previous), "not" | "NOT") => {
                diagnostic.with_hint("negation is written '!'")
            }
            TokenKind::Identifier => {
                let span = self.tokens.peek(0).span;
                match self.slice(span) {
                    text if text.starts_with('{') => diagnostic.with_hint(
                        "braces enclose names; blocks are 'if .. then .. fi', 'while .. do .. od'",
                    ),
                    "and" | "AND" => diagnostic.with_hint("conjunction is written '&'"),
                    "or" | "OR" => diagnostic.with_hint("disjunction is written '|'"),
                    "xor" | "XOR" => diagnostic.with_hint("exclusive or is written '^'"),
                    _ => diagnostic,
                }
            }
            _ => diagnostic,
        }
    }

    fn no_operand(&mut self, builder: &Builder) -> Failed {
        let mut diagnostic = self.expectation("an expression");
        let kind = self.kind();
        if let Some(&Pending::Paren(open)) = builder.pending.last()
            && kind != TokenKind::RightParen
        {
            diagnostic = diagnostic.with_related(open, "behind this '('");
        }
        if matches!(builder.pending.last(), Some(Pending::Binary(TokenKind::Equal)))
            && kind == TokenKind::Implies
        {
            diagnostic = diagnostic.with_hint("equivalence is written '=' or '<=>'");
        }
        self.report(diagnostic)
    }

    fn number(&mut self, span: Span) -> bool {
        let digits = self.slice(span).trim_start_matches('0');
        let (zero, one) = (digits.is_empty(), digits == "1");
        if !zero && !one && self.dialect != Dialect::Wali {
            let diagnostic = Diagnostic::new(
                DiagnosticKind::Syntax,
                span,
                format!("'{}' is not a truth value", shorten(self.slice(span))),
            );
            self.report(
                diagnostic
                    .with_label("neither 0 nor 1")
                    .with_hint("write 1 or T; '--dialect wali' reads other numbers as T"),
            );
        }
        !zero
    }

    /// `'x`, also `'(x)`.
    fn next_state(&mut self) -> Parsed<(Operator, Span)> {
        let tick = self.take().span;
        let mut open = Vec::new();
        while let Some(paren) = self.accept(TokenKind::LeftParen) {
            open.push(paren.span);
        }
        let name = self.name("the name of a variable")?;
        for paren in open.into_iter().rev() {
            if self.accept(TokenKind::RightParen).is_none() {
                let diagnostic = self
                    .expectation("')'")
                    .with_related(paren, "to close this '('")
                    .with_hint("only a single variable has a next-state value");
                return Err(self.report(diagnostic));
            }
        }
        Ok((Operator::Next(name.text), tick.to(self.previous)))
    }

    /// `x'`.
    fn postfix_tick(&mut self, builder: &mut Builder, tick: Span) -> Parsed<()> {
        if let (Some(node), Some(place)) = (builder.nodes.last_mut(), builder.operands.last_mut())
            && let Operator::Variable(name) = &mut node.operator
        {
            *place = place.to(tick);
            node.span = *place;
            node.operator = Operator::Next(std::mem::take(name));
            return Ok(());
        }
        Err(self.report(
            Diagnostic::new(DiagnosticKind::Syntax, tick, "only a variable has a next-state value")
                .with_label("not behind a variable"),
        ))
    }

    fn call_in_expression(&mut self) -> Failed {
        let token = self.tokens.peek(0);
        let callee = self.slice(token.span);
        let diagnostic = Diagnostic::new(
            DiagnosticKind::Syntax,
            token.span,
            format!("the call of '{}' is part of an expression", shorten(callee)),
        );
        self.report(
            diagnostic
                .with_label("a call is a statement of its own")
                .with_hint("assign its value to a variable first, as in 'x := f(a)'"),
        )
    }

    fn choose_arity(&mut self, word: Span, found: TokenKind) -> Failed {
        let span = word.to(self.previous);
        let few = found == TokenKind::RightBracket;
        self.report(
            Diagnostic::new(DiagnosticKind::Arity, span, "'schoose' takes two values")
                .with_label(if few { "found only one" } else { "found more than two" })
                .with_hint("'schoose[p, n]' is T if p, else F if n, else either"),
        )
    }
}

/// At most 40 characters of a text.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
