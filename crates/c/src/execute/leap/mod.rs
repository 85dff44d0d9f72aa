//! Leaps: rounds of a loop that only add constants to variables are taken at once.
//!
//! From time to time some edges of an execution are [watched](period). Where they repeat, one more round tells by how
//! much each variable grows per round, and the round is [evaluated](linear) once more on values that grow linearly:
//! that proves for how many rounds all conditions stay as they are and no value leaves its type. So many are
//! skipped. Both are decided from the state alone: each execution of the same inputs leaps at the same places.

mod linear;
mod period;
mod round;
mod variables;

use rustc_hash::FxHashMap;

use self::period::Watch;
use self::round::Round;
use super::execution::Leap;
use super::machine::{Machine, Stop};
use crate::flow::VariableId;
use crate::trace::EdgeIndex;

/// Edges before the first watch, and between a leap and the next one.  Other values were not measured.
const FIRST: u64 = 1 << 10;

/// An edge as it was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Passed {
    edge: EdgeIndex,
    /// Open calls afterwards.
    depth: usize,
    /// Is it the return from the call on that edge?
    back: bool,
}

/// What the execution is doing.
#[derive(Debug)]
enum State {
    /// Nothing until a number of steps.
    Waiting(u64),
    Watching(Watch),
    /// The edges are known that should follow now; the values of changing variables before them.
    Measuring {
        edges: Vec<Passed>,
        at: usize,
        before: FxHashMap<VariableId, u64>,
    },
}

/// Leaps of an execution.
#[derive(Debug)]
pub(super) struct Leaps {
    state: State,
}

impl Leaps {
    pub(super) fn new() -> Self {
        Self { state: State::Waiting(FIRST) }
    }

    /// Takes in that a step was taken, and may leap from where it led.
    ///
    /// # Errors
    ///
    /// Never in fact: what is written was read before.
    pub(super) fn pass(
        &mut self,
        machine: &mut Machine<'_, '_>,
        steps: u64,
        calls_before: usize,
    ) -> Result<(), Stop> {
        if matches!(self.state, State::Waiting(until) if steps < until) {
            return Ok(());
        }
        let Some(edge) = machine.edge else { return Ok(()) };
        let depth = machine.frames.len();
        let passed = Passed { edge, depth, back: depth < calls_before };
        // What did not leap will be tried again when the execution is half as long again.
        let later = State::Waiting(steps + (steps / 2).max(FIRST));
        match &mut self.state {
            State::Waiting(_) => self.state = State::Watching(Watch::default()),
            State::Watching(watch) => match watch.pass(passed) {
                None => {}
                Some(period) => {
                    let before = period.and_then(|edges| {
                        let round = Round::new(machine, &edges)?;
                        Some((round.values(machine)?, edges))
                    });
                    self.state = match before {
                        Some((before, edges)) => State::Measuring { edges, at: 0, before },
                        None => later,
                    };
                }
            },
            State::Measuring { edges, at, before } => {
                if edges[*at] != passed {
                    self.state = later;
                    return Ok(());
                }
                *at += 1;
                if *at < edges.len() {
                    return Ok(());
                }
                let leap = Round::new(machine, edges).and_then(|round| round.leap(machine, before));
                self.state = match leap {
                    Some((rounds, values)) => {
                        let edges = std::mem::take(edges);
                        let changed = machine.leap(&values)?;
                        if machine.records_edges() {
                            let edges = edges.into_iter();
                            let edges = edges.map(|p| (p.edge, p.depth as u32 - 1, p.back));
                            let (after, edges) = (machine.events.len(), edges.collect());
                            machine.leaps.push(Leap { after, edges, rounds, changed });
                        }
                        State::Waiting(steps + FIRST)
                    }
                    None => later,
                };
            }
        }
        Ok(())
    }
}
