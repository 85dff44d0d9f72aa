//! What equations imply, by elimination: from `a == 2 * i` and `b == 3 * i` follows
//! `3 * a == 2 * b`, which takes a solver that sees only bits as long as a multiplication.
//!
//! The products of polynomials count as unknowns, so that equations are linear; one is solved for
//! an unknown whose coefficient is odd, which has an inverse modulo 2^width (Müller-Olm and Seidl,
//! "Analysis of Modular Arithmetic", TOPLAS 2007).

use super::polynomial::{Polynomial, Product};

/// More equations than this are not looked at.
pub const MOST: usize = 32;

/// Equations `polynomial == 0` that are solved for an unknown each.
#[derive(Default)]
pub struct Equations {
    rows: Vec<Row>,
}

/// A consequence of equations.
struct Row {
    polynomial: Polynomial,
    /// The unknown, and the inverse of its coefficient.
    pivot: (Product, u64),
    from: Facts,
}

/// A set of numbers below [`MOST`], as bits.
pub type Facts = u32;

/// What equations say of a polynomial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// It is zero, by these.
    Zero(Facts),
    /// It is not zero, by these.
    NonZero(Facts),
    Nothing,
}

impl Equations {
    /// Adds the equation with this number; what the equations before it say of it already.
    ///
    /// # Panics
    /// If the number is not below [`MOST`].
    pub fn add(&mut self, number: usize, polynomial: &Polynomial) -> Said {
        assert!(number < MOST, "facts are bits");
        let Some((rest, from)) = self.rest(polynomial) else { return Said::Nothing };
        let from = from | 1 << number;
        if rest.is_never_zero() {
            return Said::NonZero(from);
        }
        if let Some(pivot) = rest.solvable() {
            self.rows.push(Row { polynomial: rest, pivot, from });
        }
        Said::Nothing
    }

    /// What the equations say.
    pub fn say(&self, polynomial: &Polynomial) -> Said {
        match self.rest(polynomial) {
            Some((rest, from)) if rest.as_constant() == Some(0) => Said::Zero(from),
            Some((rest, from)) if rest.is_never_zero() => Said::NonZero(from),
            _ => Said::Nothing,
        }
    }

    /// The polynomial without the unknowns that are solved for; `None` if it gets long.
    fn rest(&self, polynomial: &Polynomial) -> Option<(Polynomial, Facts)> {
        let mut rest = polynomial.clone();
        let mut from = 0;
        // A row has no unknown of the rows before it.
        for row in &self.rows {
            let (unknown, inverse) = &row.pivot;
            let factor = rest.coefficient(unknown).wrapping_mul(*inverse).wrapping_neg();
            if factor != 0 && row.polynomial.width() == rest.width() {
                rest = rest.plus(factor, &row.polynomial);
                from |= row.from;
                if rest.is_long() {
                    return None;
                }
            }
        }
        Some((rest, from))
    }
}
