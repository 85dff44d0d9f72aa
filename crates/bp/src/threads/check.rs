//! The order in which methods are tried.

use serde::{Deserialize, Serialize};

use super::cover::{self, Cover, cover};
use super::expand::expand;
use super::explore::{self, Explored, explore};
use super::pairs::{self, pairs};
use super::system::System;
use super::way::Execution;
use crate::engine::{self, EngineError};
use crate::language::concurrent::Concurrent;
use crate::language::interpret::threads::{ThreadTrace, replay_threads};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::verdict::{Outcome, UnknownReason};

/// States that a first and a second exploration remember at most.
const STATES: [usize; 2] = [20_000, 2_000_000];
/// Elements that backward coverability remembers at most.
const ELEMENTS: usize = 400_000;
/// Bits of a first state, at most: all are tried.
const FIRST: usize = 20;
/// Threads up to which explorations go on.
const THREADS: usize = 12;

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Options {
    /// Rounds of schedules, at most: in a round, each thread has a turn.
    pub rounds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { rounds: 4 }
    }
}

/// The effort of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Points of the program, with calls expanded.
    pub points: u64,
    /// States of single threads, each with values of the shared variables.
    pub pairs: u64,
    /// States of all threads.
    pub states: u64,
    /// Elements of backward coverability.
    pub elements: u64,
    /// Rounds of schedules without an error.
    pub rounds: u64,
    pub work: u64,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Report {
    pub outcome: Outcome<Proof, ThreadTrace>,
    pub effort: Effort,
}

/// Which method proved that a program is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The states of each thread, with those of the shared variables.
    Modular,
    /// All reachable states.
    States,
    /// Backward coverability.
    Coverability,
}

/// Decides whether an error is reachable, with any number of threads and any schedule.
///
/// # Errors
/// [`EngineError`] if the interpreter does not execute a trace: a bug, to be reported.
pub fn check(
    program: &Concurrent,
    options: &Options,
    engine: &engine::Options,
    budget: &Budget,
) -> Result<Report, EngineError> {
    let effort = Effort::default();
    let mut run = Run { program, options, engine, budget, effort, said: Vec::new() };
    let outcome = match run.explicit() {
        Ok(Some(found)) => found,
        Ok(None) => Outcome::Unknown(UnknownReason::Threads(run.said.join("; "))),
        Err(spent) => Outcome::Unknown(spent.into()),
    };
    if let Outcome::Unsafe(trace) = &outcome {
        replay_threads(program, trace)
            .map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
    }
    let effort = Effort { work: budget.work(), ..run.effort };
    Ok(Report { outcome: outcome.of_run(budget), effort })
}

type Found = Option<Outcome<Proof, ThreadTrace>>;

struct Run<'p> {
    program: &'p Concurrent,
    options: &'p Options,
    engine: &'p engine::Options,
    budget: &'p Budget,
    effort: Effort,
    /// What is known where there is no answer.
    said: Vec<String>,
}

impl Run<'_> {
    /// The methods that look at states one by one.
    fn explicit(&mut self) -> Result<Found, Exhausted> {
        let system = match expand(self.program) {
            Ok(system) => system,
            Err(why) => {
                self.said.push(format!("too large for its states ({why:?})"));
                return Ok(None);
            }
        };
        if system.shared.len() + system.entry_width() > FIRST {
            self.said.push("too many values at the beginning".to_owned());
            return Ok(None);
        }
        self.effort.points = system.points.len() as u64;
        let pairs = pairs(&system, self.budget)?;
        if let Some(pairs) = &pairs {
            self.effort.pairs = pairs.len() as u64;
            if pairs.errors.is_empty() && pairs::is_closed(&system, pairs) {
                return Ok(Some(Outcome::Safe(Proof::Modular)));
            }
        }
        if let Some(found) = self.explored(&system, STATES[0])? {
            return Ok(Some(found));
        }
        if let Some(pairs) = pairs.filter(|pairs| pairs::is_closed(&system, pairs)) {
            match cover(&system, &pairs, ELEMENTS, self.budget)? {
                Cover::Safe(minimal) => {
                    if cover::is_proof(&system, &pairs, &minimal) {
                        return Ok(Some(Outcome::Safe(Proof::Coverability)));
                    }
                }
                Cover::Error(execution) => return Ok(Some(Self::error(&system, &execution))),
                Cover::Spurious => self.said.push("an error may need fewer threads".to_owned()),
                Cover::Full(n) => {
                    self.said.push(format!("backward coverability stopped after {n} elements"))
                }
            }
        }
        self.explored(&system, STATES[1])
    }

    fn error(system: &System<'_>, execution: &Execution) -> Outcome<Proof, ThreadTrace> {
        Outcome::Unsafe(execution.trace(system))
    }

    /// Explores with more and more threads.
    fn explored(&mut self, system: &System<'_>, most: usize) -> Result<Found, Exhausted> {
        for threads in 2.. {
            match explore(system, threads, most, self.budget)? {
                Explored::Error(execution) => return Ok(Some(Self::error(system, &execution))),
                Explored::All(states) => {
                    self.effort.states = states.len() as u64;
                    let holds = explore::is_proof(system, &states);
                    return Ok(holds.then_some(Outcome::Safe(Proof::States)));
                }
                Explored::Bounded { .. } if threads < THREADS => {}
                Explored::Bounded { states } | Explored::Full { states } => {
                    self.said.push(format!("no error with {} threads in {states} states", threads));
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}
