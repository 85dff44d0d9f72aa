//! The order in which methods are tried.

use serde::{Deserialize, Serialize};

use super::cover::{self, Cover, cover};
use super::expand::expand;
use super::explore::{self, Explored, explore};
use super::pairs::{self, pairs};
use super::rounds::sequential;
use super::system::System;
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
const FIRST: usize = 14;
/// Threads up to which explorations go on.
const THREADS: usize = 12;

/// How a program with threads is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// All of them, the cheapest first
    #[default]
    Auto,
    /// The states of each thread by itself
    Modular,
    /// All states, of more and more threads
    States,
    /// Backwards from the error, for any number of threads
    Coverability,
    /// Schedules of a few rounds, as a sequential program
    Rounds,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Options {
    pub method: Method,
    /// Rounds of schedules, at most: in a round, each thread has a turn.
    pub rounds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::Auto, rounds: 4 }
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
    /// Threads with which there is no error.
    pub threads: u64,
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
    let outcome = match run.decide()? {
        Ok(Some(found)) => found,
        Ok(None) => Outcome::Unknown(UnknownReason::Threads(run.known())),
        Err(spent) if run.effort.rounds + run.effort.threads > 0 => {
            Outcome::Unknown(UnknownReason::Threads(format!("{spent}; {}", run.known())))
        }
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
    /// Whether a method is to be tried.
    fn asks(&self, method: Method) -> bool {
        [Method::Auto, method].contains(&self.options.method)
    }

    /// All methods, the cheapest first.
    fn decide(&mut self) -> Result<Result<Found, Exhausted>, EngineError> {
        let program = self.program;
        let system = expand(program).ok();
        let system = system.filter(|s| s.shared.len() + s.entry_width() <= FIRST);
        if system.is_none() {
            self.said.push("it has too many variables to look at its states one by one".to_owned());
        }
        if let Some(system) = system.as_ref().filter(|_| self.options.method != Method::Rounds) {
            let found = self.explicit(system);
            if !matches!(found, Ok(None)) {
                return Ok(found);
            }
        }
        let found = if self.asks(Method::Rounds) { self.rounds()? } else { Ok(None) };
        Ok(match (found, system) {
            (Ok(None), Some(system)) if self.asks(Method::States) => {
                self.explored(&system, STATES[1])
            }
            (found, _) => found,
        })
    }

    /// The methods that look at states one by one.
    fn explicit(&mut self, system: &System<'_>) -> Result<Found, Exhausted> {
        self.effort.points = system.points.len() as u64;
        let pairs = pairs(system, self.budget)?;
        let is_closed = match &pairs {
            Some(pairs) => pairs::is_closed(system, pairs, self.budget)?,
            None => false,
        };
        if let Some(pairs) = &pairs {
            self.effort.pairs = pairs.len() as u64;
            let asks = self.asks(Method::Modular);
            if asks && pairs.errors.is_empty() && is_closed {
                return Ok(Some(Outcome::Safe(Proof::Modular)));
            }
        }
        if self.asks(Method::States)
            && let Some(found) = self.explored(system, STATES[0])?
        {
            return Ok(Some(found));
        }
        let pairs = pairs.filter(|_| is_closed && self.asks(Method::Coverability));
        let Some(pairs) = pairs else { return Ok(None) };
        match cover(system, &pairs, ELEMENTS, self.budget)? {
            Cover::Safe(minimal) => {
                self.effort.elements = minimal.values().map(|all| all.len() as u64).sum();
                let holds = cover::is_proof(system, &pairs, &minimal, self.budget)?;
                return Ok(holds.then_some(Outcome::Safe(Proof::Coverability)));
            }
            Cover::Error(execution) => return Ok(Some(Outcome::Unsafe(execution.trace(system)))),
            Cover::Spurious => self
                .said
                .push("an error that was found depends on the values of other threads".to_owned()),
            Cover::Full(elements) => self.effort.elements = elements as u64,
        }
        Ok(None)
    }

    /// Explores with more and more threads.
    fn explored(&mut self, system: &System<'_>, most: usize) -> Result<Found, Exhausted> {
        for threads in 2..=THREADS {
            match explore(system, threads, most, self.budget)? {
                Explored::Error(execution) => {
                    return Ok(Some(Outcome::Unsafe(execution.trace(system))));
                }
                Explored::All(states) => {
                    self.effort.states = states.len() as u64;
                    let holds = explore::is_proof(system, &states, self.budget)?;
                    return Ok(holds.then_some(Outcome::Safe(Proof::States)));
                }
                Explored::Bounded { states, is_cut: true } => {
                    self.effort.states = states as u64;
                    break;
                }
                Explored::Bounded { states, is_cut: false } => {
                    self.effort.states = states as u64;
                    self.effort.threads = self.effort.threads.max(threads as u64);
                }
                Explored::Full => break,
            }
        }
        Ok(None)
    }

    /// Schedules of more and more rounds.
    fn rounds(&mut self) -> Result<Result<Found, Exhausted>, EngineError> {
        for rounds in 1..=self.options.rounds {
            let Some(made) = sequential(self.program, rounds as usize) else { break };
            let options = engine::Options { certify: false, ..self.engine.clone() };
            let report = engine::check(&made.program, &options, self.budget, &mut engine::Silent)?;
            match report.outcome {
                Outcome::Unsafe(trace) => {
                    return Ok(Ok(Some(Outcome::Unsafe(made.threads(self.program, &trace)))));
                }
                Outcome::Safe(_) => self.effort.rounds = u64::from(rounds),
                Outcome::Unknown(_) => {
                    if let Err(spent) = self.budget.poll() {
                        return Ok(Err(spent));
                    }
                    break;
                }
            }
        }
        Ok(Ok(None))
    }

    /// What is known where there is no answer.
    fn known(&mut self) -> String {
        let Effort { rounds, threads, .. } = self.effort;
        if rounds > 0 {
            let word = if rounds == 1 { "round" } else { "rounds" };
            self.said.push(format!("there is no error in schedules of up to {rounds} {word}"));
        }
        if threads > 0 {
            self.said.push(format!("there is no error with up to {threads} threads"));
        }
        match self.said.is_empty() {
            true => "no method decides it".to_owned(),
            false => self.said.join("; "),
        }
    }
}
