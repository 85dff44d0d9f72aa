//! Candidates about arrays of which each element is a variable.
//!
//! A read of such an array is a choice between its elements, by the value of the index.  Where
//! `while (a[i]) i++` is to stay within `a`, some element from `i` on has to be 0: an array that
//! ends, as a text does.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::ends::variables;
use crate::select::candidates::Candidates;
use hardbop_cfa::Operation;
use hardbop_smt::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms};

/// The elements of an array, each with the value of the index that chooses it.
type Elements = Vec<(u64, Symbol)>;

/// The arrays of a program, with the indices of reads.
#[derive(Debug, Default)]
pub struct Arrays {
    reads: IndexMap<Elements, IndexSet<Term, FxBuildHasher>, FxBuildHasher>,
    elements: FxHashSet<Symbol>,
}

impl Arrays {
    pub fn new<'o>(terms: &mut Terms, operations: impl Iterator<Item = &'o Operation>) -> Self {
        let roots: Vec<Term> = operations.flat_map(Operation::terms).collect();
        let mut found = Self::default();
        let all = terms.postorder(&roots, |_| false);
        // A choice within another one is a part of it.
        let mut inner: FxHashSet<Term> = FxHashSet::default();
        for &t in &all {
            if let Node::Ite(_, _, rest) = *terms.node(t) {
                inner.insert(rest);
            }
        }
        for t in all.into_iter().filter(|t| !inner.contains(t)) {
            if let Some((index, elements)) = read(terms, t) {
                found.elements.extend(elements.iter().map(|&(_, s)| s));
                found.reads.entry(elements).or_default().insert(index);
            }
        }
        found
    }

    /// Whether a variable is an element of an array.
    pub fn contains(&self, symbol: Symbol) -> bool {
        self.elements.contains(&symbol)
    }

    /// The candidates about these variables, in no particular order; some of them under guards, too.
    pub fn candidates(
        &self,
        terms: &mut Terms,
        live: &[Symbol],
        text: &Candidates,
        guards: &[Term],
    ) -> Vec<Term> {
        let is_live = |s: &Symbol| live.binary_search(s).is_ok();
        let mut found = vec![];
        for (elements, reads) in &self.reads {
            if !elements.iter().all(|(_, s)| is_live(s)) {
                continue;
            }
            let mut indices: IndexSet<Term, FxBuildHasher> = IndexSet::default();
            for &index in reads {
                let (variables, width) = (variables(terms, index), terms.width(index));
                if variables.iter().all(is_live) {
                    indices.insert(index);
                }
                indices.insert(terms.bits(width, elements[0].0));
                for &s in live.iter().filter(|&&s| !self.contains(s)) {
                    if terms.symbol_sort(s) == Sort::Bits(width)
                        && variables.iter().any(|&v| text.meet(v, s))
                    {
                        indices.insert(terms.variable(s));
                    }
                }
            }
            for index in indices {
                let ends = ends(terms, index, elements);
                found.push(ends);
                found.extend(guards.iter().map(|&guard| terms.implies(guard, ends)));
            }
            for c in text.values(elements[0].1).into_iter().chain([0]) {
                found.extend(uniform(terms, elements, c));
            }
        }
        found
    }
}

/// Some element from an index on is 0.
fn ends(terms: &mut Terms, index: Term, elements: &Elements) -> Term {
    let mut all = vec![];
    for &(key, symbol) in elements {
        let from = distance(terms, index, elements[0].0);
        let last = terms.bits(terms.width(index), key.wrapping_sub(elements[0].0));
        let is_behind = terms.compare(Comparison::ULe, from, last);
        let element = terms.variable(symbol);
        let zero = terms.bits(terms.width(element), 0);
        let is_zero = terms.equal(element, zero);
        all.push(terms.and(&[is_behind, is_zero]));
    }
    terms.or(&all)
}

fn distance(terms: &mut Terms, index: Term, first: u64) -> Term {
    let first = terms.bits(terms.width(index), first);
    terms.binary(BitOp::Sub, index, first)
}

/// All elements are related to a number in the same way.
fn uniform(terms: &mut Terms, elements: &Elements, number: u64) -> Vec<Term> {
    let variables: Vec<Term> = elements.iter().map(|&(_, s)| terms.variable(s)).collect();
    let number = terms.bits(terms.width(variables[0]), number);
    let mut all = vec![variables.iter().map(|&x| terms.equal(x, number)).collect::<Vec<_>>()];
    for order in [Comparison::SLt, Comparison::SLe] {
        all.push(variables.iter().map(|&x| terms.compare(order, x, number)).collect());
        all.push(variables.iter().map(|&x| terms.compare(order, number, x)).collect());
    }
    all.iter().map(|all| terms.and(all)).collect()
}

/// The index and the elements of a choice between elements, in their order.
fn read(terms: &Terms, t: Term) -> Option<(Term, Elements)> {
    let (mut at, mut index) = (t, None);
    let mut elements: Elements = vec![];
    while let Node::Ite(condition, then, rest) = *terms.node(at) {
        let Node::Equal(a, b) = *terms.node(condition) else { break };
        let (i, key) = match (terms.as_bits(a), terms.as_bits(b)) {
            (None, Some(key)) => (a, key),
            (Some(key), None) => (b, key),
            _ => break,
        };
        let Node::Variable(symbol) = *terms.node(then) else { break };
        if *index.get_or_insert(i) != i {
            break;
        }
        if elements.last() != Some(&(key, symbol)) {
            elements.push((key, symbol));
        }
        at = rest;
    }
    let [.., (before, _), (last, symbol)] = elements[..] else { return None };
    let width = terms.width(index?);
    let step = last.wrapping_sub(before) & (u64::MAX >> (64 - width));
    // The last one needs no condition.
    if let Node::Variable(rest) = *terms.node(at)
        && terms.symbol_sort(rest) == terms.symbol_sort(symbol)
        && elements.iter().all(|&(_, s)| s != rest)
    {
        elements.push((last.wrapping_add(step) & (u64::MAX >> (64 - width)), rest));
    }
    let is_even = elements.windows(2).all(|pair| {
        let step = pair[1].0.wrapping_sub(pair[0].0) & (u64::MAX >> (64 - width));
        step == elements[1].0.wrapping_sub(elements[0].0) & (u64::MAX >> (64 - width))
    });
    let sort = terms.symbol_sort(symbol);
    let is_one = elements.iter().all(|&(_, s)| terms.symbol_sort(s) == sort);
    let is_of_bits = matches!(sort, Sort::Bits(_));
    (step != 0 && is_even && is_one && is_of_bits).then_some((index?, elements))
}
