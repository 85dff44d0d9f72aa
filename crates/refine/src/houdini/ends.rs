//! Candidates about where texts end.
//!
//! Where a variable has the address at which a text ends ([`TEXT_END`]), a walk that is to stay in the text is not behind it.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::select::candidates::Candidates;
use hardbop_cfa::{Operation, TEXT_END};
use hardbop_smt::{BitOp, Comparison, Node, Symbol, Term, Terms};

/// The addresses of reads, with the variables that say where the texts end.
#[derive(Debug, Default)]
pub struct Ends {
    reads: IndexSet<(Term, Symbol), FxBuildHasher>,
}

impl Ends {
    pub fn new<'o>(terms: &Terms, operations: impl Iterator<Item = &'o Operation>) -> Self {
        let roots: Vec<Term> = operations.flat_map(Operation::terms).collect();
        let mut reads = IndexSet::default();
        for t in terms.postorder(&roots, |_| false) {
            let Node::Equal(a, b) = *terms.node(t) else { continue };
            for (address, end) in [(a, b), (b, a)] {
                if let Node::Variable(end) = *terms.node(end)
                    && terms.name(end).contains(TEXT_END)
                {
                    reads.insert((address, end));
                    // Where the walk may begin.
                    if let Node::Binary(BitOp::Add, a, b) = *terms.node(address) {
                        let constants = [a, b].into_iter().filter(|&t| terms.as_bits(t).is_some());
                        reads.extend(constants.map(|first| (first, end)));
                    }
                }
            }
        }
        Self { reads }
    }

    /// The candidates about these variables, in no particular order; each under guards, too.
    pub fn candidates(
        &self,
        terms: &mut Terms,
        live: &[Symbol],
        text: &Candidates,
        guards: &[Term],
    ) -> Vec<Term> {
        let is_live = |s: &Symbol| live.binary_search(s).is_ok();
        let mut found: IndexSet<Term, FxBuildHasher> = IndexSet::default();
        for &(address, end) in self.reads.iter().filter(|(_, end)| is_live(end)) {
            let last = terms.variable(end);
            let inner: Vec<Symbol> = variables(terms, address);
            if inner.iter().all(is_live) {
                found.insert(terms.compare(Comparison::ULe, address, last));
            }
            for &s in live.iter().filter(|&&s| s != end) {
                if terms.symbol_sort(s) == terms.symbol_sort(end)
                    && inner.iter().any(|&v| text.meet(v, s))
                {
                    let place = terms.variable(s);
                    found.insert(terms.compare(Comparison::ULe, place, last));
                }
            }
        }
        let found: Vec<Term> = found.into_iter().collect();
        let guarded: Vec<Term> = found
            .iter()
            .flat_map(|&order| guards.iter().map(move |&guard| (guard, order)))
            .map(|(guard, order)| terms.implies(guard, order))
            .collect();
        [found, guarded].concat()
    }
}

/// The variables of a term.
pub(super) fn variables(terms: &Terms, t: Term) -> Vec<Symbol> {
    let leaves = terms.support(t).into_iter();
    let variables = leaves.filter_map(|leaf| match *terms.node(leaf) {
        Node::Variable(s) => Some(s),
        _ => None,
    });
    variables.collect()
}
