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
use crate::execute::live::Live;
use crate::flow::FunctionId;
use hardbop_smt::Term;

/// The words of one state.
const MOST_WORDS: usize = 1 << 14;

/// The states and path conditions that are kept.
const MOST_KEPT: usize = 1 << 19;

/// Path conditions that are kept for one state.
const MOST_CONDITIONS: usize = 64;

/// After each choice of several ways, so many states are compared where edges meet, and where functions return.
const MOST_JOINS: u32 = 16;
const MOST_RETURNS: u32 = 16;

/// What stands for a term in the words of a state.
const TERM: u64 = 0x5445_524D;

/// What tells states apart: SHA-256 of their words, as nobody has ever found two that have the same.
type Digest = [u8; 32];

/// A state, as numbers and terms.
#[derive(Debug, Default)]
pub(in crate::execute) struct Image {
    words: Vec<u64>,
    terms: Vec<Term>,
    /// The bytes without values that are told, by where they are.
    unknown: FxHashMap<usize, u64>,
}

impl Image {
    /// Adds a number.
    pub fn add(&mut self, word: u64) {
        self.words.push(word);
    }

    /// Adds bytes.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let word =
            |chunk: &[u8]| chunk.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
        self.words.extend(bytes.chunks(8).map(word));
    }

    /// Adds a term.
    pub fn add_term(&mut self, term: Term) {
        self.words.extend([TERM, self.terms.len() as u64]);
        self.terms.push(term);
    }

    /// The number of what is at an address, and whether it is new.
    pub fn number(&mut self, address: usize) -> (u64, bool) {
        let next = self.unknown.len() as u64;
        let number = *self.unknown.entry(address).or_insert(next);
        (number, number == next)
    }

    /// How many numbers it is.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Whether it is too large to be kept.
    pub fn is_large(&self) -> bool {
        self.words.len() > MOST_WORDS
    }
}

/// What comes of comparing a state with those before.
#[derive(Debug)]
pub(in crate::execute) enum Comparison {
    /// It was reached before.
    Known,
    /// It was not, and is one of those now.
    New(Trail),
    /// It was not compared, or there was no room for it.
    None,
}

/// The states that executions have been in.
#[derive(Debug, Default)]
pub(in crate::execute) struct Reached {
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
        let Image { words, mut terms, unknown: _ } = image;
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
