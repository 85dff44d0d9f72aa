//! The view of the tree's abstraction between the blocks of a path.

use crate::predicate::precision::Precision;
use crate::predicate::vocabulary::Vocabulary;
use crate::select::view::View;
use hardbop_smt::{Symbol, Term};

/// The places in the precision after the blocks, with the predicates and live variables there.
pub(super) struct Cuts<'a> {
    pub places: Vec<Option<u32>>,
    pub live: Vec<Vec<Symbol>>,
    pub known: (&'a Vocabulary, &'a Precision),
}

impl View for Cuts<'_> {
    fn place(&self, cut: usize) -> Option<u32> {
        self.places[cut]
    }

    fn tracked(&self, cut: usize) -> Vec<Term> {
        let (vocabulary, precision) = self.known;
        let here = precision.get(self.places[cut].unwrap_or(u32::MAX));
        here.into_iter().map(|p| vocabulary.term(p)).collect()
    }

    fn is_of_program(&self) -> bool {
        true
    }

    fn live(&self, cut: usize) -> Vec<Symbol> {
        self.live[cut].clone()
    }
}
