//! Circuits that terms share although they are written in different ways, as polynomials that are the same.

use super::polynomial::Polynomial;
use super::{Bits, Blaster, number};
use crate::term::{Node, Sort, Term, Terms};
use hardbop_logic::Lit;

impl Blaster {
    /// The difference of the sides of an equation between numbers whose circuits are made.
    pub fn difference(&mut self, terms: &Terms, equation: Term) -> Option<Polynomial> {
        match *terms.node(equation) {
            Node::Equal(a, b) if matches!(terms.sort(a), Sort::Bits(_)) => {
                Some(self.polynomials.difference(terms, a, b))
            }
            _ => None,
        }
    }

    /// The circuit of a term whose parts have circuits: that of an equal polynomial, if there is
    /// one.
    pub(super) fn shared(&mut self, terms: &Terms, term: Term) -> Bits {
        match *terms.node(term) {
            Node::Equal(a, _) if !matches!(terms.sort(a), Sort::Bits(_)) => self.build(terms, term),
            Node::Equal(a, b) => {
                let difference = self.polynomials.difference(terms, a, b);
                if let Some(value) = difference.as_constant() {
                    return [Lit::from(value == 0)].into();
                }
                if difference.is_never_zero() {
                    return [Lit::FALSE].into();
                }
                let difference = difference.unsigned();
                if let Some(&known) = self.zeros.get(&difference) {
                    return [known].into();
                }
                let bits = self.build(terms, term);
                self.zeros.insert(difference, bits[0]);
                bits
            }
            Node::Unary(..) | Node::Binary(..) => {
                let polynomial = self.polynomials.of(terms, term);
                if let (Some(value), Sort::Bits(width)) =
                    (polynomial.as_constant(), terms.sort(term))
                {
                    return number(width, value);
                }
                if let Some(part) = polynomial.as_part() {
                    return if part == term { self.build(terms, term) } else { self.copy(part) };
                }
                let (sum, constant) = (*polynomial).clone().without_constant();
                let width = terms.width(term);
                let known = match sum.as_part() {
                    Some(part) => Some((self.copy(part), 0)),
                    None => self.sums.get(&sum).cloned(),
                };
                match known {
                    Some((known, own)) if own == constant => known,
                    // So that it is known where steps lead.
                    Some((known, own)) => {
                        let more = number(width, constant.wrapping_sub(own));
                        self.add(&known, &more, Lit::FALSE).0
                    }
                    None => {
                        let bits = self.build(terms, term);
                        self.sums.insert(sum, (bits.clone(), constant));
                        bits
                    }
                }
            }
            _ => self.build(terms, term),
        }
    }
}
