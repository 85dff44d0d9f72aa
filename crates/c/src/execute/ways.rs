//! Executions that stand for all values of their inputs: what depends on an input has no value, and where the way depends
//! on one, each way is taken, one execution after the other.  Where they all end without an error, no execution has one.

use super::oracle::{Given, Oracle, Request};
use crate::trace::InputKind;

/// The number of times that the way of one execution may depend on inputs.
const MOST_CHOICES: usize = 64;

/// A place where the way depends on inputs: which way was taken, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Choice {
    way: usize,
    ways: usize,
}

/// Takes each way in turn; it gives no inputs but those of one bit, where that is a choice of two ways.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    choices: Vec<Choice>,
    /// How many of them the execution has come to.
    passed: usize,
}

impl Ways {
    /// The way to take where there are so many; `None` after too many choices.
    pub(super) fn choose(&mut self, ways: usize) -> Option<usize> {
        if self.passed == self.choices.len() {
            if self.passed == MOST_CHOICES {
                return None;
            }
            self.choices.push(Choice { way: 0, ways });
        }
        let choice = self.choices.get(self.passed)?;
        self.passed += 1;
        // The same choices lead to the same place.
        (choice.ways == ways).then_some(choice.way)
    }

    /// Goes on to the next execution; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.choices.truncate(self.passed);
        self.passed = 0;
        while let Some(last) = self.choices.last_mut() {
            last.way += 1;
            if last.way < last.ways {
                return true;
            }
            self.choices.pop();
        }
        false
    }
}

impl Oracle for Ways {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        match request.kind {
            // The number stands for itself.
            InputKind::Address { .. } => Some(Given::Bits(0)),
            _ if request.bits == 1 => self.choose(2).map(|way| Given::Bits(way as u64)),
            _ => None,
        }
    }

    fn ways(&mut self) -> Option<&mut Ways> {
        Some(self)
    }
}
