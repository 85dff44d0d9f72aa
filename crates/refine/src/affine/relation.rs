//! Affine relations as terms, with positive numbers only: `a + b == 3 * i + 1`.

use super::space::{Number, Relation};
use crate::limits;
use hardbop_smt::{BitOp, Sort, Symbol, Term, Terms};

/// A variable of a relation.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    pub symbol: Symbol,
    /// How it is converted to more bits.
    pub is_unsigned: bool,
}

/// The relation as a predicate; `None` if its numbers are large, or it says nothing.
pub fn term(
    terms: &mut Terms,
    relation: &Relation,
    variables: &[Variable],
    limits: limits::Affine,
) -> Option<Term> {
    let coefficients = integers(relation, limits)?;
    let used: Vec<(i64, Variable)> = coefficients[1..]
        .iter()
        .zip(variables)
        .filter(|&(&c, _)| c != 0)
        .map(|(&c, &v)| (c, v))
        .collect();
    let widths = used.iter().filter_map(|(_, v)| match terms.symbol_sort(v.symbol) {
        Sort::Bits(width) => Some(width),
        _ => None,
    });
    let width = widths.max()?;
    let modulo = relation.modulo.filter(|&bits| bits < width);
    let mut sides: [Option<Term>; 2] = [None, None];
    let add = |terms: &mut Terms, side: &mut Option<Term>, summand: Term| {
        *side = Some(match *side {
            Some(sum) => terms.binary(BitOp::Add, sum, summand),
            None => summand,
        });
    };
    for (c, variable) in used {
        let mut t = terms.variable(variable.symbol);
        t = match variable.is_unsigned {
            true => terms.zero_extend(width, t),
            false => terms.sign_extend(width, t),
        };
        let factor = terms.bits(width, c.unsigned_abs());
        let t = terms.binary(BitOp::Mul, factor, t);
        add(terms, &mut sides[usize::from(c < 0)], t);
    }
    let constant = coefficients[0];
    if constant != 0 {
        let t = terms.bits(width, constant.unsigned_abs());
        add(terms, &mut sides[usize::from(constant < 0)], t);
    }
    let mut both = sides.map(|side| side.unwrap_or_else(|| terms.bits(width, 0)));
    if let Some(bits) = modulo {
        both = both.map(|side| terms.extract(bits - 1, 0, side));
    }
    let t = terms.equal(both[0], both[1]);
    terms.value(t).is_none().then_some(t)
}

/// The coefficients as small integers, the first of a variable positive, after multiplication by an
/// odd number.
fn integers(relation: &Relation, limits: limits::Affine) -> Option<Vec<i64>> {
    let modulo = |n: Number| {
        let shift = 64 - relation.precision;
        ((n << shift) as i64) >> shift
    };
    let is_small = |&c: &i64| c.unsigned_abs() <= limits.coefficient;
    (1..=limits.coefficient).step_by(2).find_map(|factor| {
        let all = relation.coefficients.iter().map(|&c| modulo(c.wrapping_mul(factor)));
        let all: Vec<i64> = all.collect();
        if !all[1..].iter().all(is_small) {
            return None;
        }
        let is_negative = all[1..].iter().find(|&&c| c != 0)? < &0;
        Some(all.into_iter().map(|c| if is_negative { c.wrapping_neg() } else { c }).collect())
    })
}
