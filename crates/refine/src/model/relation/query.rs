//! Abstract transition relations: which truth values can formulas have together?
//!
//! A block with predicates before and after it gives such a query: the literals are the predicates
//! over the instances before the block and over the values after it.  The query is answered from
//! the block's atoms, or, if these are too many, by the same all-SAT enumeration as for the
//! abstract successors of the reachability tree.

use super::atoms::{self, Failure};
use crate::limits::{self, Limits};
use crate::predicate::abstraction::{AbstractionError, Effort};
use crate::predicate::{Abstraction, Abstractor, BlockFormula, PredicateId, Vocabulary};
use hardbop_base::budget::Budget;
use hardbop_logic::bdd::Bdd;
use hardbop_smt::{Solvers, Sort, Symbol, Term, Terms};

/// A formula with the literals of interest.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The conjuncts, over instances.
    pub conjuncts: &'a [Term],
    /// The leading conjuncts as definitions, as in [`BlockFormula`].
    pub definitions: &'a [(Term, Term)],
    /// Boolean terms over instances.
    pub literals: &'a [Term],
}

/// Answers queries; variable i of its BDDs is literal i.
pub struct Relations {
    pub vocabulary: Vocabulary,
    /// One variable per literal, to represent it in enumerations.
    bits: Vec<Symbol>,
    solvers: Solvers,
    pub(super) limits: limits::Relation,
    /// The limits of enumerations.
    enumeration: limits::Abstraction,
    pub effort: Effort,
}

impl Relations {
    /// # Errors
    /// If there is no memory for BDDs.
    pub fn new(
        solvers: Solvers,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Self, AbstractionError> {
        let vocabulary = Vocabulary::new(budget)?;
        Ok(Self {
            vocabulary,
            bits: vec![],
            solvers,
            limits: limits.relation,
            enumeration: limits.abstraction,
            effort: Effort::default(),
        })
    }

    pub(super) fn reserve(
        &mut self,
        terms: &mut Terms,
        count: usize,
    ) -> Result<(), AbstractionError> {
        while self.bits.len() < count {
            let bit = terms.own_symbol(&format!("literal.{}", self.bits.len()), Sort::Bool);
            let variable = terms.variable(bit);
            self.vocabulary.add(terms, variable)?;
            self.bits.push(bit);
        }
        Ok(())
    }

    /// The valuations that models of the formula give to some of the literals, which are given by
    /// number and in order: ∃ instances: formula, and each literal has its value.
    ///
    /// # Errors
    /// If a solver fails or the budget runs out.
    pub fn models(
        &mut self,
        terms: &mut Terms,
        query: Query,
        asked: &[usize],
        budget: &Budget,
    ) -> Result<Bdd, AbstractionError> {
        match atoms::models(self, terms, query, asked, budget) {
            Ok(found) => Ok(found),
            Err(Failure::Error(e)) => Err(e),
            Err(Failure::Large) => self.enumerate(terms, query, asked, budget),
        }
    }

    /// Computes [`Relations::models`] by enumerating the models one by one.
    pub(super) fn enumerate(
        &mut self,
        terms: &mut Terms,
        query: Query,
        asked: &[usize],
        budget: &Budget,
    ) -> Result<Bdd, AbstractionError> {
        let Query { conjuncts, definitions, literals } = query;
        self.reserve(terms, literals.len())?;
        let mut post: Vec<(Symbol, Term)> =
            asked.iter().map(|&i| (self.bits[i], literals[i])).collect();
        post.sort_unstable_by_key(|&(s, _)| s);
        let block = BlockFormula { number: 0, conjuncts, definitions, post: &post };
        let precision: Vec<PredicateId> = asked.iter().map(|&i| PredicateId(i as u32)).collect();
        let any = terms.bool(true);
        let mut abstractor = Abstractor::new(self.solvers.clone(), Abstraction::Boolean)
            .with_limits(self.enumeration);
        let vocabulary = &mut self.vocabulary;
        let found = abstractor.successor(terms, vocabulary, any, &block, &precision, budget);
        self.effort += abstractor.effort();
        found
    }
}
