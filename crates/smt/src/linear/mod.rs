//! Translates bit-vector formulas to linear arithmetic over unbounded integers, and back.
//!
//! Neither direction preserves the meaning, since integers do not wrap around.  The translation is
//! a source of predicates, which are evaluated bit-precisely, and of interpolants, which are
//! checked bit-precisely.

mod back;
pub mod solver;

use rustc_hash::FxHashMap;

use super::term::{BitOp, Comparison, Node, Sort, Term, Terms, UnaryOp};

/// How comparisons treat a variable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Usage {
    signed: bool,
    unsigned: bool,
}

/// The translation of some formulas.
#[derive(Debug, Default)]
pub struct Linear {
    /// The integers for leaves and for terms that are not linear.
    integers: FxHashMap<Term, Term>,
    /// The term that an integer, or an opaque formula, represents.
    origins: FxHashMap<Term, Term>,
    /// The bit-vectors and formulas that are not linear, in order of occurrence.
    abstracted: Vec<Term>,
    usage: FxHashMap<Term, Usage>,
    images: FxHashMap<Term, Term>,
}

impl Linear {
    /// Translates formulas together, so that equal parts become equal integers.  Boolean leaves are
    /// kept; bit-vector leaves become integers, and so do all terms that are not linear, without a
    /// constraint.
    pub fn translate(terms: &mut Terms, formulas: &[Term]) -> (Self, Vec<Term>) {
        let mut linear = Self::default();
        let order = terms.postorder(formulas, |_| false);
        linear.observe(terms, &order);
        for t in order {
            let image = linear.image(terms, t);
            linear.images.insert(t, image);
        }
        let images = formulas.iter().map(|f| linear.images[f]).collect();
        (linear, images)
    }

    /// Translates one more term, using what is known about its leaves.
    pub fn extend(&mut self, terms: &mut Terms, t: Term) -> Term {
        for t in terms.postorder(&[t], |t| self.images.contains_key(&t)) {
            let image = self.image(terms, t);
            self.images.insert(t, image);
        }
        self.images[&t]
    }

    /// Constraints that terms which are only compared as unsigned numbers are not negative.
    pub fn lower_bounds(&self, terms: &mut Terms) -> Vec<Term> {
        let mut unsigned: Vec<Term> = self
            .origins
            .iter()
            .filter(|&(_, &origin)| self.is_unsigned(origin))
            .map(|(&integer, _)| integer)
            .collect();
        unsigned.sort_unstable();
        let zero = terms.int(0);
        unsigned.into_iter().map(|x| terms.int_le(zero, x)).collect()
    }

    /// The terms that became integers, or Boolean variables, without a constraint.
    pub fn abstracted(&self) -> &[Term] {
        &self.abstracted
    }

    /// The bit-vector term that an integer leaf represents.
    pub fn origin(&self, integer: Term) -> Option<Term> {
        self.origins.get(&integer).copied()
    }

    /// A constraint on an integer leaf: the range of a bit-vector with its width and usage.
    pub fn range(&self, terms: &mut Terms, integer: Term) -> Term {
        let origin = self.origin(integer).filter(|_| terms.sort(integer) == Sort::Int);
        let Some(origin) = origin else { return terms.bool(true) };
        let (low, high) = self.bounds(terms, origin);
        let (low, high) = (terms.int(low), terms.int(high));
        let (above, below) = (terms.int_le(low, integer), terms.int_le(integer, high));
        terms.and(&[above, below])
    }

    fn bounds(&self, terms: &Terms, origin: Term) -> (i128, i128) {
        let width = terms.width(origin);
        if self.is_unsigned(origin) {
            (0, (1 << width) - 1)
        } else {
            (-(1 << (width - 1)), (1 << (width - 1)) - 1)
        }
    }

    /// Is the term only compared as an unsigned number?
    fn is_unsigned(&self, t: Term) -> bool {
        self.usage.get(&t) == Some(&Usage { signed: false, unsigned: true })
    }

    /// Finds out whether comparisons and extensions treat the terms as signed or unsigned, parents
    /// before children.
    fn observe(&mut self, terms: &Terms, order: &[Term]) {
        for &t in order.iter().rev() {
            let own = self.usage.get(&t).copied().unwrap_or_default();
            let child = match *terms.node(t) {
                Node::Compare(Comparison::ULt | Comparison::ULe, ..) | Node::ZeroExtend { .. } => {
                    Usage { unsigned: true, signed: false }
                }
                Node::Compare(..) | Node::SignExtend { .. } => {
                    Usage { signed: true, unsigned: false }
                }
                _ => own,
            };
            terms.for_each_child(t, |c| {
                if matches!(terms.sort(c), Sort::Bits(_)) && terms.as_bits(c).is_none() {
                    let usage = self.usage.entry(c).or_default();
                    usage.signed |= child.signed;
                    usage.unsigned |= child.unsigned;
                }
            });
            // Both sides of an equality are treated alike, as far as their usage is known so far.
            if let Node::Equal(a, b) = *terms.node(t)
                && matches!(terms.sort(a), Sort::Bits(_))
                && terms.as_bits(b).is_none()
            {
                for (x, y) in [(a, b), (b, a)] {
                    let other = self.usage.get(&y).copied().unwrap_or_default();
                    let usage = self.usage.entry(x).or_default();
                    usage.signed |= other.signed;
                    usage.unsigned |= other.unsigned;
                }
            }
        }
    }

    /// The translation of a term, after its children.
    fn image(&mut self, terms: &mut Terms, t: Term) -> Term {
        match terms.node(t).clone() {
            Node::Bits { .. } => self.constant(terms, t, false),
            Node::Variable(_) | Node::Instance(..) => match terms.sort(t) {
                Sort::Bits(_) => self.leaf(terms, t),
                _ => t,
            },
            Node::Compare(op, a, b) => {
                let unsigned = op == Comparison::ULt;
                let (a, b) = (self.operand(terms, a, unsigned), self.operand(terms, b, unsigned));
                terms.int_lt(a, b)
            }
            Node::Equal(a, b) if matches!(terms.sort(a), Sort::Bits(_)) => {
                let unsigned = self.is_unsigned(a);
                let (a, b) = (self.operand(terms, a, unsigned), self.operand(terms, b, unsigned));
                terms.equal(a, b)
            }
            Node::Ite(c, a, b) if matches!(terms.sort(t), Sort::Bits(_)) => {
                let (c, a, b) = (self.images[&c], self.images[&a], self.images[&b]);
                terms.ite(c, a, b)
            }
            Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => self.images[&term],
            Node::Unary(op, a) => {
                let negative = terms.int_scale(-1, self.images[&a]);
                match op {
                    UnaryOp::Negate => negative,
                    UnaryOp::Not => {
                        let one = terms.int(-1);
                        terms.int_add(&[negative, one])
                    }
                }
            }
            Node::Binary(op, a, b) => self.binary(terms, t, op, a, b),
            Node::Extract { .. } | Node::Concat(..) => self.opaque(terms, t),
            Node::Float(..) if terms.sort(t) == Sort::Bool => self.opaque_formula(terms, t),
            Node::Float(..) => self.opaque(terms, t),
            _ => {
                let images = &self.images;
                terms.rebuild(t, |c| images[&c])
            }
        }
    }

    fn binary(&mut self, terms: &mut Terms, t: Term, op: BitOp, a: Term, b: Term) -> Term {
        let (x, y) = (self.images[&a], self.images[&b]);
        match (op, terms.as_bits(b)) {
            (BitOp::Add, Some(_)) => {
                // Subtractions of small constants are written as additions of large ones.
                let y = self.constant(terms, b, false);
                terms.int_add(&[x, y])
            }
            (BitOp::Add, _) => terms.int_add(&[x, y]),
            (BitOp::Sub, _) => terms.int_sub(x, y),
            (BitOp::Mul, Some(_)) => {
                let factor = self.signed(terms, b);
                terms.int_scale(factor, x)
            }
            (BitOp::Shl, Some(k)) => terms.int_scale(1 << k.min(64), x),
            _ => self.opaque(terms, t),
        }
    }

    fn operand(&self, terms: &mut Terms, t: Term, unsigned: bool) -> Term {
        if terms.as_bits(t).is_some() { self.constant(terms, t, unsigned) } else { self.images[&t] }
    }

    fn signed(&self, terms: &Terms, t: Term) -> i128 {
        let (width, value) = (terms.width(t), i128::from(terms.as_bits(t).unwrap_or(0)));
        if value >> (width - 1) == 1 { value - (1 << width) } else { value }
    }

    fn constant(&self, terms: &mut Terms, t: Term, unsigned: bool) -> Term {
        let value = match terms.as_bits(t) {
            Some(value) if unsigned => i128::from(value),
            _ => self.signed(terms, t),
        };
        terms.int(value)
    }

    fn leaf(&mut self, terms: &mut Terms, t: Term) -> Term {
        let name = format!("int.{}", terms.display(t));
        let symbol = terms.own_symbol(&name, Sort::Int);
        let integer = terms.variable(symbol);
        self.integers.insert(t, integer);
        self.origins.insert(integer, t);
        integer
    }

    fn opaque_formula(&mut self, terms: &mut Terms, t: Term) -> Term {
        let symbol = terms.own_symbol(&format!("opaque.{}", t.index()), Sort::Bool);
        let variable = terms.variable(symbol);
        self.origins.insert(variable, t);
        self.abstracted.push(t);
        variable
    }

    fn opaque(&mut self, terms: &mut Terms, t: Term) -> Term {
        let symbol = terms.own_symbol(&format!("opaque.{}", t.index()), Sort::Int);
        let integer = terms.variable(symbol);
        self.integers.insert(t, integer);
        self.origins.insert(integer, t);
        self.abstracted.push(t);
        integer
    }
}
