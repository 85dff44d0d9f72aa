//! An engine takes a prepared program and finds a path to an error node, or evidence that there is
//! none.
//!
//! [`algorithm`] is the one place where [`Engine`]s become code.  Everything around an algorithm is
//! shared: `localize` prepares a program for each search, has the path made concrete and replayed,
//! and chooses the variables for the next search; [`super::portfolio`] lets engines race.

use super::bdd::{self, How, Tables};
use super::evidence::Recorder;
use super::guide::way::Way;
use super::observer::Observer;
use super::options::{Engine, Options};
use super::path::Failure;
use super::pdr;
use super::prepare::Prepared;
use super::qbf::{Depth, Reachability, Search};
use super::statistics::Statistics;
use super::strategy::{Action, Step};
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

/// Sizes that have been too much effort for a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Learned {
    diagrams: Option<TooLarge>,
    directed: Option<TooLarge>,
}

/// The smallest number of variables that has been too large, with the work that was too little.
type TooLarge = (usize, u64);

impl Learned {
    /// Adds what another part of the run has learned.
    pub fn join(&mut self, other: Self) {
        let least = |mine: Option<TooLarge>, others| match (mine, others) {
            (Some(mine), Some(others)) => Some(mine.min(others)),
            (mine, others) => mine.or(others),
        };
        self.diagrams = least(self.diagrams, other.diagrams);
        self.directed = least(self.directed, other.directed);
    }

    fn of(&mut self, action: Action) -> Option<&mut Option<TooLarge>> {
        match action {
            Action::Pdr => Some(&mut self.directed),
            Action::Bdd => Some(&mut self.diagrams),
            Action::Summaries => None,
        }
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
    fn search(&self, mut task: Task) -> Result<Found, Failure> {
        explore(&mut task, None, |_| Ok(()))
    }
}

/// Figs. 2 and 3 of the SPIN'07 paper; Fig. 1 for the procedures that they do not cover.
struct UniversalSummaries;

impl Algorithm for UniversalSummaries {
    fn search(&self, mut task: Task) -> Result<Found, Failure> {
        let (options, budget) = (task.options, task.budget);
        explore(&mut task, None, |search| {
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
        pdr::search(&mut task, pdr::Means::default(), budget)
    }

    fn attempt(&self, mut task: Task) -> Result<Option<Found>, Failure> {
        let strategy = task.options.engine_strategy.clone();
        take(&mut task, strategy.attempt.iter().filter(|step| step.action == Action::Pdr))
    }

    fn attempts(&self) -> bool {
        true
    }
}

/// Takes steps until one decides.
fn take<'s>(
    task: &mut Task,
    steps: impl Iterator<Item = &'s Step>,
) -> Result<Option<Found>, Failure> {
    let variables = task.prepared.slice.relevant.count_ones(..);
    for step in steps.filter(|step| step.suits(variables)) {
        let work = step.work.unwrap_or(u64::MAX);
        // What was too large with fewer variables will be too large again.
        let too_large = task.learned.of(step.action).and_then(|learned| *learned);
        if too_large.is_some_and(|(n, w)| variables >= n && work <= w) {
            continue;
        }
        let found = match (step.action, step.work) {
            (Action::Summaries, _) => Some(summaries(task, step)?),
            (action, None) => Some(search(task, action, step, task.budget)?),
            (action, Some(work)) => {
                trial(task, work, |task, budget| search(task, action, step, budget))?
            }
        };
        if found.is_some() {
            return Ok(found);
        }
        if let Some(learned) = task.learned.of(step.action) {
            *learned = Some((variables, work));
        }
    }
    Ok(None)
}

/// A step that searches with this budget.
fn search(task: &mut Task, action: Action, step: &Step, budget: &Budget) -> Result<Found, Failure> {
    match action {
        Action::Pdr => {
            let &Step { correspondence, follow, .. } = step;
            pdr::search(task, pdr::Means { correspondence, follow }, budget)
        }
        Action::Bdd => {
            let tables = if step.small_tables { Tables::Smallest } else { Tables::All };
            diagrams(task, tables, budget)
        }
        Action::Summaries => summaries(task, step),
    }
}

/// Universal summaries as long as they stay small, and QBF summaries elsewhere.
fn summaries(task: &mut Task, step: &Step) -> Result<Found, Failure> {
    let (options, budget) = (task.options, task.budget);
    let within = step.work.map_or(budget.clone(), |work| budget.trial(work));
    let nodes = step.nodes.unwrap_or(options.universal_limit);
    explore(task, None, |search| {
        search.universal(options.bound, nodes, &within).or_else(|_| budget.check())
    })
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

/// The steps of a [`Strategy`](super::strategy::Strategy).
struct Auto;

impl Algorithm for Auto {
    fn search(&self, mut task: Task) -> Result<Found, Failure> {
        let strategy = task.options.engine_strategy.clone();
        match take(&mut task, strategy.search.iter())? {
            Some(found) => Ok(found),
            None => explore(&mut task, None, |_| Ok(())),
        }
    }

    fn attempt(&self, mut task: Task) -> Result<Option<Found>, Failure> {
        let strategy = task.options.engine_strategy.clone();
        take(&mut task, strategy.attempt.iter())
    }

    fn attempts(&self) -> bool {
        true
    }
}

/// A search up to the bound `depth`: SAT calls only, whatever the engine.
///
/// # Errors
/// As [`Algorithm::search`].
pub fn bounded(mut task: Task, depth: Depth) -> Result<Found, Failure> {
    explore(&mut task, Some(depth), |_| Ok(()))
}

/// Searches with path edges as formulas, after making universal summaries if `summarise` is given.
fn explore(
    task: &mut Task,
    depth: Option<Depth>,
    summarise: impl FnOnce(&mut Search) -> Result<(), Exhausted>,
) -> Result<Found, Failure> {
    let Task { prepared, options, budget, observer, statistics, recorder, .. } = task;
    let (aig, budget) = (std::mem::take(&mut task.aig), *budget);
    let decider = Decider::new(prepared.program.procedures.len(), options);
    let mut search =
        Search::new(aig, prepared, budget, &mut **observer, decider, statistics.clone(), depth);
    let answer = summarise(&mut search).and_then(|()| search.run());
    **statistics = search.statistics();
    Ok(match answer? {
        Reachability::Unreachable => {
            if let Some(recorder) = recorder {
                recorder.search(search.seen(), budget)?;
            }
            Found::Safe
        }
        Reachability::Bounded => Found::Bounded,
        Reachability::Reachable(failure) => {
            let (steps, over) = (search.path(&failure)?, prepared.transparent());
            Found::Path(Way { steps, hints: vec![], over })
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
