//! Random inputs.

use std::collections::VecDeque;
use std::sync::Arc;

use super::source::Oracle;
use crate::arguments::NAME;
use crate::execute::execution::{Given, Request};
use crate::library::{Link, find};
use crate::trace::InputKind;
use hardbop_base::random::Random;

/// Random values: mostly small ones, some at the limits of the type.  Texts that are read are mostly numbers.
#[derive(Debug, Clone)]
pub struct Randomly {
    random: Random,
    /// Some arguments are among these.
    words: Arc<[Vec<u8>]>,
    /// Some integers are among these.
    constants: Arc<[u64]>,
    /// The argument whose characters are asked for.
    argument: Vec<u8>,
    /// What is left of a line that is read.
    line: VecDeque<u8>,
}

/// Numbers that programs tell apart, and those at the limits of types.
const NUMBERS: [i64; 14] = [
    0,
    1,
    -1,
    2,
    10,
    100,
    -100,
    1000,
    65_536,
    i32::MAX as i64,
    i32::MIN as i64,
    i64::MAX,
    i64::MIN,
    i16::MAX as i64,
];

impl Randomly {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            words: Arc::default(),
            constants: Arc::default(),
            argument: vec![],
            line: VecDeque::new(),
        }
    }

    /// Some texts are to be among these words.
    #[must_use]
    pub fn with_words(self, words: Arc<[Vec<u8>]>) -> Self {
        Self { words, ..self }
    }

    /// Some integers are to be among these constants of the program.
    #[must_use]
    pub fn with_constants(self, constants: Arc<[u64]>) -> Self {
        Self { constants, ..self }
    }

    /// Other inputs of the same kinds.
    #[must_use]
    pub fn seeded(&self, seed: u64) -> Self {
        let new = Self::new(seed).with_words(Arc::clone(&self.words));
        new.with_constants(Arc::clone(&self.constants))
    }

    /// The words that texts are to have.
    pub(super) fn words(&self) -> &[Vec<u8>] {
        &self.words
    }

    /// A number of so many bits.
    pub(super) fn number_of(&mut self, bits: u32) -> u64 {
        let small = self.random.below(21) as i64 - 10;
        let limit = 1u64 << (bits - 1);
        match self.random.below(20) {
            0 => self.random.bits(),
            1 => limit,
            2 => limit - 1,
            3 => u64::from(self.random.bits() as u8),
            4..=8 => self.random.below(4) as u64,
            9..=11 if !self.constants.is_empty() => {
                self.constants[self.random.below(self.constants.len())]
            }
            _ => small as u64,
        }
    }

    fn number(&mut self) -> i64 {
        match self.random.below(4) {
            0 => self.random.below(1 << 10) as i64 - (1 << 9),
            _ => NUMBERS[self.random.below(NUMBERS.len())],
        }
    }

    fn new_argument(&mut self, index: u64) {
        let letters: &[u8] = b"-abcxyz019 =./";
        let kind = self.random.below(8);
        let length = match kind {
            0 => self.length(64),
            _ => self.random.below(5),
        };
        self.argument = match kind {
            _ if index == 0 && kind > 0 => NAME.as_bytes().to_vec(),
            1 => self.number().to_string().into_bytes(),
            3.. if !self.words.is_empty() => {
                self.words[self.random.below(self.words.len())].clone()
            }
            _ => (0..length).map(|_| letters[self.random.below(letters.len())]).collect(),
        };
    }

    /// A length, rarely one that buffers do not have.
    fn length(&mut self, most: usize) -> usize {
        let most = if self.random.below(8) == 0 { 1 << 9 } else { most };
        self.random.below(most)
    }

    /// Some words, numbers and letters with signs between them.
    fn sentence(&mut self) -> Vec<u8> {
        let letters: &[u8] = b"abcxyzABC019_-./#\"";
        let signs: &[u8] = b"  =:,;\t";
        let mut line = vec![];
        for i in 0..=self.random.below(4) {
            if i > 0 {
                line.push(signs[self.random.below(signs.len())]);
            }
            match self.random.below(4) {
                0 => line.extend(self.number().to_string().into_bytes()),
                1 | 2 if !self.words.is_empty() => {
                    line.extend(&self.words[self.random.below(self.words.len())]);
                }
                _ => {
                    let length = self.length(10);
                    line.extend((0..length).map(|_| letters[self.random.below(letters.len())]));
                }
            }
        }
        line
    }

    /// The length of a new line, if that is asked for, or its next character; nothing if neither is.
    fn of_line(&mut self, request: &Request<'_>) -> Option<u64> {
        let (InputKind::Nondet { function } | InputKind::Undefined { function }) = request.kind
        else {
            return None;
        };
        if !matches!(request.bits, 8 | 32 | 64)
            || find(function)?.link != Link::Line
            || self.random.below(8) == 0
        {
            return None;
        }
        let is_length = request.bits > 8;
        if self.line.is_empty() || is_length {
            self.line = match self.random.below(2) {
                0 => self.number().to_string().into_bytes().into(),
                _ => self.sentence().into(),
            };
            self.line.push_back(b'\n');
        }
        match is_length {
            true => Some(self.line.len() as u64),
            false => self.line.pop_front().map(u64::from),
        }
    }
}

impl Oracle for Randomly {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        if let &InputKind::Argument { index, byte } = request.kind {
            if byte == 0 {
                self.new_argument(index);
            }
            let letter = self.argument.get(byte as usize).copied();
            return Some(Given::Bits(letter.unwrap_or(0).into()));
        }
        if let Some(given) = self.of_line(request) {
            return Some(Given::Bits(given));
        }
        Some(Given::Bits(match (request.float, request.bits) {
            (true, bits) => {
                let small = self.random.below(21) as i64 - 10;
                match bits {
                    32 => u64::from((small as f32 / 4.0).to_bits()),
                    _ => (small as f64 / 4.0).to_bits(),
                }
            }
            _ if matches!(request.kind, InputKind::Fails { .. }) => {
                u64::from(self.random.below(4) == 0)
            }
            (_, 1) => self.random.bits() & 1,
            (_, bits) => self.number_of(bits),
        }))
    }
}
