//! Terms of floating-point operators.

use super::float::FloatOp;
use super::node::{BitOp, Comparison, Node, Sort, Term, UnaryOp};
use super::store::Terms;

impl FloatOp {
    /// The sort of the result for operands of this many bits.
    pub fn result(self, width: u32) -> Sort {
        match self.parts().0 {
            Self::Less | Self::AtMost | Self::Equal => Sort::Bool,
            Self::Widen => Sort::Bits(64),
            Self::Narrow => Sort::Bits(32),
            Self::OfSigned(to) | Self::OfUnsigned(to) => Sort::Bits(to),
            _ => Sort::Bits(width),
        }
    }
}

impl Terms {
    /// A floating-point operator.
    ///
    /// # Panics
    /// If the operands do not fit: the caller's mistake.
    pub fn float(&mut self, op: FloatOp, operands: &[Term]) -> Term {
        let width = self.width(operands[0]);
        assert!(op.takes(width) && operands.len() == op.arity(), "operands of {op:?}");
        for &t in operands {
            self.demand(t, Sort::Bits(width));
        }
        let sort = op.result(width);
        let values: Option<Vec<u64>> = operands.iter().map(|&t| self.as_bits(t)).collect();
        if let Some(values) = values {
            let value = op.value(width, &values);
            return match sort {
                Sort::Bits(to) => self.bits(to, value),
                _ => self.bool(value == 1),
            };
        }
        // A choice between constants, and constants beside it.
        let variable = |terms: &Self, t: &Term| terms.as_bits(*t).is_none();
        let (first, last) = (
            operands.iter().position(|t| variable(self, t)),
            operands.iter().rposition(|t| variable(self, t)),
        );
        if let (Some(i), true) = (first, first == last)
            && let Some((c, a, b)) = self.constant_ite(operands[i])
        {
            let mut operands = operands.to_vec();
            operands[i] = a;
            let a = self.float(op, &operands);
            operands[i] = b;
            let b = self.float(op, &operands);
            return self.ite(c, a, b);
        }
        match (op, operands) {
            (FloatOp::Less, [a, b]) if a == b => self.bool(false),
            (FloatOp::AtMost, &[a, b]) if a == b => self.float(FloatOp::Equal, &[a, b]),
            (FloatOp::Equal, &[a, b]) if b < a && variable(self, &a) => {
                self.intern(Node::Float(op, [b, a].into()), sort)
            }
            _ => self.intern(Node::Float(op, operands.into()), sort),
        }
    }

    /// Whether a `double`, without its fraction, fits into an integer of so many bits.
    pub fn fits_integer(&mut self, value: Term, width: u32, signed: bool) -> Term {
        let limit = |bits: u32| 2f64.powi(bits as i32);
        // Numbers that become the least one: those of 64 bits have no fraction.
        let (least, inclusive, most) = match (signed, width) {
            (true, 64) => (-limit(63), true, limit(63)),
            (true, _) => (-limit(width - 1) - 1.0, false, limit(width - 1)),
            (false, _) => (-1.0, false, limit(width)),
        };
        let (least, most) = (self.bits(64, least.to_bits()), self.bits(64, most.to_bits()));
        let op = if inclusive { FloatOp::AtMost } else { FloatOp::Less };
        let above = self.float(op, &[least, value]);
        let below = self.float(FloatOp::Less, &[value, most]);
        self.and(&[above, below])
    }

    /// The integer part of a `double`, modulo 2^64, if it is below 2^64 in size.
    pub fn integer_part(&mut self, value: Term) -> Term {
        const MANTISSA: u32 = 52;
        const BIAS: u64 = 1023;
        let fraction = self.extract(MANTISSA - 1, 0, value);
        let one = self.bits(64 - MANTISSA, 1);
        let significand = self.concat(one, fraction);
        let exponent = self.extract(62, MANTISSA, value);
        let exponent = self.zero_extend(64, exponent);
        let point = self.bits(64, BIAS + u64::from(MANTISSA));
        let left = self.binary(BitOp::Sub, exponent, point);
        let right = self.binary(BitOp::Sub, point, exponent);
        // Shifts by too much leave nothing.
        let large = self.binary(BitOp::Shl, significand, left);
        let small = self.binary(BitOp::LShr, significand, right);
        let is_small = self.compare(Comparison::ULt, exponent, point);
        let magnitude = self.ite(is_small, small, large);
        let negated = self.unary(UnaryOp::Negate, magnitude);
        let sign = self.extract(63, 63, value);
        let one = self.bits(1, 1);
        let is_negative = self.equal(sign, one);
        self.ite(is_negative, negated, magnitude)
    }
}
