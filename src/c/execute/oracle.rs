//! Where the values from outside come from during an execution.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::c::trace::{CTrace, Input, InputKind};
use crate::random::Random;
use crate::source::Span;

/// A value that the program asks for.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub kind: &'a InputKind,
    /// 1 (a `_Bool`) to 64.
    pub bits: u32,
    /// Whether the value is the representation of a `float` or `double`.
    pub float: bool,
    pub span: Span,
}

/// Decides what the program text leaves open.
pub trait Oracle {
    /// The value; bits above [`Request::bits`] are ignored.  `None` ends the execution.
    fn input(&mut self, request: &Request<'_>) -> Option<u64>;
}

/// 0 for everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl Oracle for Zero {
    fn input(&mut self, _: &Request<'_>) -> Option<u64> {
        Some(0)
    }
}

/// Random values: mostly small ones, some at the limits of the type.
#[derive(Debug, Clone)]
pub struct Randomly {
    random: Random,
}

impl Randomly {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }
}

impl Oracle for Randomly {
    fn input(&mut self, request: &Request<'_>) -> Option<u64> {
        let small = self.random.below(21) as i64 - 10;
        if request.float {
            let value = small as f64 / 4.0;
            return Some(if request.bits == 32 {
                u64::from((value as f32).to_bits())
            } else {
                value.to_bits()
            });
        }
        if request.bits == 1 {
            return Some(self.random.bits() & 1);
        }
        let limit = 1u64 << (request.bits - 1);
        Some(match self.random.below(20) {
            0 => self.random.bits(),
            1 => limit,
            2 => limit - 1,
            3 => u64::from(self.random.bits() as u8),
            4..=8 => self.random.below(4) as u64,
            _ => small as u64,
        })
    }
}

/// The values of a list for `__VERIFIER_nondet_*`, in order, and 0 for all else.
///
/// At the end of the list the execution ends.
#[derive(Debug, Clone)]
pub struct Script {
    values: VecDeque<u64>,
}

impl Script {
    /// Of signed values, the two's complement.
    pub fn new(values: impl IntoIterator<Item = u64>) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl Oracle for Script {
    fn input(&mut self, request: &Request<'_>) -> Option<u64> {
        match request.kind {
            InputKind::Nondet { .. } => self.values.pop_front(),
            _ => Some(0),
        }
    }
}

/// The values of a trace; where there are no more, 0.
#[derive(Debug, Clone, Default)]
pub struct Traced {
    /// By function.
    nondet: FxHashMap<String, VecDeque<u64>>,
    undefined: FxHashMap<String, VecDeque<u64>>,
    heap: VecDeque<u64>,
    /// By variable, execution of its declaration, and first bit.
    variables: FxHashMap<(u32, u64, u64), u64>,
    missing: u64,
}

impl Traced {
    pub fn new(trace: &CTrace) -> Self {
        let mut oracle = Self::default();
        // Of variables without numbered instances, the last instance.
        let mut last: FxHashMap<u32, u64> = FxHashMap::default();
        for Input { kind, value, .. } in &trace.inputs {
            match kind {
                InputKind::Nondet { function } => {
                    oracle.nondet.entry(function.clone()).or_default().push_back(*value);
                }
                InputKind::Undefined { function } => {
                    oracle.undefined.entry(function.clone()).or_default().push_back(*value);
                }
                InputKind::Heap => oracle.heap.push_back(*value),
                &InputKind::Uninitialised { variable, instance, bit, .. } => {
                    let instance = instance.unwrap_or_else(|| {
                        let last = last.entry(variable).or_default();
                        // A part that occurs again belongs to the next one.
                        *last += u64::from(oracle.variables.contains_key(&(variable, *last, bit)));
                        *last
                    });
                    oracle.variables.insert((variable, instance, bit), *value);
                }
            }
        }
        oracle
    }

    /// How many requests the trace had no value for; they were answered by 0.
    pub fn missing(&self) -> u64 {
        self.missing
    }
}

impl Oracle for Traced {
    fn input(&mut self, request: &Request<'_>) -> Option<u64> {
        let value = match request.kind {
            InputKind::Nondet { function } => {
                self.nondet.get_mut(function).and_then(VecDeque::pop_front)
            }
            InputKind::Undefined { function } => {
                self.undefined.get_mut(function).and_then(VecDeque::pop_front)
            }
            InputKind::Heap => self.heap.pop_front(),
            &InputKind::Uninitialised { variable, instance, bit, .. } => {
                self.variables.remove(&(variable, instance.unwrap_or(0), bit))
            }
        };
        self.missing += u64::from(value.is_none());
        Some(value.unwrap_or(0))
    }
}
