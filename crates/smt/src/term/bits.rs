//! Arithmetic, bitwise operators and comparisons of bit-vectors.

use super::node::{BitOp, Comparison, Node, Sort, Term, UnaryOp};
use super::semantics;
use super::store::Terms;

impl Terms {
    /// A unary operator on a bit-vector.
    pub fn unary(&mut self, op: UnaryOp, a: Term) -> Term {
        let width = self.width(a);
        if let Some((c, t, e)) = self.constant_ite(a) {
            let (t, e) = (self.unary(op, t), self.unary(op, e));
            return self.ite(c, t, e);
        }
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(width, semantics::unary(op, width, value)),
            Node::Unary(inner, x) if inner == op => x,
            Node::Binary(BitOp::Sub, x, y) if op == UnaryOp::Negate => {
                self.binary(BitOp::Sub, y, x)
            }
            _ => self.intern(Node::Unary(op, a), Sort::Bits(width)),
        }
    }

    /// A binary operator on bit-vectors of the same width.
    ///
    /// # Panics
    /// If the widths differ: the caller's mistake.
    pub fn binary(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        self.demand(b, Sort::Bits(width));
        let (a, b) = if commutes(op) { self.ordered(a, b) } else { (a, b) };
        match (self.as_bits(a), self.as_bits(b)) {
            (Some(x), Some(y)) => return self.bits(width, semantics::binary(op, width, x, y)),
            (_, Some(k)) => {
                if let Some((c, t, e)) = self.constant_ite(a) {
                    let (t, e) = (self.binary(op, t, b), self.binary(op, e, b));
                    return self.ite(c, t, e);
                }
                if let Some(simple) = self.constant_right(op, width, a, k) {
                    return simple;
                }
            }
            (Some(_), _) => {
                if let Some((c, t, e)) = self.constant_ite(b) {
                    let (t, e) = (self.binary(op, a, t), self.binary(op, a, e));
                    return self.ite(c, t, e);
                }
            }
            _ => {}
        }
        if a == b {
            match op {
                BitOp::Sub | BitOp::Xor => return self.bits(width, 0),
                BitOp::And | BitOp::Or => return a,
                _ => {}
            }
        }
        match (op, self.node(a), self.node(b)) {
            // (x - y) + y, either way round.
            (BitOp::Add, &Node::Binary(BitOp::Sub, x, y), _) if y == b => x,
            (BitOp::Add, _, &Node::Binary(BitOp::Sub, x, y)) if y == a => x,
            (BitOp::Sub, &Node::Binary(BitOp::Add, x, y), _) if y == b => x,
            (BitOp::Sub, &Node::Binary(BitOp::Add, x, y), _) if x == b => y,
            (BitOp::Sub, &Node::Bits { value: 0, .. }, _) => self.unary(UnaryOp::Negate, b),
            _ => self.intern(Node::Binary(op, a, b), Sort::Bits(width)),
        }
    }

    /// Simplifies an operator with a constant on the right.
    fn constant_right(&mut self, op: BitOp, width: u32, a: Term, k: u64) -> Option<Term> {
        let ones = semantics::mask(width);
        let long = k >= u64::from(width);
        match op {
            BitOp::Add if k == 0 => Some(a),
            BitOp::Add => match *self.node(a) {
                Node::Binary(BitOp::Add, x, l) if self.is_constant(l) => {
                    let l = self.as_bits(l).unwrap_or(0);
                    let sum = self.bits(width, k.wrapping_add(l));
                    Some(self.binary(BitOp::Add, x, sum))
                }
                _ => None,
            },
            BitOp::Sub => {
                let negative = self.bits(width, k.wrapping_neg());
                Some(self.binary(BitOp::Add, a, negative))
            }
            BitOp::Mul | BitOp::And if k == 0 => Some(self.bits(width, 0)),
            BitOp::Mul | BitOp::UDiv | BitOp::SDiv if k == 1 => Some(a),
            BitOp::URem | BitOp::SRem if k == 1 => Some(self.bits(width, 0)),
            BitOp::And if k == ones => Some(a),
            BitOp::Or if k == ones => Some(self.bits(width, ones)),
            BitOp::Or | BitOp::Xor if k == 0 => Some(a),
            BitOp::Xor if k == ones => Some(self.unary(UnaryOp::Not, a)),
            BitOp::Shl | BitOp::LShr | BitOp::AShr if k == 0 => Some(a),
            BitOp::Shl | BitOp::LShr if long => Some(self.bits(width, 0)),
            // Selecting low bits becomes an extraction, for which there are more simplifications.
            BitOp::And if (k + 1).is_power_of_two() => {
                let low = self.extract(k.trailing_ones() - 1, 0, a);
                Some(self.zero_extend(width, low))
            }
            BitOp::URem if k.is_power_of_two() => {
                let low = self.extract(k.trailing_zeros() - 1, 0, a);
                Some(self.zero_extend(width, low))
            }
            _ => None,
        }
    }

    /// A comparison of bit-vectors of the same width.
    ///
    /// # Panics
    /// If the widths differ: the caller's mistake.
    pub fn compare(&mut self, op: Comparison, a: Term, b: Term) -> Term {
        let width = self.width(a);
        self.demand(b, Sort::Bits(width));
        match op {
            Comparison::ULe => {
                let more = self.compare(Comparison::ULt, b, a);
                self.not(more)
            }
            Comparison::SLe => {
                let more = self.compare(Comparison::SLt, b, a);
                self.not(more)
            }
            Comparison::ULt | Comparison::SLt => self.less(op, width, a, b),
        }
    }

    fn less(&mut self, op: Comparison, width: u32, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(false);
        }
        let (least, most) = match op {
            Comparison::SLt => (semantics::signed_min(width), semantics::signed_max(width)),
            _ => (0, semantics::mask(width)),
        };
        match (self.as_bits(a), self.as_bits(b)) {
            (Some(x), Some(y)) => self.bool(semantics::compare(op, width, x, y)),
            (Some(x), None) if x == most => self.bool(false),
            (Some(x), None) => {
                // k < b is not (b < k + 1).
                let next = self.bits(width, x.wrapping_add(1));
                let below = self.less(op, width, b, next);
                self.not(below)
            }
            (None, Some(k)) => {
                if k == least {
                    return self.bool(false);
                }
                if k == least.wrapping_add(1) & semantics::mask(width) {
                    let least = self.bits(width, least);
                    return self.equal(a, least);
                }
                if k == most {
                    return self.distinct(a, b);
                }
                if let Some((c, t, e)) = self.constant_ite(a) {
                    let (t, e) = (self.less(op, width, t, b), self.less(op, width, e, b));
                    return self.ite(c, t, e);
                }
                if let Some(narrower) = self.less_extended(op, width, a, k) {
                    return narrower;
                }
                self.intern(Node::Compare(op, a, b), Sort::Bool)
            }
            (None, None) => self.less_terms(op, a, b),
        }
    }

    /// `a < k` where `a` is an extension.
    fn less_extended(&mut self, op: Comparison, width: u32, a: Term, k: u64) -> Option<Term> {
        let (term, inner, low, high) = match *self.node(a) {
            Node::ZeroExtend { term, .. } => {
                let high = i128::from(semantics::mask(self.width(term)));
                (term, Comparison::ULt, 0, high)
            }
            Node::SignExtend { term, .. } if op == Comparison::SLt => {
                let most = i128::from(semantics::signed_max(self.width(term)));
                (term, Comparison::SLt, -most - 1, most)
            }
            _ => return None,
        };
        let bound = match op {
            Comparison::SLt => i128::from(semantics::signed(width, k)),
            _ => i128::from(k),
        };
        Some(if bound <= low {
            self.bool(false)
        } else if bound > high {
            self.bool(true)
        } else {
            let narrow = self.width(term);
            let k = self.bits(narrow, k);
            self.less(inner, narrow, term, k)
        })
    }

    /// `a < b` for two terms that are not constants.
    fn less_terms(&mut self, op: Comparison, a: Term, b: Term) -> Term {
        match (self.node(a), self.node(b)) {
            (&Node::ZeroExtend { term: x, .. }, &Node::ZeroExtend { term: y, .. })
                if self.sort(x) == self.sort(y) =>
            {
                self.compare(Comparison::ULt, x, y)
            }
            (&Node::SignExtend { term: x, .. }, &Node::SignExtend { term: y, .. })
                if self.sort(x) == self.sort(y) =>
            {
                // Sign extension also preserves the unsigned order.
                self.compare(op, x, y)
            }
            _ => self.intern(Node::Compare(op, a, b), Sort::Bool),
        }
    }
}

fn commutes(op: BitOp) -> bool {
    matches!(op, BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor)
}
