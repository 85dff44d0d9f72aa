//! Linear arithmetic over the integers.

use super::node::{Node, Sort, Term};
use super::store::Terms;

/// Sums within sums are flattened up to this size of the inner one.
const FLATTEN: usize = 64;

impl Terms {
    /// The sum, with like terms collected; zero if there are no summands.
    pub fn int_add(&mut self, summands: &[Term]) -> Term {
        let mut constant: i128 = 0;
        // A constant that does not fit into 128 bits with the others remains a separate summand.
        let mut parts: Vec<(Term, i128)> = Vec::new();
        for &s in summands {
            self.demand(s, Sort::Int);
            let inner = match self.node(s) {
                Node::IntAdd(inner) if inner.len() <= FLATTEN => inner.to_vec(),
                _ => vec![s],
            };
            for t in inner {
                match *self.node(t) {
                    Node::Int(k) if constant.checked_add(k).is_some() => constant += k,
                    Node::IntScale(c, x) => parts.push((x, c)),
                    _ => parts.push((t, 1)),
                }
            }
        }
        parts.sort_by_key(|p| p.0);
        let mut sum: Vec<Term> = Vec::with_capacity(parts.len() + 1);
        let mut rest = parts.into_iter().peekable();
        while let Some((t, mut factor)) = rest.next() {
            while let Some(&(_, more)) = rest.peek().filter(|n| n.0 == t)
                && let Some(both) = factor.checked_add(more)
            {
                factor = both;
                rest.next();
            }
            if factor != 0 {
                sum.push(self.int_scale(factor, t));
            }
        }
        if constant != 0 {
            sum.push(self.int(constant));
        }
        match sum[..] {
            [] => self.int(0),
            [only] => only,
            _ => self.intern(Node::IntAdd(sum.into()), Sort::Int),
        }
    }

    /// `factor * a`; distributes over sums.
    pub fn int_scale(&mut self, factor: i128, a: Term) -> Term {
        self.demand(a, Sort::Int);
        match self.node(a) {
            _ if factor == 0 => self.int(0),
            _ if factor == 1 => a,
            &Node::Int(k) if k.checked_mul(factor).is_some() => self.int(k * factor),
            &Node::IntScale(c, x) if c.checked_mul(factor).is_some() => {
                self.int_scale(c * factor, x)
            }
            Node::IntAdd(parts) => {
                let parts = parts.clone();
                let scaled: Vec<Term> = parts.iter().map(|&p| self.int_scale(factor, p)).collect();
                self.int_add(&scaled)
            }
            _ => self.intern(Node::IntScale(factor, a), Sort::Int),
        }
    }

    /// `a - b`.
    #[inline]
    pub fn int_sub(&mut self, a: Term, b: Term) -> Term {
        let negative = self.int_scale(-1, b);
        self.int_add(&[a, negative])
    }

    /// `a <= b`.
    pub fn int_le(&mut self, a: Term, b: Term) -> Term {
        self.demand(a, Sort::Int);
        self.demand(b, Sort::Int);
        match (self.node(a), self.node(b)) {
            _ if a == b => self.bool(true),
            (Node::Int(x), Node::Int(y)) => self.bool(x <= y),
            // k <= b is not (b <= k - 1).
            (&Node::Int(x), _) if x > i128::MIN => {
                let k = self.int(x - 1);
                let below = self.int_le(b, k);
                self.not(below)
            }
            (&Node::Ite(c, t, e), _)
                if self.is_constant(t) && self.is_constant(e) && self.is_constant(b) =>
            {
                let (t, e) = (self.int_le(t, b), self.int_le(e, b));
                self.ite(c, t, e)
            }
            _ => self.intern(Node::IntLe(a, b), Sort::Bool),
        }
    }

    /// `a < b`.
    #[inline]
    pub fn int_lt(&mut self, a: Term, b: Term) -> Term {
        let reverse = self.int_le(b, a);
        self.not(reverse)
    }
}
