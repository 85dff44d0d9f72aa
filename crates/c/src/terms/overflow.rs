//! The condition that the result of an operation on integers does not fit their type, as a term.
//!
//! It compares the operands with bounds, because invariants are about such comparisons.

use super::resized;
use crate::flow::Checked;
use hardbop_smt::{BitOp, Comparison, Term, Terms, Value};

/// The condition that C leaves the operation on these operands undefined, or that it is one on unsigned numbers and wraps
/// around.  The left operand has the type of the result; only a count may have another width.
pub(crate) fn overflow(terms: &mut Terms, op: Checked, signed: bool, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let mut of = Overflow { terms };
    match signed || op == Checked::ShiftCount {
        true => of.exceeds_type(op, width, a, b),
        false => of.wraps(op, width, a, b),
    }
}

struct Overflow<'t> {
    terms: &'t mut Terms,
}

impl Overflow<'_> {
    /// The condition that an operation on signed numbers overflows, or that a count is none.
    fn exceeds_type(&mut self, op: Checked, width: u32, a: Term, b: Term) -> Term {
        let most = (1u64 << (width - 1)) - 1;
        let (greatest, least) = (self.terms.bits(width, most), self.terms.bits(width, most + 1));
        match op {
            Checked::Add => self.exceeds(width, a, b, (greatest, least), BitOp::Sub),
            // This is the negation of b.
            Checked::Subtract if self.number(a) == Some(0) => self.terms.equal(b, least),
            Checked::Subtract => self.exceeds(width, a, b, (least, greatest), BitOp::Add),
            Checked::Multiply if a == b => {
                let root = self.terms.bits(width, most.isqrt());
                let other = self.terms.bits(width, most.isqrt().wrapping_neg());
                let large = self.terms.compare(Comparison::SLt, root, a);
                let small = self.terms.compare(Comparison::SLt, a, other);
                self.terms.or(&[large, small])
            }
            Checked::Multiply => match (self.number(a), self.number(b)) {
                (_, Some(factor)) => self.multiple(width, a, factor),
                (Some(factor), None) => self.multiple(width, b, factor),
                (None, None) if width < 64 => self.product(width, a, b),
                (None, None) => {
                    let low = self.terms.binary(BitOp::Mul, a, b);
                    let sign = self.terms.bits(width, u64::from(width) - 1);
                    let sign = self.terms.binary(BitOp::AShr, low, sign);
                    let high = self.high_word(BitOp::AShr, a, b);
                    self.terms.distinct(high, sign)
                }
            },
            Checked::Divide => {
                let minus_one = self.terms.bits(width, u64::MAX);
                let (by, of) = (self.terms.equal(b, minus_one), self.terms.equal(a, least));
                self.terms.and(&[by, of])
            }
            Checked::ShiftCount => self.count_exceeds(width, b),
            Checked::ShiftLeft => {
                let zero = self.terms.bits(width, 0);
                let out_of_range = self.count_exceeds(width, b);
                let negative = self.terms.compare(Comparison::SLt, a, zero);
                let b = resized(self.terms, b, width, false);
                let most = self.terms.binary(BitOp::LShr, greatest, b);
                let large = self.terms.compare(Comparison::SLt, most, a);
                self.terms.or(&[out_of_range, negative, large])
            }
        }
    }

    /// The condition that an operation on unsigned numbers wraps around.
    fn wraps(&mut self, op: Checked, width: u32, a: Term, b: Term) -> Term {
        let most = u64::MAX >> (64 - width);
        let greatest = self.terms.bits(width, most);
        match op {
            Checked::Add => {
                let room = self.terms.binary(BitOp::Sub, greatest, b);
                self.terms.compare(Comparison::ULt, room, a)
            }
            Checked::Subtract => self.terms.compare(Comparison::ULt, a, b),
            Checked::Multiply if a == b => {
                let root = self.terms.bits(width, most.isqrt());
                self.terms.compare(Comparison::ULt, root, a)
            }
            Checked::Multiply => match (self.terms.value(a), self.terms.value(b)) {
                (_, Some(Value::Bits(factor))) => self.exceeds_multiple(width, a, factor),
                (Some(Value::Bits(factor)), _) => self.exceeds_multiple(width, b, factor),
                _ if width < 64 => {
                    let (a, b) = (
                        self.terms.zero_extend(2 * width, a),
                        self.terms.zero_extend(2 * width, b),
                    );
                    let product = self.terms.binary(BitOp::Mul, a, b);
                    let high = self.terms.extract(2 * width - 1, width, product);
                    let zero = self.terms.bits(width, 0);
                    self.terms.distinct(high, zero)
                }
                _ => {
                    let high = self.high_word(BitOp::LShr, a, b);
                    let zero = self.terms.bits(width, 0);
                    self.terms.distinct(high, zero)
                }
            },
            Checked::ShiftLeft => {
                let out_of_range = self.count_exceeds(width, b);
                let b = resized(self.terms, b, width, false);
                let room = self.terms.binary(BitOp::LShr, greatest, b);
                let (large, within) =
                    (self.terms.compare(Comparison::ULt, room, a), self.terms.not(out_of_range));
                self.terms.and(&[within, large])
            }
            Checked::Divide | Checked::ShiftCount => self.terms.bool(false),
        }
    }

    /// The condition that an unsigned number is too large for its product with a factor.
    fn exceeds_multiple(&mut self, width: u32, a: Term, factor: u64) -> Term {
        let Some(most) = (u64::MAX >> (64 - width)).checked_div(factor) else {
            return self.terms.bool(false);
        };
        let most = self.terms.bits(width, most);
        self.terms.compare(Comparison::ULt, most, a)
    }

    /// The condition that a count is not below the width.
    fn count_exceeds(&mut self, width: u32, count: Term) -> Term {
        let size = self.terms.width(count);
        let all = self.terms.bits(size, u64::from(width));
        // As an unsigned number, a negative count is large.
        self.terms.compare(Comparison::ULe, all, count)
    }

    /// The condition that `a` is beyond the first limit minus (or plus) `b` if b >= 0, and beyond the second one
    /// otherwise. The first limit is the greatest number for a sum, the least one for a difference.
    fn exceeds(&mut self, width: u32, a: Term, b: Term, limits: (Term, Term), op: BitOp) -> Term {
        let zero = self.terms.bits(width, 0);
        let positive = self.terms.compare(Comparison::SLe, zero, b);
        let negative = self.terms.not(positive);
        let (first, second) = limits;
        let (first, second) = (self.terms.binary(op, first, b), self.terms.binary(op, second, b));
        let above = |l: &mut Self, limit| l.terms.compare(Comparison::SLt, limit, a);
        let below = |l: &mut Self, limit| l.terms.compare(Comparison::SLt, a, limit);
        let (first, second) = if op == BitOp::Sub {
            (above(self, first), below(self, second))
        } else {
            (below(self, first), above(self, second))
        };
        let (first, second) =
            (self.terms.and(&[positive, first]), self.terms.and(&[negative, second]));
        self.terms.or(&[first, second])
    }

    /// The condition that `a * factor` is outside the limits.
    fn multiple(&mut self, width: u32, a: Term, factor: i64) -> Term {
        let most = i128::from(u64::MAX >> (65 - width));
        let factor = i128::from(factor);
        if factor == 0 {
            return self.terms.bool(false);
        }
        // Division rounds towards zero, which is inwards.
        let (x, y) = (most / factor, (-most - 1) / factor);
        let (low, high) = (x.min(y), x.max(y));
        let high = high.min(most);
        let (low, high) = (self.terms.bits(width, low as u64), self.terms.bits(width, high as u64));
        let below = self.terms.compare(Comparison::SLt, a, low);
        let above = self.terms.compare(Comparison::SLt, high, a);
        self.terms.or(&[below, above])
    }

    /// The condition that the product of two numbers is outside the limits. Unless the sum of their
    /// lengths is too large already, one additional bit suffices to tell (Schulte et al.: *Combined
    /// unsigned and two's complement saturating multipliers*, 2000).
    fn product(&mut self, width: u32, a: Term, b: Term) -> Term {
        let sign = self.terms.bits(width, u64::from(width) - 1);
        // A non-negative number of the same length.
        let mut length = |x: Term| {
            let signs = self.terms.binary(BitOp::AShr, x, sign);
            self.terms.binary(BitOp::Xor, x, signs)
        };
        let (long, other) = (length(a), length(b));
        let one = self.terms.bits(1, 1);
        let mut reached = Vec::new();
        let mut too_long = Vec::new();
        for bit in 1..width - 1 {
            let here = self.terms.extract(width - 1 - bit, width - 1 - bit, long);
            let here = self.terms.equal(here, one);
            reached.push(here);
            let longer = self.terms.or(&reached);
            reached = vec![longer];
            let of_other = self.terms.extract(bit, bit, other);
            let of_other = self.terms.equal(of_other, one);
            too_long.push(self.terms.and(&[longer, of_other]));
        }
        let wide = width + 1;
        let (a, b) = (self.terms.sign_extend(wide, a), self.terms.sign_extend(wide, b));
        let product = self.terms.binary(BitOp::Mul, a, b);
        let (top, next) = (
            self.terms.extract(width, width, product),
            self.terms.extract(width - 1, width - 1, product),
        );
        too_long.push(self.terms.distinct(top, next));
        self.terms.or(&too_long)
    }

    /// The upper 64 bits of the product of two 64-bit numbers (Warren: *Hacker's Delight*, Sect. 8-2): of signed ones
    /// (`mulhs`) where upper halves are found by `AShr`, of unsigned ones (`mulhu`) by `LShr`.
    fn high_word(&mut self, half_of: BitOp, a: Term, b: Term) -> Term {
        let half = self.terms.bits(64, 32);
        let mask = self.terms.bits(64, u64::from(u32::MAX));
        let mut binary = |op, x, y| self.terms.binary(op, x, y);
        let (a0, a1) = (binary(BitOp::And, a, mask), binary(half_of, a, half));
        let (b0, b1) = (binary(BitOp::And, b, mask), binary(half_of, b, half));
        let low = binary(BitOp::Mul, a0, b0);
        let carry = binary(BitOp::LShr, low, half);
        let cross = binary(BitOp::Mul, a1, b0);
        let cross = binary(BitOp::Add, cross, carry);
        let (middle, upper) = (binary(BitOp::And, cross, mask), binary(half_of, cross, half));
        let other = binary(BitOp::Mul, a0, b1);
        let middle = binary(BitOp::Add, other, middle);
        let middle = binary(half_of, middle, half);
        let high = binary(BitOp::Mul, a1, b1);
        let high = binary(BitOp::Add, high, upper);
        binary(BitOp::Add, high, middle)
    }

    /// The value of a constant term, as a signed number.
    fn number(&self, term: Term) -> Option<i64> {
        let unused = 64 - self.terms.width(term);
        match self.terms.value(term) {
            Some(Value::Bits(value)) => Some(((value << unused) as i64) >> unused),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_smt::{Node, Sort};

    /// Products of all values of short numbers, of two and of one with itself, against whole numbers.
    #[test]
    fn products() {
        for (width, signed) in [(5, true), (5, false), (8, true), (8, false)] {
            let mut terms = Terms::new();
            let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(width)));
            let [a, b] = [x, y].map(|s| terms.variable(s));
            let of_two = overflow(&mut terms, Checked::Multiply, signed, a, b);
            let of_one = overflow(&mut terms, Checked::Multiply, signed, a, a);
            let number = |bits: u64| match signed && bits >> (width - 1) == 1 {
                true => bits as i64 - (1 << width),
                false => bits as i64,
            };
            let all = match signed {
                true => -(1 << (width - 1))..1 << (width - 1),
                false => 0..1 << width,
            };
            for (p, q) in (0..1 << width).flat_map(|p| (0..1 << width).map(move |q| (p, q))) {
                let value = |leaf: Term| match *terms.node(leaf) {
                    Node::Variable(s) => Some(Value::Bits(if s == x { p } else { q })),
                    _ => None,
                };
                let said = |term| terms.evaluate(term, &value) == Some(Value::Bool(true));
                assert_eq!(said(of_two), !all.contains(&(number(p) * number(q))), "{p} {q}");
                assert_eq!(said(of_one), !all.contains(&(number(p) * number(p))), "{p}");
            }
        }
    }
}
