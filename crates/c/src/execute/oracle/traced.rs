//! Inputs of a trace.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::source::Oracle;
use crate::arguments::NAME;
use crate::execute::execution::{Given, Request};
use crate::trace::{CTrace, InputKind};

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
