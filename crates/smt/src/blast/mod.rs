//! Bit-blasting: bit-vector terms become circuits (and-inverter graphs), which SAT solvers can
//! decide.
//!
//! Equal terms share their circuits, and the graph simplifies across terms, so comparisons of a
//! value with many constants, as in state machines, become small.

pub mod elimination;
mod float;
mod format;
mod polynomial;
mod shared;

use rustc_hash::FxHashMap;

use self::polynomial::{Polynomial, Polynomials};
use super::term::{BitOp, Comparison, Node, Sort, Term, Terms, UnaryOp, Value};
use hardbop_logic::{Aig, Input, Lit};

/// A bit-vector as literals, lowest bit first; a Boolean is one literal.
type Bits = Box<[Lit]>;

/// The circuits of terms; all terms must belong to the same [`Terms`].
#[derive(Default)]
pub struct Blaster {
    aig: Aig,
    known: FxHashMap<Term, Bits>,
    polynomials: Polynomials,
    /// The circuits of the first sums and products, by their polynomials without constants, and those; and those of
    /// polynomials being zero.
    sums: FxHashMap<Polynomial, (Bits, u64)>,
    zeros: FxHashMap<Polynomial, Lit>,
}

impl Blaster {
    /// A blaster without circuits so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// The graph.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }

    /// The graph, to be extended.
    pub fn aig_mut(&mut self) -> &mut Aig {
        &mut self.aig
    }

    /// The circuit of a Boolean term.
    ///
    /// # Panics
    /// If it contains integers.
    pub fn literal(&mut self, terms: &Terms, term: Term) -> Lit {
        self.bits(terms, term)[0]
    }

    /// As [`Blaster::literal`], if the graph has no more nodes than `most` before the last term is added.
    ///
    /// # Panics
    /// If it contains integers.
    pub fn literal_within(&mut self, terms: &Terms, term: Term, most: usize) -> Option<Lit> {
        self.build_within(terms, term, most).then(|| self.known[&term][0])
    }

    /// The circuit of a bit-vector (or Boolean) term, lowest bit first.
    ///
    /// # Panics
    /// If it contains integers.
    pub fn bits(&mut self, terms: &Terms, term: Term) -> &[Lit] {
        self.build_within(terms, term, usize::MAX);
        &self.known[&term]
    }

    /// Makes the circuit of a term and of its parts, one after the other as long as the graph has no more nodes than `most`;
    /// whether all are made.
    fn build_within(&mut self, terms: &Terms, term: Term, most: usize) -> bool {
        if self.known.contains_key(&term) {
            return true;
        }
        let known = &self.known;
        for t in terms.postorder(&[term], |t| known.contains_key(&t)) {
            if self.aig.len() > most {
                return false;
            }
            let bits = self.shared(terms, t);
            self.known.insert(t, bits);
        }
        true
    }

    /// The value of a leaf, given values of the graph's inputs; bits that do not occur are 0.
    pub fn value(&self, terms: &Terms, leaf: Term, input: impl Fn(Input) -> bool) -> Value {
        let bit = |l: Lit| match self.aig.as_input(l) {
            Some(i) => input(i) != l.is_negated(),
            None => l == Lit::TRUE,
        };
        let bits = self.known.get(&leaf).map_or(&[][..], |b| b);
        match terms.sort(leaf) {
            Sort::Bool => Value::Bool(bits.first().is_some_and(|&l| bit(l))),
            _ => Value::Bits(bits.iter().rev().fold(0, |v, &l| v << 1 | u64::from(bit(l)))),
        }
    }

    fn of(&self, term: Term) -> &[Lit] {
        &self.known[&term]
    }

    fn build(&mut self, terms: &Terms, term: Term) -> Bits {
        match *terms.node(term) {
            Node::Bool(b) => [Lit::from(b)].into(),
            Node::Bits { width, value } => number(width, value),
            Node::Variable(_) | Node::Instance(..) => {
                let width = match terms.sort(term) {
                    Sort::Bool => 1,
                    Sort::Bits(width) => width,
                    Sort::Int => unreachable!("integers have no circuits"),
                };
                (0..width).map(|_| self.aig.new_input_lit()).collect()
            }
            Node::Not(a) => [!self.of(a)[0]].into(),
            Node::And(ref all) => {
                let all: Vec<Lit> = all.iter().map(|&a| self.of(a)[0]).collect();
                [self.aig.and_all(all)].into()
            }
            Node::Or(ref all) => {
                let all: Vec<Lit> = all.iter().map(|&a| self.of(a)[0]).collect();
                [self.aig.or_all(all)].into()
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.of(c)[0], self.copy(a), self.copy(b));
                self.select(c, &a, &b)
            }
            Node::Equal(a, b) => {
                let (a, b) = (self.copy(a), self.copy(b));
                let same: Vec<Lit> = a.iter().zip(&b).map(|(&a, &b)| self.aig.iff(a, b)).collect();
                [self.aig.and_all(same)].into()
            }
            Node::Unary(op, a) => {
                let a = self.copy(a);
                let not: Bits = a.iter().map(|&l| !l).collect();
                match op {
                    UnaryOp::Not => not,
                    UnaryOp::Negate => self.add(&zero(a.len()), &not, Lit::TRUE).0,
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.copy(a), self.copy(b));
                self.binary(op, &a, &b)
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (self.copy(a), self.copy(b));
                let less = match op {
                    Comparison::ULt => self.less(&a, &b),
                    Comparison::ULe => !self.less(&b, &a),
                    Comparison::SLt => self.less(&biased(&a), &biased(&b)),
                    Comparison::SLe => !self.less(&biased(&b), &biased(&a)),
                };
                [less].into()
            }
            Node::Float(op, ref operands) => {
                let operands: Vec<Bits> = operands.iter().map(|&t| self.copy(t)).collect();
                self.float(op, &operands)
            }
            Node::Extract { high, low, term } => self.of(term)[low as usize..=high as usize].into(),
            Node::ZeroExtend { to, term } => self.extend(to, term, |_| Lit::FALSE),
            Node::SignExtend { to, term } => self.extend(to, term, |top| top),
            Node::Concat(high, low) => self.of(low).iter().chain(self.of(high)).copied().collect(),
            Node::Int(_) | Node::IntAdd(_) | Node::IntScale(..) | Node::IntLe(..) => {
                unreachable!("integers have no circuits")
            }
        }
    }

    fn copy(&self, term: Term) -> Bits {
        self.of(term).into()
    }

    fn extend(&self, to: u32, term: Term, fill: impl Fn(Lit) -> Lit) -> Bits {
        let bits = self.of(term);
        let top = fill(bits[bits.len() - 1]);
        let missing = to as usize - bits.len();
        bits.iter().copied().chain(std::iter::repeat_n(top, missing)).collect()
    }

    fn select(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| self.aig.ite(c, a, b)).collect()
    }

    /// The sum and the carry.
    fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Bits, Lit) {
        let mut carry = carry;
        let sum = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| {
                let half = self.aig.xor(a, b);
                let sum = self.aig.xor(half, carry);
                carry = self.aig.ite(half, carry, a);
                sum
            })
            .collect();
        (sum, carry)
    }

    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let not: Bits = b.iter().map(|&l| !l).collect();
        self.add(a, &not, Lit::TRUE).0
    }

    /// The unsigned comparison `a < b`.
    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.aig.xor(a, b);
            less = self.aig.ite(differ, b, less);
        }
        less
    }

    fn binary(&mut self, op: BitOp, a: &[Lit], b: &[Lit]) -> Bits {
        match op {
            BitOp::Add => self.add(a, b, Lit::FALSE).0,
            BitOp::Sub => self.subtract(a, b),
            BitOp::Mul => self.multiply(a, b),
            BitOp::UDiv => self.divide(a, b).0,
            BitOp::URem => self.divide(a, b).1,
            BitOp::SDiv | BitOp::SRem => {
                let (negative_a, negative_b) = (a[a.len() - 1], b[b.len() - 1]);
                let (size_a, size_b) =
                    (self.negate_if(negative_a, a), self.negate_if(negative_b, b));
                let (quotient, remainder) = self.divide(&size_a, &size_b);
                if op == BitOp::SDiv {
                    let differ = self.aig.xor(negative_a, negative_b);
                    self.negate_if(differ, &quotient)
                } else {
                    self.negate_if(negative_a, &remainder)
                }
            }
            BitOp::And => a.iter().zip(b).map(|(&a, &b)| self.aig.and(a, b)).collect(),
            BitOp::Or => a.iter().zip(b).map(|(&a, &b)| self.aig.or(a, b)).collect(),
            BitOp::Xor => a.iter().zip(b).map(|(&a, &b)| self.aig.xor(a, b)).collect(),
            BitOp::Shl => {
                let reversed: Bits = a.iter().rev().copied().collect();
                let shifted = self.shift_right(&reversed, b, Lit::FALSE);
                shifted.iter().rev().copied().collect()
            }
            BitOp::LShr => self.shift_right(a, b, Lit::FALSE),
            BitOp::AShr => self.shift_right(a, b, a[a.len() - 1]),
        }
    }

    fn negate_if(&mut self, c: Lit, a: &[Lit]) -> Bits {
        let negated = self.subtract(&zero(a.len()), a);
        self.select(c, &negated, a)
    }

    /// The product of two numbers of equal width.  Where one of them is constant, rows are added
    /// and subtracted as its digits say, so that a run of ones costs two rows.
    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let n = a.len();
        if let Some(digits) = signed_digits(b) {
            return self.multiply_by_digits(a, &digits);
        }
        if let Some(digits) = signed_digits(a) {
            return self.multiply_by_digits(b, &digits);
        }
        let mut sum = zero(n);
        for (i, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let row: Bits = std::iter::repeat_n(Lit::FALSE, i)
                .chain(a[..n - i].iter().map(|&l| self.aig.and(l, bit)).collect::<Vec<_>>())
                .collect();
            sum = self.add(&sum, &row, Lit::FALSE).0;
        }
        sum
    }

    fn multiply_by_digits(&mut self, a: &[Lit], digits: &[Digit]) -> Bits {
        let n = a.len();
        let mut sum = zero(n);
        for (i, digit) in digits.iter().enumerate() {
            let row = || std::iter::repeat_n(Lit::FALSE, i).chain(a[..n - i].iter().copied());
            match digit {
                Digit::Zero => {}
                Digit::Plus => sum = self.add(&sum, &row().collect::<Bits>(), Lit::FALSE).0,
                Digit::Minus => sum = self.subtract(&sum, &row().collect::<Bits>()),
            }
        }
        sum
    }

    /// The unsigned quotient and remainder.  Division by zero gives all ones and the dividend, as
    /// in SMT-LIB; restoring division yields this without a special case.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let n = a.len();
        let mut remainder = vec![Lit::FALSE; n + 1];
        let divisor: Bits = b.iter().copied().chain([Lit::FALSE]).collect();
        let mut quotient = zero(n);
        for i in (0..n).rev() {
            remainder.pop();
            remainder.insert(0, a[i]);
            let fits = !self.less(&remainder, &divisor);
            let smaller = self.subtract(&remainder, &divisor);
            remainder = self.select(fits, &smaller, &remainder).into_vec();
            quotient[i] = fits;
        }
        remainder.pop();
        (quotient, remainder.into())
    }

    /// A shift right; shifts by at least the width fill all bits.
    fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Bits {
        let n = a.len();
        let mut value: Bits = a.into();
        let mut all = vec![];
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1_usize.checked_shl(stage as u32).filter(|&d| d < n);
            match distance {
                None => all.push(bit),
                Some(d) => {
                    let moved: Bits =
                        (0..n).map(|i| value.get(i + d).copied().unwrap_or(fill)).collect();
                    value = self.select(bit, &moved, &value);
                }
            }
        }
        let far = self.aig.or_all(all);
        self.select(far, &vec![fill; n], &value)
    }
}

/// A digit of a number in base 2 with signs.
enum Digit {
    Minus,
    Zero,
    Plus,
}

/// The non-adjacent form of a constant, least digit first: no two neighbours differ from zero,
/// and no other form has fewer such digits.  None unless all bits are constant.
fn signed_digits(bits: &[Lit]) -> Option<Vec<Digit>> {
    let ones: Vec<bool> =
        bits.iter().map(|&l| l.is_constant().then_some(l == Lit::TRUE)).collect::<Option<_>>()?;
    let mut carry = false;
    let digits = ones.iter().enumerate().map(|(i, &one)| {
        let next = ones.get(i + 1).copied().unwrap_or(false);
        if one == carry {
            return Digit::Zero;
        }
        carry = next;
        if next { Digit::Minus } else { Digit::Plus }
    });
    Some(digits.collect())
}

fn number(width: u32, value: u64) -> Bits {
    (0..width).map(|i| Lit::from(value >> i & 1 == 1)).collect()
}

fn zero(width: usize) -> Bits {
    vec![Lit::FALSE; width].into()
}

/// Flips the sign bit, so that the unsigned order of the results is the signed order of the
/// originals.
fn biased(bits: &[Lit]) -> Bits {
    let mut bits: Bits = bits.into();
    if let Some(top) = bits.last_mut() {
        *top = !*top;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_base::random::Random;

    /// Circuits agree with the evaluation of terms on random terms and values.
    #[test]
    fn circuits_are_the_terms() {
        let comparisons = [Comparison::ULt, Comparison::ULe, Comparison::SLt, Comparison::SLe];
        let mut random = Random::new(7);
        for width in [1, 2, 3, 8, 13, 32, 64] {
            let mut terms = Terms::new();
            let mut pool: Vec<Term> = ["x", "y", "z"]
                .into_iter()
                .map(|n| {
                    let s = terms.symbol(n, Sort::Bits(width));
                    terms.variable(s)
                })
                .collect();
            let leaves = pool.clone();
            for value in [0, 1, 5, u64::MAX, 1 << (width - 1)] {
                pool.push(terms.bits(width, value));
            }
            let mut roots = vec![];
            for &op in BitOp::ALL.iter().chain(&BitOp::ALL) {
                let mut pick = || pool[random.below(pool.len())];
                let (a, b) = (pick(), pick());
                let value = terms.binary(op, a, b);
                for c in comparisons {
                    roots.push(terms.compare(c, value, b));
                }
                let wide = terms.sign_extend((width + 3).min(64), value);
                let high = terms.width(wide) - 1;
                roots.push(wide);
                pool.push(terms.extract(high, high + 1 - width, wide));
                let negated = terms.unary(UnaryOp::Negate, a);
                let equal = terms.equal(negated, b);
                pool.push(terms.ite(equal, value, negated));
                pool.push(value);
            }
            roots.extend(&pool);
            let mut blaster = Blaster::new();
            let lits: Vec<Bits> = roots.iter().map(|&t| blaster.bits(&terms, t).into()).collect();
            for round in 0..50 {
                let values: Vec<u64> = leaves
                    .iter()
                    .map(|_| match round % 3 {
                        0 => random.below(4) as u64,
                        1 => random.bits(),
                        _ => u64::MAX - random.below(4) as u64,
                    })
                    .map(|v| if width == 64 { v } else { v & ((1 << width) - 1) })
                    .collect();
                let leaf =
                    |t: Term| leaves.iter().position(|&l| l == t).map(|i| Value::Bits(values[i]));
                let flat: Vec<Lit> = lits.iter().flatten().copied().collect();
                let mut at = FxHashMap::default();
                for (i, &l) in leaves.iter().enumerate() {
                    for (k, &bit) in blaster.bits(&terms, l).to_vec().iter().enumerate() {
                        let input = blaster.aig().as_input(bit).expect("a leaf has inputs");
                        at.insert(input.0, values[i] >> k & 1 == 1);
                    }
                }
                let bits = blaster.aig().evaluate(&flat, |i| at[&i.0]);
                let mut bits = bits.into_iter();
                for (&root, lits) in roots.iter().zip(&lits) {
                    let got = (0..lits.len())
                        .fold(0, |v, k| v | u64::from(bits.next().expect("one each")) << k);
                    let got = match terms.sort(root) {
                        Sort::Bool => Value::Bool(got == 1),
                        _ => Value::Bits(got),
                    };
                    let expected = terms.evaluate(root, &leaf);
                    assert_eq!(Some(got), expected, "{} {values:?}", terms.display(root));
                }
            }
        }
    }
}
