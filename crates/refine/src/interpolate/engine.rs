//! The engine of sequence interpolation: reduces a path to a core, tries one strategy after
//! another, and proves what they propose.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::limits;
use hardbop_base::budget::Budget;
use hardbop_smt::log::{Logged, Purpose, QueryLog};
use hardbop_smt::solver::{SmtAnswer, SmtError, Unknown};
use hardbop_smt::term::{Term, Terms};
use hardbop_smt::z3::Z3;

use super::check;
use super::path::InfeasiblePath;
use super::projection::{Direction, Projection};
use super::spacer::Spacer;
use super::strategy::{Interpolator, Proposal};

/// Which strategies may be used.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_refine::interpolate::{
///     Interpolation, InterpolationEngine, InterpolationOptions, Strategy,
/// };
/// use hardbop_smt::{Comparison, Sort, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.symbol("x", Sort::Bits(8));
/// let (x, five, seven) = (terms.variable(x), terms.bits(8, 5), terms.bits(8, 7));
/// let path = [terms.compare(Comparison::ULt, x, five), terms.compare(Comparison::ULt, seven, x)];
/// let options = InterpolationOptions { strategy: Strategy::Projection, ..Default::default() };
/// let mut engine = InterpolationEngine::new(options);
/// let found = engine.interpolate(&mut terms, &path, &Budget::unlimited())?;
/// let Interpolation::Interpolants(between) = found else { panic!("no x is below 5 and above 7") };
/// assert_eq!(between, [path[0]]);
/// # Ok::<(), hardbop_smt::SmtError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Strategy {
    /// One strategy after the other.
    ///
    /// All, in the order of `InterpolationStatistics::attempts`.
    #[default]
    Auto,
    /// Horn clauses: Spacer over linear integers, then over bit-vectors.
    Spacer,
    /// Strongest postconditions, then weakest preconditions.
    Projection,
}

/// How to interpolate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InterpolationOptions {
    pub strategy: Strategy,
    pub limits: limits::Interpolation,
}

/// The outcome for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interpolation {
    /// One interpolant for each cut point: one fewer than there are blocks.
    Interpolants(Vec<Term>),
    /// The path is feasible.
    Sat,
    Unknown(Unknown),
}

/// The outcomes of the attempts with a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Attempts {
    pub strategy: &'static str,
    /// Proposals that were proved.
    pub used: u64,
    /// Proposals that were no sequence of interpolants.
    pub wrong: u64,
    /// Paths for which it proposed nothing.
    pub gave_up: u64,
    pub duration: Duration,
}

/// Counts over the lifetime of an interpolation engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct InterpolationStatistics {
    pub paths: u64,
    pub feasible: u64,
    /// Paths for which no strategy succeeded.
    pub failed: u64,
    /// The attempts by strategy, in the order in which they are tried.
    pub attempts: Vec<Attempts>,
}

/// Interpolates one path after the other.
pub struct InterpolationEngine {
    /// Made for the first path, for many programs are decided without one.
    solver: Option<Logged<Z3>>,
    log: Option<QueryLog>,
    options: InterpolationOptions,
    strategies: Vec<Box<dyn Interpolator>>,
    statistics: InterpolationStatistics,
}

impl std::fmt::Debug for InterpolationEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InterpolationEngine")
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

impl InterpolationEngine {
    /// An engine for paths over one store of terms.
    pub fn new(options: InterpolationOptions) -> Self {
        let limits = options.limits;
        let spacer = |integers| Box::new(Spacer { integers, work: limits.spacer_work });
        let project = |direction| Box::new(Projection { direction, subterms: limits.subterms });
        let mut strategies: Vec<Box<dyn Interpolator>> = Vec::new();
        if options.strategy != Strategy::Projection {
            strategies.push(spacer(true));
        }
        if options.strategy != Strategy::Spacer {
            strategies.push(project(Direction::Forward));
            strategies.push(project(Direction::Backward));
        }
        if options.strategy != Strategy::Projection {
            strategies.push(spacer(false));
        }
        let attempts = strategies
            .iter()
            .map(|s| Attempts { strategy: s.name(), ..Attempts::default() })
            .collect();
        let statistics = InterpolationStatistics { attempts, ..InterpolationStatistics::default() };
        Self { solver: None, log: None, options, strategies, statistics }
    }

    /// Logs its queries, except those that strategies make on their own, such as Horn clauses.
    #[must_use]
    pub fn with_log(self, log: Option<&QueryLog>) -> Self {
        Self { log: log.cloned(), ..self }
    }

    /// The statistics so far.
    pub fn statistics(&self) -> &InterpolationStatistics {
        &self.statistics
    }

    /// Interpolates the path of these blocks (see the module).  A path without blocks is feasible.
    ///
    /// # Errors
    /// If the solver refuses.
    pub fn interpolate(
        &mut self,
        terms: &mut Terms,
        blocks: &[Term],
        budget: &Budget,
    ) -> Result<Interpolation, SmtError> {
        self.statistics.paths += 1;
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => Logged::new(Z3::new()?, self.log.as_ref(), Purpose::Interpolation),
        };
        let found = self.interpolate_with(&mut solver, terms, blocks, budget);
        self.solver = Some(solver);
        found
    }

    fn interpolate_with(
        &mut self,
        solver: &mut Logged<Z3>,
        terms: &mut Terms,
        blocks: &[Term],
        budget: &Budget,
    ) -> Result<Interpolation, SmtError> {
        let limits = self.options.limits;
        solver.inner().set_work_limit(Some(limits.slice_work))?;
        let quick = InfeasiblePath::slice(solver, terms, blocks, limits.core_rounds, budget);
        solver.inner().set_work_limit(None)?;
        let mut last = Unknown::Incomplete("no interpolation strategy is available".into());
        let mut tried = 0;
        let sliced = match quick? {
            Err(SmtAnswer::Unknown(Unknown::Incomplete(_))) => {
                // The path may be easy over integers, and the proof goes block by block.
                if self.options.strategy != Strategy::Projection {
                    let path = InfeasiblePath::whole(terms, blocks);
                    tried = 1;
                    match self.attempt(0, solver, terms, &path, budget)? {
                        Ok(found) => return Ok(Interpolation::Interpolants(found)),
                        Err(reason) => last = reason,
                    }
                }
                InfeasiblePath::slice(solver, terms, blocks, limits.core_rounds, budget)?
            }
            quick => quick,
        };
        let path = match sliced {
            Ok(path) => path,
            Err(SmtAnswer::Unknown(reason)) => return Ok(Interpolation::Unknown(reason)),
            Err(_) => {
                self.statistics.feasible += 1;
                return Ok(Interpolation::Sat);
            }
        };
        if path.cuts() == 0 {
            // A single block is contradictory.
            return Ok(Interpolation::Interpolants(path.expand(terms, &[])));
        }
        // Strategies that failed on the whole path come last.
        let order = (tried..self.strategies.len()).chain(0..tried);
        for k in order {
            if let Err(spent) = budget.check() {
                return Ok(Interpolation::Unknown(spent.into()));
            }
            match self.attempt(k, solver, terms, &path, budget)? {
                Ok(found) => return Ok(Interpolation::Interpolants(found)),
                Err(reason) => last = reason,
            }
        }
        self.statistics.failed += 1;
        Ok(Interpolation::Unknown(match budget.check() {
            Err(spent) => spent.into(),
            Ok(()) => last,
        }))
    }

    /// Interpolants of the whole path, found by one strategy and proved, or the reason why there
    /// are none.
    fn attempt(
        &mut self,
        strategy: usize,
        solver: &mut Logged<Z3>,
        terms: &mut Terms,
        path: &InfeasiblePath,
        budget: &Budget,
    ) -> Result<Result<Vec<Term>, Unknown>, SmtError> {
        let attempts = &mut self.statistics.attempts[strategy];
        let start = Instant::now();
        // What a strategy may not take is left for the next one.
        let share = budget.with_memory_share(self.options.limits.memory);
        let proposal = match self.strategies[strategy].propose(terms, path, &share) {
            Ok(proposal) => proposal,
            // The strategy cannot handle a term or an operation; the next one may.
            Err(error) => Proposal::Nothing(Unknown::Incomplete(error.to_string())),
        };
        let result = match proposal {
            Proposal::Nothing(reason) => {
                attempts.gave_up += 1;
                Err(reason)
            }
            Proposal::Found(found) => match check::prove(solver, terms, path, &found, budget)? {
                Some(proved) => {
                    attempts.used += 1;
                    Ok(path.expand(terms, &proved))
                }
                None => {
                    attempts.wrong += 1;
                    Err(Unknown::Incomplete(format!("{} was wrong", attempts.strategy)))
                }
            },
        };
        attempts.duration += start.elapsed();
        Ok(result)
    }
}
