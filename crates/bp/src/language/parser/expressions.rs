//! Expressions: from the row of operands, operators and brackets that the grammar matched to
//! postfix order.
//!
//! Each dialect has a table of operator precedence, as for pest's `PrattParser`.  The latter
//! recurses for each operator that waits for its right operand, and does not notice the end of the
//! call stack: `a => a => ..` with 10,000 arrows crashes with 1 MB of stack and needs 2 MB,
//! [`MAX_NESTING`] arrows need more than 256 MB.  So the table drives a stack of pending operators.

use pest::pratt_parser::Assoc::{self, Left, Right};

use super::dialect::Dialect;
use super::reader::{MAX_NESTING, Node, Rule, shorten};
use super::state::Parser;
use crate::language::syntax::{Expression, ExpressionNode, Operator};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Groups of operators of equal precedence, each with its associativity; the loosest first.
type Levels = [(&'static [(Rule, Operator)], Assoc)];

const AND: (Rule, Operator) = (Rule::and, Operator::And);
const OR: (Rule, Operator) = (Rule::or, Operator::Or);
const XOR: (Rule, Operator) = (Rule::xor, Operator::Xor);
const IMPLIES: (Rule, Operator) = (Rule::implies, Operator::Implies);
const EQUAL: (Rule, Operator) = (Rule::equal, Operator::Equal);
const DIFFERS: (Rule, Operator) = (Rule::not_equal, Operator::NotEqual);

const SLAM: &Levels =
    &[(&[IMPLIES, EQUAL, DIFFERS], Right), (&[XOR], Left), (&[OR], Left), (&[AND], Left)];
const GETAFIX: &Levels =
    &[(&[IMPLIES], Left), (&[OR], Left), (&[XOR], Left), (&[AND], Left), (&[EQUAL, DIFFERS], Left)];
const WALI: &Levels =
    &[(&[OR, IMPLIES], Left), (&[XOR], Left), (&[AND], Left), (&[EQUAL, DIFFERS], Left)];

/// A binary operator, its precedence, and its associativity.
fn binary(rule: Rule, dialect: Dialect) -> Option<(Operator, usize, Assoc)> {
    let levels = match dialect {
        Dialect::Slam => SLAM,
        Dialect::Getafix => GETAFIX,
        Dialect::Wali => WALI,
    };
    levels.iter().enumerate().find_map(|(strength, (operators, side))| {
        let (_, operator) = operators.iter().find(|(known, _)| *known == rule)?;
        Some((operator.clone(), strength, *side))
    })
}

/// An operator without its right operand, or an open bracket.
enum Pending {
    Open(Span),
    /// `schoose[`.
    Choose(Span),
    Not(Span),
    /// `'` before its variable.
    Next(Span),
    Binary(Operator, usize),
}

impl Pending {
    fn is_operator(&self) -> bool {
        !matches!(self, Self::Open(_) | Self::Choose(_))
    }

    /// Whether its right operand goes on with a binary operator of this strength.
    fn waits_for(&self, next: Option<(usize, Assoc)>) -> bool {
        match (self, next) {
            (Self::Binary(_, strength), Some((next, side))) => {
                *strength < next || *strength == next && side == Right
            }
            _ => false,
        }
    }
}

/// The expression as read so far.
#[derive(Default)]
struct Builder {
    nodes: Vec<ExpressionNode>,
    pending: Vec<Pending>,
    /// Positions of the operands that wait for their operator, including brackets.
    operands: Vec<Span>,
    /// Operands of `'` that are not variables.
    not_variables: Vec<Span>,
}

impl Builder {
    fn operand(&mut self, operator: Operator, span: Span) {
        self.nodes.push(ExpressionNode { operator, span });
        self.operands.push(span);
    }

    /// Completes operators up to the innermost bracket, except those with a right operand that the
    /// `next` operator continues.
    fn reduce(&mut self, next: Option<(usize, Assoc)>) {
        while let Some(operator) =
            self.pending.pop_if(|pending| pending.is_operator() && !pending.waits_for(next))
        {
            match operator {
                Pending::Next(sign) => self.next_state(sign),
                Pending::Not(sign) => {
                    let span = sign.to(self.operands.pop().unwrap_or(sign));
                    self.operand(Operator::Not, span);
                }
                Pending::Binary(operator, _) => {
                    let right = self.operands.pop().unwrap_or_default();
                    let left = self.operands.pop().unwrap_or(right);
                    self.operand(operator, left.to(right));
                }
                Pending::Open(_) | Pending::Choose(_) => {}
            }
        }
    }

    /// Completes what the innermost bracket encloses.
    fn close(&mut self, end: Span) {
        self.reduce(None);
        match self.pending.pop() {
            Some(Pending::Open(start)) => {
                let span = start.to(end);
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
            Some(Pending::Choose(word)) => {
                self.operands.pop();
                self.operands.pop();
                self.operand(Operator::Choose, word.to(end));
            }
            // The grammar matches brackets.
            _ => {}
        }
    }

    /// Handles a `'` before or after the operand just completed.
    fn next_state(&mut self, sign: Span) {
        let (Some(node), Some(place)) = (self.nodes.last_mut(), self.operands.last_mut()) else {
            return;
        };
        match &mut node.operator {
            Operator::Variable(name) => {
                *place = place.to(sign);
                node.operator = Operator::Next(std::mem::take(name));
                node.span = *place;
            }
            _ => self.not_variables.push(*place),
        }
    }
}

impl Parser {
    /// The expressions of a list.
    pub(super) fn expressions<'r>(
        &mut self,
        nodes: impl Iterator<Item = Node<'r>>,
    ) -> Vec<Expression> {
        let expressions = nodes.filter(|node| node.rule() == Rule::expression);
        expressions.map(|node| self.expression(&node)).collect()
    }

    /// The expression in postfix order.
    pub(super) fn expression(&mut self, node: &Node<'_>) -> Expression {
        let mut builder = Builder::default();
        // Whether the last token ends an operand.
        let mut behind_operand = false;
        for token in node.children() {
            let span = token.span();
            match token.rule() {
                Rule::not => builder.pending.push(Pending::Not(span)),
                Rule::open => builder.pending.push(Pending::Open(span)),
                Rule::choose => {
                    let word = token.children().next().map_or(span, |word| word.span());
                    builder.pending.push(Pending::Choose(word));
                }
                Rule::next if behind_operand => builder.next_state(span),
                Rule::next => builder.pending.push(Pending::Next(span)),
                Rule::choose_comma => builder.reduce(None),
                Rule::close => builder.close(span),
                rule => match binary(rule, self.dialect) {
                    Some((operator, strength, side)) => {
                        builder.reduce(Some((strength, side)));
                        builder.pending.push(Pending::Binary(operator, strength));
                    }
                    None => builder.operand(self.operand(&token), span),
                },
            }
            use Rule::{close, constant, next, nondet, number, value};
            behind_operand = match token.rule() {
                next => behind_operand,
                rule => matches!(rule, close | constant | nondet | number | value),
            };
            if builder.pending.len() > MAX_NESTING {
                self.too_deep(span);
                break;
            }
        }
        builder.reduce(None);
        for span in builder.not_variables {
            let message = "only a variable has a next-state value";
            self.syntax(
                span,
                message,
                "not a variable",
                "'x is the value of x after the assignment",
            );
        }
        if (builder.pending.len(), builder.operands.len()) != (0, 1) && !self.given_up {
            // Unreachable, because the grammar matches brackets and operands.
            self.syntax(node.span(), "this expression cannot be read", "", "");
        }
        Expression { nodes: builder.nodes }
    }

    /// An operand that is a single token.
    fn operand(&mut self, token: &Node<'_>) -> Operator {
        match token.rule() {
            Rule::constant => Operator::Constant(token.text() == "T"),
            Rule::number => Operator::Constant(self.number(token)),
            Rule::nondet => Operator::Nondet,
            _ => {
                if token.text() == "_" {
                    let diagnostic = Diagnostic::new(
                        DiagnosticKind::Misplaced,
                        token.span(),
                        "'_' has no value",
                    )
                    .with_label("used as an operand")
                    .with_hint("'_' may only stand left of ':='; any value is '*'");
                    self.report(token.span().start as usize, diagnostic);
                }
                Operator::Variable(token.text().to_owned())
            }
        }
    }

    fn number(&mut self, token: &Node<'_>) -> bool {
        let digits = token.text().trim_start_matches('0');
        let (zero, one) = (digits.is_empty(), digits == "1");
        if !zero && !one && self.dialect != Dialect::Wali {
            let message = format!("'{}' is not a truth value", shorten(token.text()));
            let hint = "write 1 or T; '--dialect wali' reads other numbers as T";
            self.syntax(token.span(), message, "neither 0 nor 1", hint);
        }
        !zero
    }
}
