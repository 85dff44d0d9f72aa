//! An engine takes a prepared program and finds a path to an error node, or evidence that there is
//! none.
//!
//! [`algorithm`] is the one place where [`Engine`]s become code.  Everything around an algorithm is
//! shared: `localize` prepares a program for each search, has the path made concrete and replayed,
//! and chooses the variables for the next search; [`super::portfolio`] lets engines race.

use super::bdd::{self, How, Tables};
use super::evidence::Recorder;
use super::guide::Way;
use super::observer::Observer;
use super::options::{Engine, Options};
use super::path::Failure;
use super::pdr;
use super::prepare::Prepared;
use super::qbf::{Depth, Reachability, Search};
use super::statistics::Statistics;
use super::symbolic::decide::Decider;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;

/// One search for a path to an error node of `prepared`.
pub struct Task<'a> {
    /// The graph of the prepared program's formulas.
    pub aig: Aig,
    pub prepared: &'a Prepared<'a>,
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn Observer,
    /// The statistics of earlier searches; this one adds to them.
    pub statistics: &'a mut Statistics,
    /// The effort that earlier searches have needed; this one adds to it.
    pub learned: &'a mut Learned,
    /// Set if evidence is wanted: an algorithm that finds no path records what it has explored.
    pub recorder: Option<&'a mut Recorder>,
}

/// Sizes that have been too much effort for a trial.
#[derive(Debug, Clone, Copy)]
pub struct Learned {
    /// The smallest number of variables that has been too large for BDDs.
    diagrams: usize,
    /// The smallest number of variables that has been too large for property-directed reachability,
    /// with the work that was too little for it.
    directed: Option<(usize, u64)>,
}

impl Default for Learned {
    fn default() -> Self {
        Self { diagrams: usize::MAX, directed: None }
    }
}

impl Learned {
    /// Adds what another part of the run has learned.
    pub fn join(&mut self, other: Self) {
        self.diagrams = self.diagrams.min(other.diagrams);
        self.directed = match (self.directed, other.directed) {
            (Some(mine), Some(others)) => Some(mine.min(others)),
            (mine, others) => mine.or(others),
        };
    }
}

/// The result of a search.
pub enum Found {
    /// No error node can be reached.
    Safe,
    /// A path to an error node, still to be decided on the whole program.
    Path(Way),
    /// There is no path within the bound.
    Bounded,
}

/// An engine's algorithm.
pub trait Algorithm: Sync {
    /// Searches to the end: never [`Found::Bounded`].
    ///
    /// # Errors
    /// If the budget is exhausted, or the engine contradicts itself.
    fn search(&self, task: Task) -> Result<Found, Failure>;

    /// A cheap attempt at the whole program, before localization; `None` if it was given up or the
    /// algorithm has no such attempt.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    fn attempt(&self, _task: Task) -> Result<Option<Found>, Failure> {
        Ok(None)
    }

    /// Whether it has an [`attempt`](Self::attempt).
    fn attempts(&self) -> bool {
        false
    }
}

/// The algorithm of an engine.
#[must_use]
pub fn algorithm(engine: Engine) -> &'static dyn Algorithm {
    match engine {
        Engine::Auto | Engine::Race => &Auto,
        Engine::Qbf => &QbfSummaries,
        Engine::Universal => &UniversalSummaries,
        Engine::Bdd => &BddSummaries,
        Engine::Pdr => &PropertyDirected,
    }
}

/// Fig. 1 of the SPIN'07 paper.
struct QbfSummaries;

impl Algorithm for QbfSummaries {
    fn search(&self, task: Task) -> Result<Found, Failure> {
        explore(task, None, |_| Ok(()))
    }
}

/// Figs. 2 and 3 of the SPIN'07 paper; Fig. 1 for the procedures that they do not cover.
struct UniversalSummaries;

impl Algorithm for UniversalSummaries {
    fn search(&self, task: Task) -> Result<Found, Failure> {
        let (options, budget) = (task.options, task.budget);
        explore(task, None, |search| {
            search.universal(options.bound, options.universal_limit, budget)
        })
    }
}

/// Bebop's algorithm.
struct BddSummaries;

impl Algorithm for BddSummaries {
    fn search(&self, mut task: Task) -> Result<Found, Failure> {
        let budget = task.budget;
        diagrams(&mut task, Tables::All, budget)
    }
}

/// IC3 over procedure summaries.
struct PropertyDirected;

impl Algorithm for PropertyDirected {
    fn search(&self, mut task: Task) -> Result<Found, Failure> {
        let budget = task.budget;
        pdr::search(&mut task, budget)
    }

    fn attempt(&self, mut task: Task) -> Result<Option<Found>, Failure> {
        directed_first(&mut task)
    }

    fn attempts(&self) -> bool {
        true
    }
}

/// A short attempt by property-directed reachability, in which runs that are long but narrow are
/// followed as well.
fn directed_first(task: &mut Task) -> Result<Option<Found>, Failure> {
    let work = task.options.limits.trial.first_directed;
    directed(task, work, pdr::search_then_follow)
}

/// Property-directed reachability as long as that takes little work.
fn directed(
    task: &mut Task,
    work: u64,
    search: fn(&mut Task, &Budget) -> Result<Found, Failure>,
) -> Result<Option<Found>, Failure> {
    let variables = task.prepared.slice.relevant.count_ones(..);
    if work == 0
        || variables >= task.options.limits.trial.many_variables
        || task.learned.directed.is_some_and(|(n, w)| variables >= n && work <= w)
    {
        return Ok(None);
    }
    let found = trial(task, work, search)?;
    if found.is_none() {
        task.learned.directed = Some((variables, work));
    }
    Ok(found)
}

/// BDD summaries within the limits of a trial.
fn small_diagrams(task: &mut Task) -> Result<Option<Found>, Failure> {
    let variables = task.prepared.slice.relevant.count_ones(..);
    let limits = &task.options.limits.trial;
    // What was too large with fewer variables will be too large again.
    if variables >= task.learned.diagrams.min(limits.many_variables) {
        return Ok(None);
    }
    let (tables, work) = match variables <= limits.few_variables {
        true => (Tables::All, limits.long_work),
        false => (Tables::Smallest, limits.work),
    };
    let found = trial(task, work, |task, budget| diagrams(task, tables, budget))?;
    if found.is_none() {
        task.learned.diagrams = variables;
    }
    Ok(found)
}

/// A search that may do so much work; `None` if that was too little.
fn trial(
    task: &mut Task,
    work: u64,
    search: impl FnOnce(&mut Task, &Budget) -> Result<Found, Failure>,
) -> Result<Option<Found>, Failure> {
    let budget = task.budget.trial(work);
    match search(task, &budget) {
        Ok(found) => Ok(Some(found)),
        Err(Failure::Exhausted(_)) => {
            // Did only the trial's share of the budget run out, or all of it?
            task.budget.check()?;
            Ok(None)
        }
        Err(e) => Err(e),
    }
}

/// Property-directed reachability and BDDs as long as they take little work; then universal
/// summaries where they stay small, and QBF summaries elsewhere.
struct Auto;

impl Algorithm for Auto {
    fn search(&self, mut task: Task) -> Result<Found, Failure> {
        let (options, budget) = (task.options, task.budget);
        let limits = &options.limits.trial;
        if let Some(found) = directed(&mut task, limits.first_directed, pdr::search)? {
            return Ok(found);
        }
        if let Some(found) = small_diagrams(&mut task)? {
            return Ok(found);
        }
        if let Some(found) = directed(&mut task, limits.directed, pdr::search)? {
            return Ok(found);
        }
        let trial = budget.trial(options.limits.trial.work);
        explore(task, None, |search| {
            let nodes = options.limits.universal.auto_nodes;
            search.universal(options.bound, nodes, &trial).or_else(|_| budget.check())
        })
    }

    fn attempt(&self, mut task: Task) -> Result<Option<Found>, Failure> {
        match directed_first(&mut task)? {
            None => small_diagrams(&mut task),
            found => Ok(found),
        }
    }

    fn attempts(&self) -> bool {
        true
    }
}

/// A search up to the bound `depth`: SAT calls only, whatever the engine.
///
/// # Errors
/// As [`Algorithm::search`].
pub fn bounded(task: Task, depth: Depth) -> Result<Found, Failure> {
    explore(task, Some(depth), |_| Ok(()))
}

/// Searches with path edges as formulas, after making universal summaries if `summarise` is given.
fn explore(
    task: Task,
    depth: Option<Depth>,
    summarise: impl FnOnce(&mut Search) -> Result<(), Exhausted>,
) -> Result<Found, Failure> {
    let Task { aig, prepared, options, budget, observer, statistics, recorder, .. } = task;
    let decider = Decider::new(prepared.program.procedures.len(), options);
    let mut search =
        Search::new(aig, prepared, budget, observer, decider, statistics.clone(), depth);
    let answer = summarise(&mut search).and_then(|()| search.run());
    *statistics = search.statistics();
    Ok(match answer? {
        Reachability::Unreachable => {
            if let Some(recorder) = recorder {
                recorder.search(search.seen(), budget)?;
            }
            Found::Safe
        }
        Reachability::Bounded => Found::Bounded,
        Reachability::Reachable(failure) => {
            Found::Path(Way { steps: search.path(&failure)?, hints: vec![] })
        }
    })
}

/// Searches with BDDs.
fn diagrams(task: &mut Task, tables: Tables, budget: &Budget) -> Result<Found, Failure> {
    let Task { aig, prepared, options, observer, statistics, recorder, .. } = task;
    let how = How { order: options.bdd_order, tables, limits: &options.limits };
    let recorder = recorder.as_deref_mut();
    let way = bdd::search(aig, prepared, how, budget, &mut **observer, statistics, recorder)?;
    Ok(way.map_or(Found::Safe, Found::Path))
}
