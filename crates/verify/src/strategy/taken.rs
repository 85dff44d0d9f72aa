//! Steps that were taken, with what each took and gave.

use std::fmt;
use std::time::{Duration, Instant};

use super::list::Action;
use crate::verdict::{Outcome, UnknownReason};
use hardbop_base::budget::Budget;

/// A step that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Its action, behind those of the lists that it is in: `all-ways/tree/search`.
    pub step: String,
    /// The units of work that it did.
    pub work: u64,
    pub time: Duration,
    pub gave: Gave,
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gave {
    Safe,
    Unsafe,
    /// No verdict; the reason, where the step has one.
    Nothing(Option<UnknownReason>),
}

impl fmt::Display for Gave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Safe => f.write_str("SAFE"),
            Self::Unsafe => f.write_str("UNSAFE"),
            Self::Nothing(None | Some(UnknownReason::Interrupted)) => f.write_str("no verdict"),
            Self::Nothing(Some(reason)) => write!(f, "no verdict: {reason}"),
        }
    }
}

impl Gave {
    /// What an outcome is.
    pub(crate) fn of<E>(outcome: &Outcome<E>) -> Self {
        match outcome {
            Outcome::Safe(_) => Self::Safe,
            Outcome::Unsafe(_) => Self::Unsafe,
            Outcome::Unknown(reason) => Self::Nothing(Some(reason.clone())),
        }
    }
}

/// The beginning of a step.
#[derive(Clone, Copy)]
pub(crate) struct Begun {
    at: Instant,
    /// The work that was done before.
    pub work: u64,
}

impl Begun {
    pub fn now(budget: &Budget) -> Self {
        Self { at: Instant::now(), work: budget.work() }
    }

    /// The time since then.
    pub fn time(self) -> Duration {
        self.at.elapsed()
    }
}

/// The steps taken so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub taken: Vec<Taken>,
    /// The lists that are open.
    path: Vec<String>,
}

impl Log {
    /// The steps of a list follow.
    pub fn enter(&mut self, list: &str) {
        self.path.push(list.to_owned());
    }

    /// The list has ended.
    pub fn leave(&mut self) {
        self.path.pop();
    }

    /// A step has ended.
    pub fn note(&mut self, action: &Action, begun: Begun, budget: &Budget, gave: Gave) {
        let mut step = self.path.join("/");
        if !step.is_empty() {
            step.push('/');
        }
        step.push_str(action.word());
        let work = budget.work() - begun.work;
        self.taken.push(Taken { step, work, time: begun.time(), gave });
    }
}
