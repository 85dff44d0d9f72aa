//! Terms of floating-point operators.

use super::float::FloatOp;
use super::node::{Node, Sort, Term};
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
}
