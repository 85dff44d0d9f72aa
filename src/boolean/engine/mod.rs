//! The engines: is an error node reachable?

pub mod bdd;
pub mod clausal;
mod evidence;
pub mod guide;
mod localize;
mod order;
pub mod path;
pub mod portfolio;
pub mod prepare;
pub mod qbf;
mod statistics;
pub mod symbolic;
pub mod universal;

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::budget::Budget;
use crate::boolean::language::program::Program;
use crate::boolean::proof::Outcome;
use crate::solve;
use crate::solve::logic::Aig;
use crate::solve::qbf::ForallExists;

pub use crate::boolean::proof::Invariant;
pub use bdd::VariableOrder;
pub use statistics::Statistics;
pub use universal::Bound;

/// Which algorithm decides.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// BDDs as long as they stay small; then universal summaries where they stay small, QBF summaries
    /// elsewhere.
    #[default]
    Auto,
    /// QBF summaries.
    ///
    /// SPIN'07 paper, Sect. 3, Fig. 1.
    Qbf,
    /// Universal summaries; QBF summaries for recursive procedures and those that get too large.
    ///
    /// Sect. 4, Figs. 2 and 3.
    Universal,
    /// BDD summaries: Bebop's algorithm.
    Bdd,
}

/// How to decide.  The command line, the library and `--json` use these names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Options {
    pub engine: Engine,
    /// The 2QBF solver.
    pub qbf: solve::qbf::Backend,
    /// The SAT solver.
    pub sat: solve::sat::Backend,
    /// Seed of the random simulation.
    pub seed: u64,
    /// The algorithm of the paper on the whole program: no bounded searches, no clausal
    /// invariant, no localization.
    pub plain: bool,
    /// When a loop has been unrolled far enough, for universal summaries.
    pub bound: Bound,
    /// Size of a path edge, in nodes of the graph, beyond which its procedure is given QBF summaries
    /// instead of a universal one.
    pub universal_limit: usize,
    /// Beyond one, and for [`Engine::Auto`] only: so many engines race ([`portfolio`]).
    pub threads: NonZeroUsize,
    /// The order of BDD variables.
    pub bdd_order: VariableOrder,
    /// SAFE is to come with an invariant that proves it.
    pub certify: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            qbf: solve::qbf::Backend::default(),
            sat: solve::sat::Backend::default(),
            seed: 0,
            plain: false,
            bound: Bound::default(),
            universal_limit: 4_000,
            threads: NonZeroUsize::MIN,
            bdd_order: VariableOrder::default(),
            certify: false,
        }
    }
}

/// Watches a run.  Every method has an empty default.
pub trait Observer {
    /// Called at most some thousand times per second; must be cheap.
    fn progress(&mut self, _statistics: &Statistics) {}
    /// Every ∀∃ query, before it is simplified.
    fn query(&mut self, _aig: &Aig, _query: &ForallExists) {}
}

/// Watches nothing.
#[derive(Debug, Default)]
pub struct Silent;
impl Observer for Silent {}

/// A defect of hardbop itself; never an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The trace of an engine is not an execution of the program.
    #[error("internal error: a counterexample does not replay: {0}")]
    TraceDoesNotReplay(String),
    /// One engine says SAFE, another UNSAFE.
    #[error("internal error: engines disagree about the verdict")]
    Disagreement,
    /// The system refuses threads; no defect, but there is no answer either.
    #[error("cannot start the threads of a race: {0}")]
    Threads(String),
}

/// An answer with what it took.
#[derive(Debug, Clone)]
pub struct Report {
    /// Who answered: the engine that was asked for, or the winner of a race.
    pub engine: Engine,
    pub outcome: Outcome<Invariant>,
    pub statistics: Statistics,
}

/// Decides whether an error node of `program` is reachable.
///
/// # Errors
/// [`EngineError`] where the engine contradicts the interpreter: a bug, to be reported.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    match options.engine {
        Engine::Auto if options.threads > NonZeroUsize::MIN => {
            portfolio::check(program, options, budget, observer)
        }
        Engine::Auto | Engine::Qbf | Engine::Universal | Engine::Bdd => {
            localize::check(program, options, budget, observer)
        }
    }
}
