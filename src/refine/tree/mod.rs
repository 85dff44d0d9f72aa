//! Reachability by predicate abstraction: the abstract reachability tree (ART), lazy abstraction, and
//! counterexample-guided refinement (Beyer et al., "Software Model Checking via Large-Block
//! Encoding", Sect. II-C).
//!
//! [`check`] explores the tree depth-first.  A path to the error location is checked bit by bit; if it
//! is infeasible, interpolants give predicates for the locations on it, and the tree is explored anew
//! from the first location that got one.  If it is feasible, the caller decides what to believe: the
//! automaton may be coarser than the program.

pub mod candidates;
pub mod cegar;
mod dot;
pub mod explicit;
mod finding;
pub mod invariant;
pub mod live;
pub mod nodes;
pub mod options;
pub mod path;
pub mod refine;
pub mod select;
mod view;

pub use cegar::{CpaError, Finding, check};
pub use invariant::Invariant;
pub use options::{Blocks, Options, Refinement, Statistics};
pub use path::ErrorPath;

use crate::program::cfa::encode::{Relation, encode};
use crate::program::cfa::live::Liveness;
use crate::program::cfa::summarise::{Summary, single_blocks, summarise};
use crate::program::cfa::{Automaton, Location};
use crate::refine::predicate::BlockFormula;
use crate::solve::smt::Terms;

/// An automaton with its blocks, and their formulas once they have been asked for.
pub struct Problem<'a> {
    pub automaton: &'a Automaton,
    pub summary: Summary,
    relations: Vec<Option<Relation>>,
    live: Option<Liveness>,
    frames: Vec<u32>,
}

impl<'a> Problem<'a> {
    /// Divides the automaton into blocks.
    pub fn new(automaton: &'a Automaton, blocks: Blocks) -> Self {
        let summary = match blocks {
            Blocks::Single => single_blocks(automaton),
            Blocks::Large => summarise(automaton),
        };
        Self::with(automaton, summary, None)
    }

    /// The automaton with these blocks and live variables.
    pub fn with_blocks(automaton: &'a Automaton, summary: Summary, live: Liveness) -> Self {
        Self::with(automaton, summary, Some(live))
    }

    fn with(automaton: &'a Automaton, summary: Summary, live: Option<Liveness>) -> Self {
        let relations = vec![None; summary.blocks.len()];
        let mut frames = vec![0; automaton.locations as usize];
        automaton.edges.iter().for_each(|e| frames[e.source.index()] = e.frame);
        Self { automaton, summary, relations, live, frames }
    }

    /// The formula of a block.
    pub fn relation(&mut self, terms: &mut Terms, block: usize) -> &Relation {
        let place = &mut self.relations[block];
        let live = self.live.get_or_insert_with(|| Liveness::new(terms, self.automaton));
        place
            .get_or_insert_with(|| encode(terms, self.automaton, live, &self.summary.blocks[block]))
    }

    /// The same for the abstraction.
    fn formula(&mut self, terms: &mut Terms, block: usize) -> BlockFormula<'_> {
        let relation = self.relation(terms, block);
        BlockFormula {
            number: block,
            conjuncts: &relation.conjuncts,
            definitions: &relation.definitions,
            post: &relation.post,
        }
    }

    /// The activation in which a location is.
    pub fn frame(&self, location: Location) -> u32 {
        self.frames[location.index()]
    }

    /// Where a block leads.
    pub fn target(&self, block: usize) -> Location {
        self.summary.blocks[block].target
    }
}
