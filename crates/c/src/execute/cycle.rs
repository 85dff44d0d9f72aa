//! States that come again: an execution without input that is where it was, with the same memory, never ends.
//!
//! As in Brent's algorithm (1980), a state is kept, and another one when twice as many steps were taken; each state at
//! the same place is compared with it.  A comparison begins with the object that differed last time, mostly a counter.

use super::machine::{ErrorNumber, Frame, Machine, Memory, ObjectId};
use crate::flow::FunctionId;
use crate::trace::EdgeIndex;

/// Steps before the first state is kept: most executions end earlier.
const FIRST: u64 = 1 << 12;

/// How often a state is compared as a whole.
const MOST_COMPARISONS: u32 = 64;

/// An open call: the function, where it is, the call that opened it, and its blocks from `alloca`.
type Call = (FunctionId, u32, Option<EdgeIndex>, Vec<ObjectId>);

/// All that decides how the execution goes on.
struct State {
    calls: Vec<Call>,
    globals: Vec<Option<ObjectId>>,
    strings: Vec<Option<ObjectId>>,
    locals: Vec<Option<ObjectId>>,
    error_number: ErrorNumber,
    /// The numbers of inputs, of constants used as pointers, and of tables of the library.
    asked: (usize, usize, usize, u64),
    memory: Memory,
    /// The object that differed last time, and how often another one may.
    differs: usize,
    left: u32,
}

fn calls(machine: &Machine<'_, '_>) -> Vec<Call> {
    let call =
        |f: &Frame<'_>| (f.function, f.location, f.call.map(|(edge, _)| edge), f.blocks.clone());
    machine.frames.iter().map(call).collect()
}

impl State {
    fn of(machine: &Machine<'_, '_>) -> Self {
        Self {
            calls: calls(machine),
            globals: machine.globals.clone(),
            strings: machine.strings.clone(),
            locals: machine.locals.clone(),
            error_number: machine.error_number,
            asked: machine.asked(),
            memory: machine.memory.clone(),
            differs: 0,
            left: MOST_COMPARISONS,
        }
    }

    /// Is it the state of the machine?
    fn is(&mut self, machine: &Machine<'_, '_>) -> bool {
        let before = self.differs;
        let same = self.is_same(machine);
        self.left -= u32::from(self.differs != before);
        same
    }

    fn is_same(&mut self, machine: &Machine<'_, '_>) -> bool {
        // Most states are at another place, or have another counter.
        let here = machine.frames.last().map(|f| (f.function, f.location));
        self.calls.len() == machine.frames.len()
            && self.calls.last().map(|&(function, location, ..)| (function, location)) == here
            && self.memory.is(&machine.memory, &mut self.differs)
            && self.locals == machine.locals
            && self.globals == machine.globals
            && self.strings == machine.strings
            && (self.error_number, self.asked) == (machine.error_number, machine.asked())
            && self.calls == calls(machine)
    }
}

/// Looks for a state that comes again.
pub(super) struct Cycle {
    kept: Option<State>,
    /// When the next state is kept.
    next: u64,
}

impl Cycle {
    pub(super) fn new() -> Self {
        Self { kept: None, next: FIRST }
    }

    /// Has the execution been in the state in which it is after so many steps?
    pub(super) fn closes(&mut self, machine: &Machine<'_, '_>, steps: u64) -> bool {
        if let Some(state) = &mut self.kept {
            if state.is(machine) {
                return true;
            }
            if state.left == 0 {
                self.kept = None;
            }
        }
        if steps >= self.next {
            self.next = steps.saturating_mul(2);
            // To keep it takes no longer than the execution did.
            let is_small = machine.memory.used() <= steps && machine.locals.len() as u64 <= steps;
            self.kept = is_small.then(|| State::of(machine));
        }
        false
    }
}
