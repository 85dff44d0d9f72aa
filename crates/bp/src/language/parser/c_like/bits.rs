//! Numbers as bits, the lowest first; a bit is an expression in postfix order.

use crate::language::syntax::{ExpressionNode, Operator};
use hardbop_base::source::Span;

/// An expression for one bit.
pub(super) type Bit = Vec<ExpressionNode>;

/// Most operands and operators of a number that is computed.
pub(super) const MAX_SIZE: usize = 1 << 20;

/// Makes expressions, all of whose parts get the same place.
#[derive(Clone, Copy)]
pub(super) struct Maker(pub Span);

impl Maker {
    fn node(self, operator: Operator) -> ExpressionNode {
        ExpressionNode { operator, span: self.0 }
    }

    pub fn constant(self, value: bool) -> Bit {
        vec![self.node(Operator::Constant(value))]
    }

    pub fn any(self) -> Bit {
        vec![self.node(Operator::Nondet)]
    }

    pub fn variable(self, name: String) -> Bit {
        vec![self.node(Operator::Variable(name))]
    }

    /// The value of a variable behind an assignment.
    pub fn next(self, name: String) -> Bit {
        vec![self.node(Operator::Next(name))]
    }

    /// The bits of a number.
    pub fn number(self, value: u64, width: usize) -> Vec<Bit> {
        (0..width).map(|i| self.constant(value >> i & 1 == 1)).collect()
    }

    pub fn not(self, mut a: Bit) -> Bit {
        a.push(self.node(Operator::Not));
        a
    }

    pub fn both(self, a: Bit, b: Bit, operator: Operator) -> Bit {
        let mut all = a;
        all.extend(b);
        all.push(self.node(operator));
        all
    }

    fn and(self, a: Bit, b: Bit) -> Bit {
        self.both(a, b, Operator::And)
    }

    fn or(self, a: Bit, b: Bit) -> Bit {
        self.both(a, b, Operator::Or)
    }

    fn xor(self, a: Bit, b: Bit) -> Bit {
        self.both(a, b, Operator::Xor)
    }

    fn joined(self, bits: impl Iterator<Item = Bit>, operator: &Operator, none: bool) -> Bit {
        let joined = bits.reduce(|a, b| self.both(a, b, operator.clone()));
        joined.unwrap_or_else(|| self.constant(none))
    }

    /// Whether a number is not 0.
    pub fn some(self, bits: Vec<Bit>) -> Bit {
        self.joined(bits.into_iter(), &Operator::Or, false)
    }

    /// Whether two numbers are equal.
    pub fn equal(self, a: Vec<Bit>, b: Vec<Bit>) -> Bit {
        let each = a.into_iter().zip(b).map(|(a, b)| self.both(a, b, Operator::Equal));
        self.joined(each, &Operator::And, true)
    }

    /// Whether a number has this value.
    pub fn is(self, bits: Vec<Bit>, value: u64) -> Bit {
        let each = bits.into_iter().enumerate();
        let each = each.map(|(i, bit)| if value >> i & 1 == 1 { bit } else { self.not(bit) });
        self.joined(each, &Operator::And, true)
    }

    /// Whether a number is less than another one.
    pub fn less(self, a: Vec<Bit>, b: Vec<Bit>) -> Bit {
        let mut less = self.constant(false);
        for (a, b) in a.into_iter().zip(b) {
            let here = self.and(self.not(a.clone()), b.clone());
            let same = self.both(a, b, Operator::Equal);
            less = self.or(here, self.and(same, less));
        }
        less
    }

    /// Sum or difference, without what does not fit; `None` if the expressions would be too large.
    pub fn sum(self, a: Vec<Bit>, b: Vec<Bit>, subtract: bool) -> Option<Vec<Bit>> {
        let size: usize = a.iter().chain(&b).map(|bit| 3 * bit.len() + 8).sum();
        if size.saturating_mul(a.len()) > MAX_SIZE {
            return None;
        }
        let mut carry = self.constant(false);
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            let differs = self.xor(a.clone(), b.clone());
            sum.push(self.xor(differs.clone(), carry.clone()));
            let (first, goes_on) =
                if subtract { (self.not(a), self.not(differs)) } else { (a, differs) };
            carry = self.or(self.and(first, b), self.and(goes_on, carry));
        }
        Some(sum)
    }
}

/// The number of bits of the values up to this one.
pub(super) fn width(value: u64) -> usize {
    (u64::BITS - value.leading_zeros()).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::{Bit, Maker, width};
    use crate::language::syntax::Operator;
    use hardbop_base::source::Span;

    /// The value of an expression over constants.
    fn value(bit: &Bit) -> bool {
        let mut stack: Vec<bool> = Vec::new();
        for node in bit {
            let value = match &node.operator {
                Operator::Constant(value) => *value,
                Operator::Not => !stack.pop().unwrap(),
                other => {
                    let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                    match other {
                        Operator::And => a && b,
                        Operator::Or => a || b,
                        Operator::Xor => a != b,
                        Operator::Equal => a == b,
                        _ => panic!("{other:?}"),
                    }
                }
            };
            stack.push(value);
        }
        assert_eq!(stack.len(), 1);
        stack[0]
    }

    #[test]
    fn numbers_are_computed() {
        let maker = Maker(Span::default());
        for bits in 1..5_usize {
            let all = 1_u64 << bits;
            for (a, b) in (0..all).flat_map(|a| (0..all).map(move |b| (a, b))) {
                let number = |n| maker.number(n, bits);
                let read = |n: Vec<Bit>| (0..bits).map(|i| u64::from(value(&n[i])) << i).sum();
                let sum: u64 = read(maker.sum(number(a), number(b), false).unwrap());
                let difference: u64 = read(maker.sum(number(a), number(b), true).unwrap());
                assert_eq!((sum, difference), ((a + b) % all, (all + a - b) % all), "{a} {b}");
                assert_eq!(value(&maker.less(number(a), number(b))), a < b, "{a} {b}");
                assert_eq!(value(&maker.equal(number(a), number(b))), a == b, "{a} {b}");
                assert_eq!(value(&maker.is(number(a), b)), a == b, "{a} {b}");
                assert_eq!(value(&maker.some(number(a))), a != 0, "{a}");
            }
        }
        assert_eq!([0, 1, 2, 3, 4, 7, 8].map(width), [1, 1, 2, 2, 3, 3, 4]);
    }
}
