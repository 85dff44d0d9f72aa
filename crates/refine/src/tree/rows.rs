//! Rows of values of tracked terms, as formulas.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use hardbop_smt::{Comparison, Sort, Term, Terms, Value};

/// The values of the tracked terms, in their order.
pub(super) type Row = Vec<Value>;

/// The formula that all terms have their given values.
pub(super) fn equal(terms: &mut Terms, all: &[Term], values: &[Value]) -> Term {
    let equations: Vec<Term> = all
        .iter()
        .zip(values)
        .map(|(&t, &value)| {
            let value = terms.constant(value, terms.sort(t));
            terms.equal(t, value)
        })
        .collect();
    terms.and(&equations)
}

/// The terms have the values of one of the rows, as a disjunction of products.
pub(super) fn union<'a>(
    terms: &mut Terms,
    all: &[Term],
    rows: impl Iterator<Item = &'a Row>,
) -> Term {
    let mut products: Vec<Vec<Vec<Value>>> =
        rows.map(|row| row.iter().map(|&v| vec![v]).collect()).collect();
    for column in 0..all.len() {
        // Merges products that differ in this column only.
        let mut merged: IndexMap<Vec<Vec<Value>>, Vec<Value>, FxBuildHasher> = IndexMap::default();
        for mut product in products {
            let values = std::mem::take(&mut product[column]);
            merged.entry(product).or_default().extend(values);
        }
        products = merged
            .into_iter()
            .map(|(mut product, values)| {
                product[column] = values;
                product
            })
            .collect();
    }
    let each: Vec<Term> = products
        .iter()
        .map(|product| {
            let parts: Vec<Term> =
                all.iter().zip(product).map(|(&t, values)| one_of(terms, t, values)).collect();
            terms.and(&parts)
        })
        .collect();
    terms.or(&each)
}

/// The term has one of the values.
fn one_of(terms: &mut Terms, t: Term, values: &[Value]) -> Term {
    if terms.sort(t) == Sort::Bool && values.len() == 2 {
        return terms.bool(true);
    }
    let Sort::Bits(width) = terms.sort(t) else {
        let each: Vec<Term> = values.iter().map(|&v| equal(terms, &[t], &[v])).collect();
        return terms.or(&each);
    };
    let shift = 64 - width;
    let mut numbers: Vec<i64> = values
        .iter()
        .filter_map(|v| match v {
            Value::Bits(b) => Some(((b << shift) as i64) >> shift),
            _ => None,
        })
        .collect();
    numbers.sort_unstable();
    let mut parts = vec![];
    for run in numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        let [low, high] = [run[0], run[run.len() - 1]].map(|n| terms.bits(width, n as u64));
        if run.len() > 2 {
            let (from, to) =
                (terms.compare(Comparison::SLe, low, t), terms.compare(Comparison::SLe, t, high));
            parts.push(terms.and(&[from, to]));
        } else {
            parts.push(terms.equal(t, low));
            parts.push(terms.equal(t, high));
        }
    }
    terms.or(&parts)
}
