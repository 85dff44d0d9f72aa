//! The states that executions have been in: what goes on from there is explored once (Anand, Păsăreanu, Visser, Symbolic
//! Execution with Abstract Subsumption Checking, SPIN 2006; Boonstoppel, Cadar, Engler, RWset, TACAS 2008, who leave out
//! what is not read any more).
//!
//! A state stands for one concrete state for each value of its inputs for which the path condition holds.  Only the conjuncts
//! that say something of inputs in the state count: as some inputs lead along each way, the others hold for some values of
//! theirs, whatever these inputs are.  So all states of one that is equal but for the names of inputs, and under the same
//! conjuncts and more, have been reached.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use sha2::{Digest as _, Sha256};

use super::inputs::Names;
use super::symbols::{Symbols, Trail};
use crate::execute::image::Image;
use crate::execute::live::Live;
use crate::flow::FunctionId;
use hardbop_smt::Term;

/// The states and path conditions that are kept.
const MOST_KEPT: usize = 1 << 19;

/// Path conditions that are kept for one state.
const MOST_CONDITIONS: usize = 64;

/// After each choice of several ways, so many states are compared where edges meet, and where functions return.
const MOST_JOINS: u32 = 16;
const MOST_RETURNS: u32 = 16;

/// What tells states apart: SHA-256 of their words, as nobody has ever found two that have the same.
type Digest = [u8; 32];

/// What comes of comparing a state with those before.
#[derive(Debug)]
pub enum Comparison {
    /// It was reached before.
    Known,
    /// It was not, and is one of those now.
    New(Trail),
    /// It was not compared, or there was no room for it.
    None,
}

/// The states that executions have been in.
#[derive(Debug, Default)]
pub struct Reached {
    live: FxHashMap<FunctionId, Rc<Live>>,
    /// For each state, the path conditions that it had.
    states: FxHashMap<Digest, Vec<FxHashSet<Term>>>,
    kept: usize,
    /// How many comparisons are left until the next choice, where edges meet, and where functions return.
    left: (u32, u32),
}

impl Reached {
    /// A choice of several ways was made: what comes next may be what came of another one.
    pub fn chose(&mut self) {
        self.left = (MOST_JOINS, MOST_RETURNS);
    }

    /// Whether a state is to be compared, where a function has returned or elsewhere.
    pub fn compares(&self, returned: bool) -> bool {
        if returned { self.left.1 > 0 } else { self.left.0 > 0 }
    }

    /// An execution begins, from where so many may be compared.
    pub fn begin(&mut self, left: (u32, u32)) {
        self.left = left;
    }

    /// One was.
    pub fn compared(&mut self, returned: bool) {
        let left = if returned { &mut self.left.1 } else { &mut self.left.0 };
        *left = left.saturating_sub(1);
    }

    /// The live variables of a function.
    pub fn live(&mut self, function: FunctionId, make: impl FnOnce() -> Live) -> Rc<Live> {
        self.live.entry(function).or_insert_with(|| Rc::new(make())).clone()
    }

    /// Whether all that the state may be was reached before; now it has been, unless there is no room for it.
    pub fn compare(&mut self, image: Image, symbols: Option<&mut Symbols>) -> Comparison {
        let (words, mut terms) = image.parts();
        let mut conditions = vec![];
        let mut trail = Trail::default();
        if let Some(symbols) = symbols {
            let mut names = Names::default();
            conditions = symbols.about(&terms);
            trail = symbols.trail(conditions.clone());
            for term in terms.iter_mut().chain(&mut conditions) {
                *term = names.rename(&mut symbols.terms, *term);
            }
        }
        let conditions: FxHashSet<Term> = conditions.into_iter().collect();
        let mut digest = Sha256::new();
        words.iter().for_each(|word| digest.update(word.to_le_bytes()));
        terms.iter().for_each(|term| digest.update(term.index().to_le_bytes()));
        let before = self.states.entry(digest.finalize().into()).or_default();
        if before.iter().any(|those| those.is_subset(&conditions)) {
            return Comparison::Known;
        }
        if self.kept >= MOST_KEPT || before.len() == MOST_CONDITIONS {
            return Comparison::None;
        }
        self.kept += 1 + conditions.len();
        before.push(conditions);
        trail.left = self.left;
        Comparison::New(trail)
    }
}
