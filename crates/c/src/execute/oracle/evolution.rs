//! Inputs that evolve: those of executions that went where none had gone before, changed a little.
//!
//! What counts as a new place is an edge that is taken, and how often, up to powers of two: the way
//! of AFL (Zalewski, "Technical whitepaper for afl-fuzz", 2014), on inputs in place of the bytes of a
//! file. So an error that needs nine lines of a certain form comes after the execution that reads
//! eight of them, which is kept since none had read so many.

use rustc_hash::FxHashSet;

use super::random::Randomly;
use super::source::Oracle;
use crate::execute::execution::{Demand, Execution, Given, Request};
use crate::trace::EdgeIndex;
use hardbop_base::random::Random;

/// Executions that are kept, at most.
const KEPT: usize = 2_000;
/// Inputs of an execution that are kept, at most.
const INPUTS: usize = 1 << 12;
/// Values that are passed over where another kind of input is asked for.
const PASSED: usize = 4;

/// An input: its value, and the number of its bits.
type Value = (u64, u32);

/// Inputs of executions, and what these have reached.
#[derive(Debug)]
pub struct Evolution {
    random: Random,
    /// Other inputs.
    new: Randomly,
    /// Edges with the number of bits of how often they were taken.
    reached: FxHashSet<(EdgeIndex, u32)>,
    kept: Vec<Vec<Value>>,
}

/// The inputs of one execution.
#[derive(Debug)]
struct Evolved<'e> {
    values: Vec<Value>,
    at: usize,
    /// What comes when the values are used up: this, or else random inputs.
    rest: Option<u64>,
    new: &'e mut Randomly,
}

impl Evolution {
    /// Where no values are kept, inputs are those of `new`, whose words some texts are to have.
    pub fn new(seed: u64, new: Randomly) -> Self {
        let (reached, kept) = (FxHashSet::default(), vec![]);
        Self { random: Random::new(seed), new, reached, kept }
    }

    /// Notes where an execution went, of which edges were recorded: true if none has gone there
    /// before, and its inputs are kept.
    pub fn learn(&mut self, execution: &Execution) -> bool {
        let mut counts: rustc_hash::FxHashMap<EdgeIndex, u64> = rustc_hash::FxHashMap::default();
        for event in execution.events.iter().filter(|event| !event.back) {
            *counts.entry(event.edge).or_default() += 1;
        }
        for leap in &execution.leaps {
            for &(edge, _, back) in leap.edges.iter() {
                if !back {
                    // Those of several leaps may be more than a counter holds.
                    let count = counts.entry(edge).or_default();
                    *count = count.saturating_add(leap.rounds);
                }
            }
        }
        let mut is_new = false;
        for (edge, count) in counts {
            is_new |= self.reached.insert((edge, u64::BITS - count.leading_zeros()));
        }
        if is_new && self.kept.len() < KEPT {
            let asked = execution.inputs.iter();
            let asked = asked.filter(|i| i.demand != Demand::Unused && !i.is_number());
            let values = asked.map(|i| (i.input.value, i.input.bits));
            self.kept.push(values.take(INPUTS).collect());
        }
        is_new
    }

    /// The inputs of the next execution: those of one that is kept, changed.
    pub fn changed(&mut self) -> impl Oracle + '_ {
        let mut values = self.any_kept();
        for _ in 0..1 << self.random.below(3) {
            self.change(&mut values);
        }
        values.truncate(INPUTS);
        let rest = match self.random.below(6) {
            0 => None,
            1 | 2 => Some(0),
            _ => Some(u64::MAX),
        };
        Evolved { values, at: 0, rest, new: &mut self.new }
    }

    /// The inputs of an execution that is kept: rather of a late one, and rather few.
    fn any_kept(&mut self) -> Vec<Value> {
        let count = self.kept.len();
        let late = self.random.below(2) == 0;
        let from = if late { count.saturating_sub(8) } else { 0 };
        let some = [0; 2].map(|_| from + self.random.below(count - from));
        let few = some.into_iter().filter_map(|at| self.kept.get(at)).min_by_key(|v| v.len());
        few.cloned().unwrap_or_default()
    }

    fn change(&mut self, values: &mut Vec<Value>) {
        let at = self.random.below(values.len());
        let most = 1 << self.random.below(6);
        let length = (1 + self.random.below(most)).min(values.len() - at);
        match self.random.below(8) {
            0 => values.truncate(at),
            1 => {
                values.drain(at..at + length);
            }
            // The same again, so many times.
            2 | 3 => {
                let part = values[at..at + length].to_vec();
                let times = 1 << self.random.below(5);
                let all = part.iter().copied().cycle().take(times * part.len());
                values.splice(at + length..at + length, all);
            }
            4 => {
                let other = self.any_kept();
                let from = self.random.below(other.len());
                values.truncate(at);
                values.extend(&other[from..]);
            }
            5 if !self.new.words().is_empty() => {
                let words = self.new.words();
                let word = &words[self.random.below(words.len())];
                let bits = values.get(at).map_or(32, |&(_, bits)| bits);
                values.splice(at..at, word.iter().map(|&byte| (u64::from(byte), bits)));
            }
            // Another value that is there.
            6 if !values.is_empty() => values[at].0 = values[self.random.below(values.len())].0,
            _ if !values.is_empty() => {
                let bits = values[at].1;
                values[at].0 = match self.random.below(4) {
                    0 => values[at].0.wrapping_add(1),
                    1 => values[at].0.wrapping_sub(1),
                    2 => values[at].0 ^ 1 << self.random.below(bits as usize),
                    _ => self.new.number_of(bits),
                };
            }
            _ => {}
        }
    }
}

impl Oracle for Evolved<'_> {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        let ahead = self.values[self.at..].iter().take(PASSED);
        if let Some(passed) = ahead.clone().position(|&(_, bits)| bits == request.bits) {
            self.at += passed + 1;
            return Some(Given::Bits(self.values[self.at - 1].0));
        }
        match self.rest {
            Some(rest) if self.at >= self.values.len() => Some(Given::Bits(rest)),
            _ => self.new.input(request),
        }
    }
}
