//! Translates integers back to bit-vectors.

use super::Linear;
use crate::term::{BitOp, Comparison, Memo, Node, Sort, Term, Terms, Value};

/// `factor * term`, where the term is a bit-vector.
type Part = (i128, Term);

/// The relation between a sum and a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    AtMost,
    Equal,
}

impl Linear {
    /// Translates a formula over integer leaves back to the terms that the leaves represent; none
    /// if an atom is not linear.  Wrap-around of sums is ignored, so the result must be checked.
    pub fn back(&self, terms: &mut Terms, formula: Term) -> Option<Term> {
        let mut fine = true;
        let result = terms.replace(formula, &mut Memo::default(), |terms, t| {
            let (relation, a, b) = match *terms.node(t) {
                Node::IntLe(a, b) => (Relation::AtMost, a, b),
                Node::Equal(a, b) if terms.sort(a) == Sort::Int => (Relation::Equal, a, b),
                Node::Variable(_) if terms.sort(t) == Sort::Bool => return self.origin(t),
                _ => return None,
            };
            let predicate = self.atom(terms, relation, a, b);
            fine &= predicate.is_some();
            Some(predicate.unwrap_or_else(|| terms.bool(true)))
        });
        fine.then_some(result)
    }

    fn atom(&self, terms: &mut Terms, relation: Relation, a: Term, b: Term) -> Option<Term> {
        let difference = terms.int_sub(a, b);
        let summands = match terms.node(difference) {
            Node::IntAdd(all) => all.to_vec(),
            _ => vec![difference],
        };
        let mut bound: i128 = 0;
        let mut parts: Vec<Part> = Vec::new();
        for s in summands {
            match *terms.node(s) {
                Node::Int(k) => bound = bound.checked_sub(k)?,
                Node::IntScale(k, x) => parts.push((k, self.origin(x)?)),
                _ => parts.push((1, self.origin(s)?)),
            }
        }
        let divisor = parts.iter().fold(0, |g, p| gcd(g, p.0));
        if divisor == 0 {
            return Some(terms.bool(match relation {
                Relation::AtMost => 0 <= bound,
                Relation::Equal => bound == 0,
            }));
        }
        if relation == Relation::Equal && bound % divisor != 0 {
            return Some(terms.bool(false));
        }
        bound = bound.div_euclid(divisor);
        parts.iter_mut().for_each(|p| p.0 /= divisor);
        match parts[..] {
            [(factor, x)] => Some(self.single(terms, relation, factor, x, bound)),
            _ => self.several(terms, relation, &parts, bound),
        }
    }

    /// `factor * x` related to the bound, where the factor is 1 or -1.
    fn single(
        &self,
        terms: &mut Terms,
        relation: Relation,
        factor: i128,
        x: Term,
        k: i128,
    ) -> Term {
        let (low, high) = self.bounds(terms, x);
        let width = terms.width(x);
        let less = if self.is_unsigned(x) { Comparison::ULe } else { Comparison::SLe };
        let value = factor * k;
        if (low..=high).contains(&value) {
            let constant = terms.bits(width, value as u64);
            return match (relation, factor) {
                (Relation::Equal, _) => terms.equal(x, constant),
                (Relation::AtMost, 1) => terms.compare(less, x, constant),
                (Relation::AtMost, _) => terms.compare(less, constant, x),
            };
        }
        terms.bool(relation == Relation::AtMost && (value > high) == (factor == 1))
    }

    /// A sum of several terms; negative ones go to the other side.
    fn several(
        &self,
        terms: &mut Terms,
        relation: Relation,
        parts: &[Part],
        bound: i128,
    ) -> Option<Term> {
        let width = parts.iter().map(|p| terms.width(p.1)).max()?;
        let mut left = Vec::new();
        let mut right = Vec::new();
        for &(factor, x) in parts {
            let wide = if self.is_unsigned(x) {
                terms.zero_extend(width, x)
            } else {
                terms.sign_extend(width, x)
            };
            let magnitude = u64::try_from(factor.unsigned_abs()).ok()?;
            let magnitude = terms.bits(width, magnitude);
            let product = terms.binary(BitOp::Mul, wide, magnitude);
            if factor > 0 { left.push(product) } else { right.push(product) }
        }
        // a <= b - 1 is a < b, in which nothing can wrap around.
        let strict = relation == Relation::AtMost && bound == -1;
        let constant = if strict { 0 } else { bound };
        let magnitude = u64::try_from(constant.unsigned_abs()).ok()?;
        let magnitude = terms.bits(width, magnitude);
        if constant >= 0 {
            right.push(magnitude)
        } else {
            left.push(magnitude)
        }
        let left = sum(terms, width, &left);
        let right = sum(terms, width, &right);
        let unsigned = parts.iter().all(|p| self.is_unsigned(p.1));
        Some(match (relation, unsigned, strict) {
            (Relation::Equal, ..) => terms.equal(left, right),
            (_, true, true) => terms.compare(Comparison::ULt, left, right),
            (_, true, false) => terms.compare(Comparison::ULe, left, right),
            (_, false, true) => terms.compare(Comparison::SLt, left, right),
            (_, false, false) => terms.compare(Comparison::SLe, left, right),
        })
    }
}

fn sum(terms: &mut Terms, width: u32, all: &[Term]) -> Term {
    let zero = terms.bits(width, 0);
    all.iter().fold(zero, |sum, &t| terms.binary(BitOp::Add, sum, t))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The integer values of leaves, from bit-vector values.
impl Linear {
    /// The integer that represents a value of the origin.
    pub fn read(&self, terms: &Terms, origin: Term, value: u64) -> Value {
        let (low, high) = self.bounds(terms, origin);
        let value = i128::from(value);
        let span = high - low + 1;
        Value::Int(if value > high { value - span } else { value })
    }
}
