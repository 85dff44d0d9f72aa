//! States as formulas.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::machine::interval::{Interval, bits};
use super::machine::state::Cell;
use hardbop_smt::{BitOp, Comparison, Sort, Symbol, Term, Terms};

/// Variables that differ by known numbers: the classes, each with the difference from its first
/// variable.
fn equations(terms: &mut Terms, variables: &[(Symbol, Sort)], classes: &[(u32, i64)]) -> Vec<Term> {
    let mut first: IndexMap<u32, Symbol, FxBuildHasher> = IndexMap::default();
    let mut equations = vec![];
    for (&(symbol, sort), &(class, offset)) in variables.iter().zip(classes) {
        if class == 0 {
            continue;
        }
        let of = *first.entry(class).or_insert(symbol);
        if of != symbol && terms.symbol_sort(of) == sort {
            let (mut a, b) = (terms.variable(of), terms.variable(symbol));
            if let Sort::Bits(width) = sort {
                let offset = terms.bits(width, bits(width, offset));
                a = terms.binary(BitOp::Add, a, offset);
            }
            equations.push(terms.equal(a, b));
        }
    }
    equations
}

/// The variable's value is in one of the intervals.
fn within(terms: &mut Terms, (symbol, sort): (Symbol, Sort), intervals: &[Interval]) -> Term {
    let all = Interval::all(sort);
    let variable = terms.variable(symbol);
    let mut sorted = intervals.to_vec();
    sorted.sort_unstable();
    // Neighbours become one.
    let mut joined: Vec<Interval> = vec![];
    for i in sorted {
        match joined.last_mut() {
            Some(last) if i.low <= last.high.saturating_add(1) => last.high = last.high.max(i.high),
            _ => joined.push(i),
        }
    }
    let each: Vec<Term> = joined
        .into_iter()
        .map(|i| match (sort, i.only()) {
            _ if i == all => terms.bool(true),
            (Sort::Bits(width), Some(only)) => {
                let value = terms.bits(width, bits(width, only));
                terms.equal(variable, value)
            }
            (Sort::Bits(width), None) => {
                let [low, high] = [i.low, i.high].map(|n| terms.bits(width, bits(width, n)));
                let bounds = [
                    terms.compare(Comparison::SLe, low, variable),
                    terms.compare(Comparison::SLe, variable, high),
                ];
                terms.and(&bounds)
            }
            (_, Some(0)) => terms.not(variable),
            _ => variable,
        })
        .collect();
    terms.or(&each)
}

/// The formula of one state.
pub fn one(terms: &mut Terms, variables: &[(Symbol, Sort)], cells: &[Cell]) -> Term {
    any(terms, variables, &[cells.to_vec()])
}

/// The formula of several states, as a disjunction of products.
pub fn any(terms: &mut Terms, variables: &[(Symbol, Sort)], states: &[Vec<Cell>]) -> Term {
    /// The number of a set of intervals for each variable.
    type Product = Vec<u32>;
    let mut sets: IndexSet<Vec<Interval>, FxBuildHasher> = IndexSet::default();
    let mut by_classes: IndexMap<Vec<(u32, i64)>, Vec<Product>, FxBuildHasher> =
        IndexMap::default();
    for cells in states {
        let classes = cells.iter().map(|c| (c.unknown, c.offset)).collect();
        let product = cells.iter().map(|c| sets.insert_full(vec![c.interval]).0 as u32).collect();
        by_classes.entry(classes).or_default().push(product);
    }
    let mut each = vec![];
    for (classes, mut products) in by_classes {
        let equal = equations(terms, variables, &classes);
        for column in 0..variables.len() {
            // Merges products that differ in this column only; one with an equation says more than
            // its interval.
            if products.len() == 1 || classes[column].0 != 0 {
                continue;
            }
            let mut merged: IndexMap<Product, Vec<u32>, FxBuildHasher> = IndexMap::default();
            for mut product in products {
                let values = std::mem::take(&mut product[column]);
                merged.entry(product).or_default().push(values);
            }
            products = merged
                .into_iter()
                .map(|(mut product, values)| {
                    product[column] = match values[..] {
                        [only] => only,
                        _ => {
                            let each = values.iter().flat_map(|&n| &sets[n as usize]);
                            let mut all: Vec<Interval> = each.copied().collect();
                            all.sort_unstable();
                            sets.insert_full(all).0 as u32
                        }
                    };
                    product
                })
                .collect();
        }
        for product in products {
            let mut parts = equal.clone();
            for (&variable, &intervals) in variables.iter().zip(&product) {
                parts.push(within(terms, variable, &sets[intervals as usize]));
            }
            each.push(terms.and(&parts));
        }
    }
    terms.or(&each)
}
