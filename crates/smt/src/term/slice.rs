//! Extraction, extension and concatenation of bit-vectors.

use super::node::{BitOp, Node, Sort, Term};
use super::semantics;
use super::store::Terms;

/// How deep an extraction is moved into sums and similar terms.
const DEPTH: u32 = 8;

impl Terms {
    /// Bits `high` down to `low`.
    ///
    /// # Panics
    /// If there are no such bits.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!(low <= high && high < width, "bits {high} to {low} of {width}");
        if high - low + 1 == width {
            return a;
        }
        let new = high - low + 1;
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(new, semantics::extract(high, low, value)),
            Node::Extract { low: inner, term, .. } => self.extract(high + inner, low + inner, term),
            Node::ZeroExtend { term, .. } => {
                let from = self.width(term);
                if low >= from {
                    self.bits(new, 0)
                } else if high < from {
                    self.extract(high, low, term)
                } else {
                    let part = self.extract(from - 1, low, term);
                    self.zero_extend(new, part)
                }
            }
            Node::SignExtend { term, .. } if high < self.width(term) => {
                self.extract(high, low, term)
            }
            Node::SignExtend { term, .. } if low < self.width(term) => {
                let part = self.extract(self.width(term) - 1, low, term);
                self.sign_extend(new, part)
            }
            Node::Concat(h, l) => {
                let split = self.width(l);
                if high < split {
                    self.extract(high, low, l)
                } else if low >= split {
                    self.extract(high - split, low - split, h)
                } else {
                    self.intern(Node::Extract { high, low, term: a }, Sort::Bits(new))
                }
            }
            _ => {
                if let Some((c, t, e)) = self.constant_ite(a) {
                    let (t, e) = (self.extract(high, low, t), self.extract(high, low, e));
                    return self.ite(c, t, e);
                }
                if low == 0 && self.narrows(a, new, DEPTH) {
                    return self.narrow(a, new);
                }
                self.intern(Node::Extract { high, low, term: a }, Sort::Bits(new))
            }
        }
    }

    /// Can the low bits be computed from operands that are no wider to begin with?
    fn narrows(&self, a: Term, width: u32, depth: u32) -> bool {
        match *self.node(a) {
            Node::Bits { .. } => true,
            Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => {
                self.width(term) <= width || self.narrows(term, width, depth)
            }
            _ if depth == 0 => false,
            Node::Ite(_, t, e) => {
                self.narrows(t, width, depth - 1) && self.narrows(e, width, depth - 1)
            }
            Node::Unary(_, x) => self.narrows(x, width, depth - 1),
            Node::Binary(op, x, y) => {
                modular(op)
                    && self.narrows(x, width, depth - 1)
                    && self.narrows(y, width, depth - 1)
            }
            _ => false,
        }
    }

    /// The low bits of a term that [`Terms::narrows`] accepts.
    fn narrow(&mut self, a: Term, width: u32) -> Term {
        match *self.node(a) {
            Node::Ite(c, t, e) => {
                let (t, e) = (self.narrow(t, width), self.narrow(e, width));
                self.ite(c, t, e)
            }
            Node::Unary(op, x) => {
                let x = self.narrow(x, width);
                self.unary(op, x)
            }
            Node::Binary(op, x, y) => {
                let (x, y) = (self.narrow(x, width), self.narrow(y, width));
                self.binary(op, x, y)
            }
            _ => self.extract(width - 1, 0, a),
        }
    }

    /// The unsigned number `a` in `to` bits.
    ///
    /// # Panics
    /// If `to` is less than the width, or more than 64.
    pub fn zero_extend(&mut self, to: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!((width..=64).contains(&to), "extension of {width} bits to {to}");
        if to == width {
            return a;
        }
        if let Some((c, t, e)) = self.constant_ite(a) {
            let (t, e) = (self.zero_extend(to, t), self.zero_extend(to, e));
            return self.ite(c, t, e);
        }
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(to, value),
            Node::ZeroExtend { term, .. } => self.zero_extend(to, term),
            _ => self.intern(Node::ZeroExtend { to, term: a }, Sort::Bits(to)),
        }
    }

    /// The signed number `a` in `to` bits.
    ///
    /// # Panics
    /// If `to` is less than the width, or more than 64.
    pub fn sign_extend(&mut self, to: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!((width..=64).contains(&to), "extension of {width} bits to {to}");
        if to == width {
            return a;
        }
        if let Some((c, t, e)) = self.constant_ite(a) {
            let (t, e) = (self.sign_extend(to, t), self.sign_extend(to, e));
            return self.ite(c, t, e);
        }
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(to, semantics::sign_extend(width, to, value)),
            Node::SignExtend { term, .. } => self.sign_extend(to, term),
            // The sign bit of a strict zero extension is 0.
            Node::ZeroExtend { term, .. } => self.zero_extend(to, term),
            _ => self.intern(Node::SignExtend { to, term: a }, Sort::Bits(to)),
        }
    }

    /// `high` followed by `low`.
    ///
    /// # Panics
    /// If the whole has more than 64 bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (upper, lower) = (self.width(high), self.width(low));
        let to = upper + lower;
        assert!(to <= 64, "a bit-vector of {to} bits");
        match (self.node(high).clone(), self.node(low).clone()) {
            (Node::Bits { value: h, .. }, Node::Bits { value: l, .. }) => {
                self.bits(to, semantics::concat(lower, h, l))
            }
            (Node::Bits { value: 0, .. }, _) => self.zero_extend(to, low),
            (
                Node::Extract { high: h, low: middle, term },
                Node::Extract { high: below, low: l, term: same },
            ) if term == same && below + 1 == middle => self.extract(h, l, term),
            _ => self.intern(Node::Concat(high, low), Sort::Bits(to)),
        }
    }
}

/// Do the low bits of the result depend only on the low bits of the operands?
fn modular(op: BitOp) -> bool {
    matches!(op, BitOp::Add | BitOp::Sub | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor)
}
