//! Normal forms of sums and products, by which equal numbers are known to be equal.
//!
//! A term of sums, differences and products is a polynomial over its other parts, with
//! coefficients modulo 2^width; polynomials that are equal, coefficient by coefficient, have equal
//! values.  The converse does not hold, as `x * (x + 1)` is even: nothing rests on it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::term::{BitOp, Node, Sort, Term, Terms, UnaryOp};

/// A longer sum is a part like others, as is a product of more factors.
const LONGEST: usize = 16;
const FACTORS: usize = 4;

/// The factors of a product, sorted; none for the number 1.
pub type Product = SmallVec<[Term; 1]>;

/// A sum of different products with coefficients other than 0, sorted by their factors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Polynomial {
    /// Bits, 1 to 64.
    width: u32,
    summands: SmallVec<[(Product, u64); 3]>,
}

impl Polynomial {
    fn constant(width: u32, value: u64) -> Self {
        Self { width, summands: smallvec![(Product::new(), value)] }.reduced()
    }

    fn part(width: u32, part: Term) -> Self {
        Self { width, summands: smallvec![(smallvec![part], 1)] }
    }

    /// The number that it is, whatever its parts are.
    pub fn as_constant(&self) -> Option<u64> {
        match &self.summands[..] {
            [] => Some(0),
            [(factors, value)] if factors.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// It without its constant, and that.
    pub fn without_constant(mut self) -> (Self, u64) {
        let constant = match self.summands.first() {
            Some((factors, value)) if factors.is_empty() => *value,
            _ => 0,
        };
        self.summands.retain(|(factors, _)| !factors.is_empty());
        (self, constant)
    }

    /// The part that it is.
    pub fn as_part(&self) -> Option<Term> {
        match &self.summands[..] {
            [(factors, 1)] if factors.len() == 1 => Some(factors[0]),
            _ => None,
        }
    }

    /// Is it zero for no values of its parts, since it is odd where the least coefficients are
    /// even?
    pub fn is_never_zero(&self) -> bool {
        let Some(((first, constant), others)) = self.summands.split_first() else { return false };
        let zeros = constant.trailing_zeros();
        first.is_empty() && others.iter().all(|(_, c)| c.trailing_zeros() > zeros)
    }

    /// Bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Has it so many summands that it should not get longer?
    pub fn is_long(&self) -> bool {
        self.summands.len() > LONGEST
    }

    /// The coefficient of a product; 0 if it does not occur.
    pub fn coefficient(&self, product: &Product) -> u64 {
        let found = self.summands.binary_search_by(|(p, _)| p.cmp(product));
        found.map_or(0, |i| self.summands[i].1)
    }

    /// The last product with an odd coefficient, and the inverse of that: where the polynomial is
    /// zero, the others say what this product is.
    pub fn solvable(&self) -> Option<(Product, u64)> {
        let is_odd = |(p, c): &&(Product, u64)| !p.is_empty() && c % 2 == 1;
        let (product, odd) = self.summands.iter().rfind(is_odd)?;
        // Newton's iteration: each round doubles the bits that are right, of which there are three
        // at the start.
        let inverse =
            (0..5).fold(*odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))));
        Some((product.clone(), inverse))
    }

    /// It or its opposite, the same one for both: they are zero together.
    pub fn unsigned(self) -> Self {
        let half = 1 << (self.width - 1);
        match self.summands.iter().rfind(|(_, c)| *c != half) {
            Some(&(_, c)) if c > half => self.times(1_u64.wrapping_neg()),
            _ => self,
        }
    }

    /// Coefficients below 2^width, other than 0.
    fn reduced(mut self) -> Self {
        let mask = u64::MAX >> (64 - self.width);
        self.summands.iter_mut().for_each(|(_, c)| *c &= mask);
        self.summands.retain(|(_, c)| *c != 0);
        self
    }

    fn times(mut self, factor: u64) -> Self {
        self.summands.iter_mut().for_each(|(_, c)| *c = c.wrapping_mul(factor));
        self.reduced()
    }

    /// The sum with a multiple of another one.
    pub fn plus(&self, factor: u64, other: &Self) -> Self {
        let mut all: SmallVec<[(Product, u64); 3]> = SmallVec::new();
        let (mut a, mut b) = (self.summands.iter().peekable(), other.summands.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((x, _)), Some((y, _))) => x.cmp(y),
            };
            let left = if order.is_le() { a.next() } else { None };
            let right = if order.is_ge() { b.next() } else { None };
            let own = left.map_or(0, |(_, c)| *c);
            let added = right.map_or(0, |(_, c)| c.wrapping_mul(factor));
            if let Some((product, _)) = left.or(right) {
                all.push((product.clone(), own.wrapping_add(added)));
            }
        }
        Self { width: self.width, summands: all }.reduced()
    }

    /// The product, unless it is long.
    fn product(&self, other: &Self) -> Option<Self> {
        if self.summands.len() * other.summands.len() > LONGEST {
            return None;
        }
        let mut sum = Self::constant(self.width, 0);
        for (factors, a) in &self.summands {
            let mut row = other.clone();
            for (product, b) in &mut row.summands {
                product.extend(factors.iter().copied());
                product.sort_unstable();
                *b = b.wrapping_mul(*a);
                if product.len() > FACTORS {
                    return None;
                }
            }
            row.summands.sort_unstable();
            sum = sum.plus(1, &row);
        }
        Some(sum)
    }
}

/// The polynomials of terms.
#[derive(Default)]
pub struct Polynomials {
    known: FxHashMap<Term, Rc<Polynomial>>,
}

impl Polynomials {
    /// The polynomial of a bit-vector whose operands have been asked for before, if they are sums
    /// or products.
    pub fn of(&mut self, terms: &Terms, t: Term) -> Rc<Polynomial> {
        if let Some(known) = self.known.get(&t) {
            return Rc::clone(known);
        }
        let Sort::Bits(width) = terms.sort(t) else { unreachable!("it is a bit-vector") };
        let read = self.read(terms, t, width).filter(|p| !p.is_long());
        let Some(polynomial) = read else { return Polynomial::part(width, t).into() };
        let polynomial = Rc::new(polynomial);
        self.known.insert(t, Rc::clone(&polynomial));
        polynomial
    }

    /// The difference of two bit-vectors, likewise.
    pub fn difference(&mut self, terms: &Terms, a: Term, b: Term) -> Polynomial {
        self.of(terms, a).plus(1_u64.wrapping_neg(), &self.of(terms, b))
    }

    fn read(&self, terms: &Terms, t: Term, width: u32) -> Option<Polynomial> {
        let of = |t: Term| match (self.known.get(&t), terms.node(t)) {
            (Some(known), _) => Rc::clone(known),
            (None, &Node::Bits { value, .. }) => Polynomial::constant(width, value).into(),
            (None, _) => Polynomial::part(width, t).into(),
        };
        let minus = 1_u64.wrapping_neg();
        match *terms.node(t) {
            Node::Bits { value, .. } => Some(Polynomial::constant(width, value)),
            Node::Unary(UnaryOp::Negate, a) => Some((*of(a)).clone().times(minus)),
            Node::Unary(UnaryOp::Not, a) => {
                Some(Polynomial::constant(width, minus).plus(minus, &of(a)))
            }
            Node::Binary(BitOp::Add, a, b) => Some(of(a).plus(1, &of(b))),
            Node::Binary(BitOp::Sub, a, b) => Some(of(a).plus(minus, &of(b))),
            Node::Binary(BitOp::Mul, a, b) => of(a).product(&of(b)),
            Node::Binary(BitOp::Shl, a, b) => match of(b).as_constant() {
                Some(by) if by < u64::from(width) => Some((*of(a)).clone().times(1 << by)),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Value;
    use hardbop_base::random::Random;

    /// Terms with the same polynomial have the same values; what is never zero is not.
    #[test]
    fn equal_polynomials_have_equal_values() {
        let mut random = Random::new(11);
        let mut merged = 0;
        for width in [1, 3, 8, 64].repeat(8) {
            let mut terms = Terms::new();
            let leaves: Vec<Term> = ["x", "y"]
                .into_iter()
                .map(|name| terms.symbol(name, Sort::Bits(width)))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|s| terms.variable(s))
                .collect();
            let mut pool = leaves.clone();
            for value in [1, 2, 3, u64::MAX] {
                pool.push(terms.bits(width, value));
            }
            let mut polynomials = Polynomials::default();
            let operators = [BitOp::Add, BitOp::Sub, BitOp::Mul, BitOp::Shl, BitOp::And];
            for _ in 0..60 {
                let a = pool[random.below(pool.len())];
                let b = pool[random.below(pool.len())];
                let made = match random.below(7) {
                    5 => terms.unary(UnaryOp::Negate, a),
                    6 => terms.unary(UnaryOp::Not, a),
                    op => terms.binary(operators[op], a, b),
                };
                pool.push(made);
            }
            for &root in &pool {
                for t in terms.postorder(&[root], |_| false) {
                    polynomials.of(&terms, t);
                }
            }
            for _ in 0..4 {
                let values: Vec<u64> =
                    (0..2).map(|_| random.bits() & (u64::MAX >> (64 - width))).collect();
                let leaf =
                    |t: Term| leaves.iter().position(|&l| l == t).map(|i| Value::Bits(values[i]));
                for &a in &pool {
                    for &b in &pool {
                        let value = |t| terms.evaluate(t, &leaf);
                        let difference = polynomials.difference(&terms, a, b);
                        if difference.as_constant() == Some(0) {
                            merged += usize::from(a != b);
                            assert_eq!(value(a), value(b), "{}", terms.display(a));
                        } else if difference.is_never_zero() {
                            assert_ne!(value(a), value(b), "{}", terms.display(a));
                        }
                        let other = polynomials.difference(&terms, b, a);
                        assert_eq!(difference.unsigned(), other.unsigned());
                    }
                }
            }
        }
        assert!(merged > 500, "{merged}");
    }
}
