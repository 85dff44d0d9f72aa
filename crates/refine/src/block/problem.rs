//! An automaton with its blocks and their formulas: what abstraction and refinement work on.

use std::sync::Arc;

use super::operator::BlockOperator;
use crate::predicate::block::BlockFormula;
use hardbop_cfa::encode::{Relation, encode};
use hardbop_cfa::live::Liveness;
use hardbop_cfa::summarise::Summary;
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::Terms;

/// An automaton with its blocks, and with their formulas, which are computed on demand.
pub struct Problem {
    pub automaton: Arc<Automaton>,
    pub summary: Summary,
    relations: Vec<Option<Relation>>,
    live: Option<Liveness>,
    frames: Vec<u32>,
}

impl Problem {
    /// Divides the automaton into blocks.
    pub fn new(automaton: impl Into<Arc<Automaton>>, operator: impl BlockOperator) -> Self {
        let automaton = automaton.into();
        let summary = operator.divide(&automaton);
        Self::with(automaton, summary, None)
    }

    /// The automaton with these blocks and live variables.
    pub fn with_blocks(automaton: Arc<Automaton>, summary: Summary, live: Liveness) -> Self {
        Self::with(automaton, summary, Some(live))
    }

    fn with(automaton: Arc<Automaton>, summary: Summary, live: Option<Liveness>) -> Self {
        let relations = vec![None; summary.blocks.len()];
        let mut frames = vec![0; automaton.locations as usize];
        automaton.edges.iter().for_each(|e| frames[e.source.index()] = e.frame);
        Self { automaton, summary, relations, live, frames }
    }

    /// The variables that are live at locations.
    pub fn live(&mut self, terms: &Terms) -> &Liveness {
        self.live.get_or_insert_with(|| Liveness::new(terms, &self.automaton))
    }

    /// The formula of a block: the transition relation of all paths through it.
    pub fn relation(&mut self, terms: &mut Terms, block: usize) -> &Relation {
        let place = &mut self.relations[block];
        let live = self.live.get_or_insert_with(|| Liveness::new(terms, &self.automaton));
        place.get_or_insert_with(|| {
            encode(terms, &self.automaton, live, &self.summary.blocks[block])
        })
    }

    /// The formula of a block as predicate abstraction reads it.
    pub fn formula(&mut self, terms: &mut Terms, block: usize) -> BlockFormula<'_> {
        let relation = self.relation(terms, block);
        BlockFormula {
            number: block,
            conjuncts: &relation.conjuncts,
            definitions: &relation.definitions,
            post: &relation.post,
        }
    }

    /// The activation to which a location belongs.
    pub fn frame(&self, location: Location) -> u32 {
        self.frames[location.index()]
    }

    /// The location to which a block leads.
    pub fn target(&self, block: usize) -> Location {
        self.summary.blocks[block].target
    }
}
