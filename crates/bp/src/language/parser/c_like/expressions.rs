//! Expressions, to postfix order, by C's precedences; without recursion.

use super::super::reader::{MAX_NESTING, shorten};
use super::reader::Reader;
use super::token::{Broken, Kind};
use super::tree::{Expression, Node, Operator};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// A binary operator and how tightly it binds; all associate to the left.
fn binary(sign: &str) -> Option<(Operator, usize)> {
    Some(match sign {
        "||" => (Operator::Or, 1),
        "&&" => (Operator::And, 2),
        "|" => (Operator::Or, 3),
        "^" => (Operator::Xor, 4),
        "&" => (Operator::And, 5),
        "==" => (Operator::Equal, 6),
        "!=" => (Operator::NotEqual, 6),
        "<" => (Operator::Less, 7),
        "<=" => (Operator::LessEqual, 7),
        ">" => (Operator::Greater, 7),
        ">=" => (Operator::GreaterEqual, 7),
        "+" => (Operator::Add, 8),
        "-" => (Operator::Subtract, 8),
        _ => return None,
    })
}

/// Whether an operator takes truth values; and if so, whether C has it for numbers, too.
fn of_truth(strength: usize) -> Option<bool> {
    (strength <= 5).then_some(strength > 2)
}

/// What waits for its right operand, or to be closed.
enum Pending {
    Open(Span),
    Not(Span),
    Binary(Operator, usize),
}

/// Operators without parentheses between them, of which CUBA and C disagree how they bind.
#[derive(Default, Clone, Copy)]
struct Mixed {
    and: bool,
    or: bool,
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    pending: Vec<Pending>,
    operands: Vec<Span>,
    /// Of each open bracket, and of none.
    mixed: Vec<Mixed>,
}

impl Builder {
    fn push(&mut self, operator: Operator, span: Span) {
        self.nodes.push(Node { operator, span });
    }

    fn operand(&mut self, operator: Operator, span: Span) {
        self.push(operator, span);
        self.operands.push(span);
    }

    fn truth(&mut self, bitwise: bool) {
        let span = self.operands.last().copied().unwrap_or_default();
        self.push(Operator::Truth { bitwise }, span);
    }

    /// Completes operators up to the innermost bracket that bind at least as tightly.
    fn reduce(&mut self, strength: usize) {
        let waits = |p: &mut Pending| match p {
            Pending::Open(_) => false,
            Pending::Not(_) => true,
            Pending::Binary(_, own) => *own >= strength,
        };
        while let Some(pending) = self.pending.pop_if(waits) {
            let right = self.operands.last().copied().unwrap_or_default();
            match pending {
                Pending::Not(sign) => {
                    self.truth(false);
                    self.operands.pop();
                    self.operand(Operator::Not, sign.to(right));
                }
                Pending::Binary(operator, own) => {
                    if let Some(bitwise) = of_truth(own) {
                        self.truth(bitwise);
                    }
                    self.operands.pop();
                    let left = self.operands.pop().unwrap_or(right);
                    self.operand(operator, left.to(right));
                }
                Pending::Open(_) => {}
            }
        }
    }

    fn binary(&mut self, operator: Operator, strength: usize) {
        self.reduce(strength);
        if let Some(bitwise) = of_truth(strength) {
            self.truth(bitwise);
        }
        self.pending.push(Pending::Binary(operator, strength));
    }

    /// Whether this operator stands beside one with which it must not be mixed.
    fn mixes(&mut self, strength: usize) -> bool {
        let Some(mixed) = self.mixed.last_mut() else { return false };
        match strength {
            1 => *mixed = Mixed::default(),
            2 => mixed.and = true,
            3 | 4 => mixed.or = true,
            _ => {}
        }
        mixed.and && mixed.or
    }

    /// Closes the innermost bracket.
    fn close(&mut self, end: Span) {
        self.reduce(0);
        if let Some(Pending::Open(start)) = self.pending.pop() {
            let span = start.to(end);
            if let Some(operand) = self.operands.last_mut() {
                *operand = span;
            }
            if let Some(node) = self.nodes.last_mut()
                && matches!(node.operator, Operator::Not)
            {
                node.span = span;
            }
        }
        self.mixed.pop();
    }
}

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Result<Expression, Broken> {
        let mut builder = Builder { mixed: vec![Mixed::default()], ..Builder::default() };
        loop {
            self.operand(&mut builder)?;
            if !self.behind_operand(&mut builder)? {
                break;
            }
        }
        builder.reduce(0);
        let span = builder.operands.pop().unwrap_or_default();
        Ok(Expression { nodes: builder.nodes, span })
    }

    /// An operand, with the brackets and negations before it.
    fn operand(&mut self, builder: &mut Builder) -> Result<(), Broken> {
        loop {
            if builder.pending.len() > MAX_NESTING {
                return Err(self.tokens.too_deep());
            }
            let (token, next) = (self.tokens.token(), self.tokens.next());
            match next {
                "(" => {
                    builder.pending.push(Pending::Open(token.span));
                    builder.mixed.push(Mixed::default());
                }
                "!" => builder.pending.push(Pending::Not(token.span)),
                _ => break,
            }
            self.tokens.take();
        }
        let (token, next) = (self.tokens.token(), self.tokens.next());
        let operator = match next {
            "*" => Operator::Nondet,
            "true" | "false" => Operator::Constant(next == "true"),
            _ if token.kind == Kind::Number => Operator::Number(self.tokens.number(token)),
            _ if self.tokens.is_name(token) && self.tokens.second() == "(" => {
                return Err(self.call_in_expression(next, token.span));
            }
            _ if self.tokens.is_name(token) => match self.macros.get(next) {
                Some(value) => value.clone(),
                None => Operator::Variable(next.to_owned()),
            },
            _ => return Err(self.tokens.expected("an expression", hint(next))),
        };
        self.tokens.take();
        builder.operand(operator, token.span);
        Ok(())
    }

    /// Brackets behind an operand, and an operator, if there is one.
    fn behind_operand(&mut self, builder: &mut Builder) -> Result<bool, Broken> {
        loop {
            let (token, next) = (self.tokens.token(), self.tokens.next());
            let is_open = builder.mixed.len() > 1;
            if next == ")" && is_open {
                builder.close(token.span);
                self.tokens.take();
                continue;
            }
            if let Some((operator, strength)) = binary(next) {
                if builder.mixes(strength) {
                    return Err(self.mixed(token.span));
                }
                builder.binary(operator, strength);
                self.tokens.take();
                return Ok(true);
            }
            if is_open {
                return Err(self.tokens.expected("an operator or ')'", hint(next)));
            }
            if !hint(next).is_empty() {
                return Err(self.tokens.expected("an operator", hint(next)));
            }
            return Ok(false);
        }
    }

    fn call_in_expression(&mut self, name: &str, span: Span) -> Broken {
        let message = format!("the call of '{}' is part of an expression", shorten(name));
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message)
            .with_label("a call is a statement of its own")
            .with_hint("assign its value to a variable first, as in 'x = f(a);'");
        self.tokens.mistakes.report(span.start as usize, diagnostic);
        Broken
    }

    fn mixed(&mut self, span: Span) -> Broken {
        let message = "'&&' stands beside '|' or '^' without parentheses";
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message)
            .with_label("tools disagree about what binds tighter here")
            .with_hint("write 'a && (b | c)' or '(a && b) | c'");
        self.tokens.mistakes.report(span.start as usize, diagnostic);
        Broken
    }
}

/// Advice where a token cannot be a part of an expression.
fn hint(found: &str) -> &'static str {
    match found {
        "=" | ":=" => "equality is written '=='",
        "?" => "there is no 'c ? a : b'; write an 'if'",
        "*" | "/" | "%" => "numbers are added, subtracted and compared only",
        "~" => "negation is written '!'",
        "=>" => "'a implies b' is written '!a || b'",
        "[" | "." | "->" => "there are no arrays, members and pointers",
        "++" | "--" => "'x++' is a statement of its own",
        _ => "",
    }
}
