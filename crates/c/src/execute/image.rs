//! States of executions as numbers and terms, to be compared with others.

use rustc_hash::FxHashMap;

use hardbop_smt::Term;

/// The words of one state.
const MOST_WORDS: usize = 1 << 14;

/// What stands for a term in the words of a state.
const TERM: u64 = 0x5445_524D;

/// A state, as numbers and terms.
#[derive(Debug, Default)]
pub struct Image {
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

    /// Adds which bytes without values these are: numbers in the order in which they come.
    pub fn add_bytes_at(&mut self, address: usize) {
        let next = self.unknown.len() as u64;
        let number = *self.unknown.entry(address).or_insert(next);
        self.add(number);
    }

    /// How many numbers it is.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Whether it is too large to be kept.
    pub fn is_large(&self) -> bool {
        self.words.len() > MOST_WORDS
    }

    /// Its numbers and terms.
    pub fn parts(self) -> (Vec<u64>, Vec<Term>) {
        (self.words, self.terms)
    }
}
