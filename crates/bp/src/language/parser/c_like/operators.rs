//! Operators: truth values in the list of nodes, numbers as bits beside it.

use super::bits::{Bit, Maker};
use super::values::{Entry, Operand, Values};
use crate::language::syntax::{self, ExpressionNode};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Values<'_> {
    /// Makes a truth value of the last operand.
    pub fn truth(&mut self, bitwise: bool) {
        let Some(Entry { operand, start, span }) = self.stack.pop() else { return };
        match operand {
            Operand::Bool | Operand::Nondet | Operand::Unknown => {}
            Operand::Number(n) => self.is_truth(n, span),
            Operand::Int(bits) => {
                if bitwise {
                    let hint = "write '&&' and '||' between conditions";
                    let message = "'&', '|' and '^' of numbers are not supported";
                    self.wrong(span, message, "a number", hint);
                }
                self.nodes.extend(Maker(span).some(bits));
            }
            Operand::Enum(..) => {
                let message = "a value of an enumeration is no truth value";
                self.wrong(span, message, "neither true nor false", "compare it by '=='");
                self.nodes.extend(Maker(span).constant(false));
            }
            Operand::Enumerator(name) => {
                self.undeclared(&name, span);
                self.nodes.extend(Maker(span).constant(false));
            }
        }
        self.push(Operand::Bool, start, span);
    }

    /// Reports numbers that are no truth values.
    fn is_truth(&mut self, n: u64, span: Span) {
        if n > 1 {
            self.wrong(span, format!("'{n}' is not a truth value"), "neither 0 nor 1", "");
        }
    }

    pub fn not(&mut self, span: Span) {
        self.nodes.push(ExpressionNode { operator: syntax::Operator::Not, span });
        if let Some(last) = self.stack.last_mut() {
            last.span = span;
        }
    }

    /// An operator of two truth values, whose nodes are at the end of the list.
    pub fn logical(&mut self, operator: syntax::Operator, span: Span) {
        self.stack.pop();
        let start = self.stack.pop().map_or(0, |left| left.start);
        self.nodes.push(ExpressionNode { operator, span });
        self.push(Operand::Bool, start, span);
    }

    /// `==`, `!=`
    pub fn compared(&mut self, span: Span, differ: bool) {
        let (Some(right), Some(left)) = (self.stack.pop(), self.stack.pop()) else { return };
        let (start, maker) = (left.start, Maker(span));
        let result = match (left.operand, right.operand) {
            (Operand::Number(a), Operand::Number(b)) => Some(maker.constant(a == b)),
            (Operand::Int(a), Operand::Int(b)) => {
                self.needs_width("a comparison of two 'int' variables", span);
                Some(maker.equal(a, b))
            }
            (Operand::Int(bits), Operand::Number(n)) | (Operand::Number(n), Operand::Int(bits)) => {
                self.fits(n, span);
                Some(maker.is(bits, n))
            }
            (Operand::Enum(a, x), Operand::Enum(b, y)) if a == b => Some(maker.equal(x, y)),
            (Operand::Enum(e, bits), Operand::Number(n))
            | (Operand::Number(n), Operand::Enum(e, bits)) => {
                let value = self.value_of(&n.to_string(), e, span);
                Some(maker.is(bits, value))
            }
            (Operand::Enum(e, bits), Operand::Enumerator(name))
            | (Operand::Enumerator(name), Operand::Enum(e, bits)) => {
                let value = self.value_of(&name, e, span);
                Some(maker.is(bits, value))
            }
            (Operand::Int(bits), Operand::Bool) | (Operand::Bool, Operand::Int(bits)) => {
                // The number is 1 if the truth value holds, else 0.
                let mut bits = bits.into_iter();
                let lowest = bits.next().unwrap_or_default();
                let rest = maker.not(maker.some(bits.collect()));
                self.nodes.extend(lowest);
                let both = [syntax::Operator::Equal, syntax::Operator::And];
                let [equal, and] = both.map(|operator| ExpressionNode { operator, span });
                self.nodes.push(equal);
                self.nodes.extend(rest);
                self.nodes.push(and);
                None
            }
            (Operand::Bool | Operand::Nondet, Operand::Number(n))
            | (Operand::Number(n), Operand::Bool | Operand::Nondet) => {
                self.is_truth(n, span);
                self.nodes.push(ExpressionNode { operator: syntax::Operator::Equal, span });
                None
            }
            (Operand::Bool | Operand::Nondet, Operand::Bool | Operand::Nondet) => {
                self.nodes.push(ExpressionNode { operator: syntax::Operator::Equal, span });
                None
            }
            (Operand::Unknown, _) | (_, Operand::Unknown) => Some(maker.constant(false)),
            (Operand::Nondet, _) | (_, Operand::Nondet) => {
                let hint = "assign '*' to a variable first";
                self.wrong(span, "'*' is compared with a number", "not supported", hint);
                Some(maker.constant(false))
            }
            _ => {
                self.wrong(span, "values of two types are compared", "never equal", "");
                Some(maker.constant(false))
            }
        };
        if let Some(result) = result {
            // What is in the list since `start` stands for numbers.
            self.nodes.truncate(start);
            self.nodes.extend(result);
        }
        if differ {
            self.nodes.push(ExpressionNode { operator: syntax::Operator::Not, span });
        }
        self.push(Operand::Bool, start, span);
    }

    /// The numbers on both sides of an operator, and where their nodes begin.
    fn numbers(&mut self, what: &str, span: Span) -> (Option<[Vec<Bit>; 2]>, usize) {
        let (Some(right), Some(left)) = (self.stack.pop(), self.stack.pop()) else {
            return (None, self.nodes.len());
        };
        let start = left.start;
        self.nodes.truncate(start);
        let is_unknown = |side: &Entry| matches!(side.operand, Operand::Unknown);
        if !is_unknown(&left) && !is_unknown(&right) {
            self.needs_width(what, span);
        }
        let sides = [left, right].map(|side| match side.operand {
            Operand::Int(bits) => Some(bits),
            Operand::Number(n) => {
                self.fits(n, side.span);
                Some(Maker(side.span).number(n, self.width))
            }
            Operand::Unknown => None,
            _ => {
                let hint = "only 'int' variables and numbers have a size";
                self.wrong(side.span, "this is no number", "not a number", hint);
                None
            }
        });
        let [Some(left), Some(right)] = sides else { return (None, start) };
        (Some([left, right]), start)
    }

    /// `a < b`; with the sides exchanged; negated.
    pub fn ordered(&mut self, span: Span, exchanged: bool, negated: bool) {
        let (sides, start) = self.numbers("a comparison of sizes", span);
        let maker = Maker(span);
        let less = match sides {
            Some([a, b]) if exchanged => maker.less(b, a),
            Some([a, b]) => maker.less(a, b),
            None => maker.constant(false),
        };
        self.nodes.extend(if negated { maker.not(less) } else { less });
        self.push(Operand::Bool, start, span);
    }

    pub fn sum(&mut self, span: Span, subtract: bool) {
        let (sides, start) = self.numbers("arithmetic", span);
        let Some([a, b]) = sides else {
            return self.leaf(Operand::Unknown, Maker(span).constant(false), span);
        };
        match Maker(span).sum(a, b, subtract) {
            Some(sum) => self.push(Operand::Int(sum), start, span),
            None => {
                let message = "this expression is too large";
                let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message)
                    .with_label("as a circuit of bits")
                    .with_hint("assign parts of it to variables");
                self.mistakes.report(span.start as usize, diagnostic);
                self.leaf(Operand::Unknown, Maker(span).constant(false), span);
            }
        }
    }
}
