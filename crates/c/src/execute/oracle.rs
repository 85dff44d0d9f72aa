//! Sources of the inputs of an execution.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::execution::{Given, Request};
use super::ways::Ways;
use crate::arguments::NAME;
use crate::library::{Link, find};
use crate::trace::{CTrace, InputKind};
use hardbop_base::random::Random;

/// Decides what the program text leaves open.
pub trait Oracle {
    /// Answers a request; `None` ends the execution.
    fn input(&mut self, request: &Request<'_>) -> Option<Given>;

    /// The ways that are taken where inputs decide and none is given; `None` where that ends the execution.
    fn ways(&mut self) -> Option<&mut Ways> {
        None
    }
}

/// Answers everything with 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl Oracle for Zero {
    fn input(&mut self, _: &Request<'_>) -> Option<Given> {
        Some(Given::Bits(0))
    }
}

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
        let small = self.random.below(21) as i64 - 10;
        let limit = 1u64 << (request.bits - 1);
        Some(Given::Bits(match (request.float, request.bits) {
            (true, 32) => u64::from((small as f32 / 4.0).to_bits()),
            (true, _) => (small as f64 / 4.0).to_bits(),
            _ if matches!(request.kind, InputKind::Fails { .. }) => {
                u64::from(self.random.below(4) == 0)
            }
            (_, 1) => self.random.bits() & 1,
            _ => match self.random.below(20) {
                0 => self.random.bits(),
                1 => limit,
                2 => limit - 1,
                3 => u64::from(self.random.bits() as u8),
                4..=8 => self.random.below(4) as u64,
                9..=11 if !self.constants.is_empty() => {
                    self.constants[self.random.below(self.constants.len())]
                }
                _ => small as u64,
            },
        }))
    }
}

/// Takes results of `__VERIFIER_nondet_*` from a list, in order, and answers everything else with 0.
///
/// The execution ends where the list does.
#[derive(Debug, Clone)]
pub struct Script {
    values: VecDeque<u64>,
}

impl Script {
    /// Signed values are given in two's complement.
    pub fn new(values: impl IntoIterator<Item = u64>) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl Oracle for Script {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        match request.kind {
            InputKind::Nondet { .. } => self.values.pop_front().map(Given::Bits),
            _ => Some(Given::Bits(0)),
        }
    }
}

/// The number of inputs that a trace may lack: after so many, the execution is another one.
const MOST_MISSING: u64 = 1 << 14;

/// The inputs of a trace; 0 for those that it lacks, unless these are very many.
#[derive(Debug, Clone, Default)]
pub struct Traced {
    /// Indexed by function.
    nondet: FxHashMap<String, VecDeque<Given>>,
    undefined: FxHashMap<String, VecDeque<Given>>,
    /// Indexed by variable.
    volatile: FxHashMap<String, VecDeque<Given>>,
    addresses: FxHashMap<u64, Given>,
    /// Indexed by text and byte.
    arguments: FxHashMap<(u64, u64), Given>,
    /// For blocks without numbers.
    heap: VecDeque<Given>,
    /// For each object, instance and first bit, the number of bits and the value.
    parts: FxHashMap<(Object, u64, u64), (u32, Given)>,
    /// Indexed by place in the text.
    guesses: FxHashMap<(u32, u32), Vec<(u32, u64)>>,
    missing: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Object {
    Variable(u32),
    Block,
    Outside,
}

impl Traced {
    pub fn new(trace: &CTrace) -> Self {
        let mut oracle = Self::default();
        // For variables whose instances are not numbered, the last instance.
        let mut last: FxHashMap<u32, u64> = FxHashMap::default();
        for input in &trace.inputs {
            let given = if input.object { Given::Object } else { Given::Bits(input.value) };
            let part = match &input.kind {
                InputKind::Nondet { function } => {
                    oracle.nondet.entry(function.clone()).or_default().push_back(given);
                    continue;
                }
                InputKind::Undefined { function } | InputKind::Fails { function } => {
                    oracle.undefined.entry(function.clone()).or_default().push_back(given);
                    continue;
                }
                InputKind::Volatile { name } => {
                    oracle.volatile.entry(name.clone()).or_default().push_back(given);
                    continue;
                }
                &InputKind::Address { number } => {
                    oracle.addresses.insert(number, given);
                    continue;
                }
                &InputKind::Argument { index, byte } => {
                    oracle.arguments.insert((index, byte), given);
                    continue;
                }
                InputKind::Heap { block: None, .. } => {
                    oracle.heap.push_back(given);
                    continue;
                }
                &InputKind::Heap { block: Some(block), bit } => (Object::Block, block, bit),
                &InputKind::Outside { object, bit } => (Object::Outside, object, bit as u64),
                &InputKind::Uninitialised { variable, instance, bit, .. } => {
                    let object = Object::Variable(variable);
                    let instance = instance.unwrap_or_else(|| {
                        let last = last.entry(variable).or_default();
                        // A part that occurs again belongs to the next instance.
                        *last += u64::from(oracle.parts.contains_key(&(object, *last, bit)));
                        *last
                    });
                    (object, instance, bit)
                }
            };
            oracle.parts.insert(part, (input.bits, given));
        }
        oracle
    }

    /// The inputs of the trace, with its guesses for those that it lacks.
    pub fn guessing(trace: &CTrace) -> Self {
        let mut oracle = Self::new(trace);
        for &(span, bits, value) in &trace.guesses {
            oracle.guesses.entry((span.start, span.end)).or_default().push((bits, value));
        }
        oracle
    }

    fn guess(&mut self, request: &Request<'_>) -> Option<Given> {
        let guesses = self.guesses.get_mut(&(request.span.start, request.span.end))?;
        let at = guesses.iter().position(|&(bits, _)| bits == request.bits)?;
        Some(Given::Bits(guesses.remove(at).1))
    }

    /// The value of a part of an object, which the trace may give in several pieces.
    fn part(&mut self, object: Object, instance: u64, bit: u64, bits: u32) -> Option<Given> {
        let whole = self.parts.remove(&(object, instance, bit));
        if let Some((width, given)) = whole
            && (width >= bits || given == Given::Object)
        {
            return Some(given);
        }
        let mut found = whole.is_some();
        let (mut value, mut next) = match whole {
            Some((width, Given::Bits(value))) => (value, u64::from(width)),
            _ => (0, 0),
        };
        while next < u64::from(bits) {
            match self.parts.remove(&(object, instance, bit.wrapping_add(next))) {
                Some((width, Given::Bits(piece))) => {
                    value |= piece << next;
                    next += u64::from(width.max(1));
                    found = true;
                }
                // The other pieces begin at bytes.
                _ => next = (next + 8) & !7,
            }
        }
        found.then_some(Given::Bits(value))
    }

    /// The number of requests for which the trace had no value; the answer was 0.
    pub fn missing(&self) -> u64 {
        self.missing
    }
}

impl Oracle for Traced {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        let given = match request.kind {
            InputKind::Nondet { function } => {
                self.nondet.get_mut(function).and_then(VecDeque::pop_front)
            }
            InputKind::Undefined { function } | InputKind::Fails { function } => {
                self.undefined.get_mut(function).and_then(VecDeque::pop_front)
            }
            InputKind::Volatile { name } => {
                self.volatile.get_mut(name).and_then(VecDeque::pop_front)
            }
            InputKind::Address { number } => {
                let known = self.addresses.get(number).copied();
                return Some(known.unwrap_or(Given::Bits(*number)));
            }
            &InputKind::Argument { index, byte } => match self.arguments.get(&(index, byte)) {
                Some(given) => Some(*given),
                // It can have any name, and no guess is one.
                None if index == 0 && !self.arguments.contains_key(&(0, 0)) => {
                    let letter = NAME.as_bytes().get(byte as usize);
                    return Some(Given::Bits(letter.copied().unwrap_or(0).into()));
                }
                None => None,
            },
            &InputKind::Heap { block, bit } => {
                let part = block.and_then(|b| self.part(Object::Block, b, bit, request.bits));
                part.or_else(|| self.heap.pop_front())
            }
            &InputKind::Outside { object, bit } => {
                self.part(Object::Outside, object, bit as u64, request.bits)
            }
            &InputKind::Uninitialised { variable, instance, bit, .. } => {
                let object = Object::Variable(variable);
                self.part(object, instance.unwrap_or(0), bit, request.bits)
            }
        };
        let given = given.or_else(|| self.guess(request));
        self.missing += u64::from(given.is_none());
        if self.missing > MOST_MISSING {
            return None;
        }
        Some(given.unwrap_or(Given::Bits(0)))
    }
}
