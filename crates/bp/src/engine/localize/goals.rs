//! Goals take turns, several at once.
//!
//! A goal is what remains to be decided about the error nodes of one procedure.  Up to [`TURNS`]
//! goals have their turns side by side: none of them knows what another one learns, and what they
//! leave behind is put together in their order.  So answer, trace and statistics are the same for
//! every number of threads.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fixedbitset::FixedBitSet;

use super::run::{Decided, Gathered, Run, Step, Subject};
use crate::engine::algorithm::Found;
use crate::engine::guide::{Guide, Guided};
use crate::engine::limits;
use crate::engine::observer::Observer;
use crate::engine::parallel;
use crate::engine::path;
use crate::engine::prepare::shape::Shaped;
use crate::engine::qbf::Depth;
use crate::engine::statistics::Statistics;
use crate::language::program::{ProcId, Program};
use hardbop_base::budget::Budget;
use hardbop_logic::Aig;
use hardbop_qbf::ForallExists;

/// Turns that are taken side by side at first; each time twice as many, up to [`TURNS`].
const FIRST_TURNS: usize = 2;

/// Turns that are taken side by side at most, so threads that are of use.  What turns show about
/// the effort of trials is known to later ones only: on drivers of 10,000 variables there are
/// 109,938 SAT calls with 16 from the beginning, 61,088 with 2, 4, 8 and 16, and 55,473 if each
/// waits for the one before; the time differs by less than the noise.
const TURNS: usize = 16;

/// The first bounded search of a goal; later ones accept more and more path edges.
pub fn first(limits: &limits::Bounded) -> Depth {
    Depth {
        edges: limits.first_edges,
        nodes: limits.first_nodes,
        calls: u32::MAX,
        conflicts: limits.first_conflicts,
        diagrams: 0,
    }
}

/// The error nodes of one procedure, and what is known about them.
pub struct Goal {
    procedure: ProcId,
    /// The variables that are looked at.
    kept: FixedBitSet,
    rounds: u32,
    /// The next bounded search: the round in which it comes, and its depth.
    next_bounded: u32,
    depth: Depth,
}

impl Goal {
    pub fn new(procedure: ProcId, program: &Program, limits: &limits::Bounded) -> Self {
        let (next_bounded, depth) = (limits.first_round, first(limits));
        let kept = FixedBitSet::with_capacity(program.variables.len());
        Self { procedure, kept, rounds: 0, next_bounded, depth }
    }
}

/// A goal whose turn it is.
struct Turn {
    goal: Goal,
    gathered: Gathered,
    budget: Budget,
    /// The end of the budget: lowered once an earlier turn has decided.
    end: Arc<AtomicU64>,
    step: Step,
}

impl Turn {
    fn new(goal: Goal, gathered: &mut Gathered, budget: &Budget) -> Self {
        let end = Arc::new(AtomicU64::new(u64::MAX));
        let (gathered, budget) = (gathered.fork(), budget.racer(Arc::clone(&end)));
        Self { goal, gathered, budget, end, step: Ok(None) }
    }

    /// Takes some rounds.
    fn take(self, subject: &Subject, observer: &mut dyn Observer) -> Self {
        let Self { mut goal, mut gathered, budget, end, .. } = self;
        let step =
            Run { subject, gathered: &mut gathered, budget: &budget, observer }.turn(&mut goal);
        Self { goal, gathered, budget, end, step }
    }

    fn is_open(&self) -> bool {
        matches!(self.step, Ok(None | Some(Decided::Safe)))
    }
}

/// Sees what a part of the run does as what the run has done so far.
struct After<'o> {
    before: Statistics,
    observer: &'o mut dyn Observer,
}

impl Observer for After<'_> {
    fn progress(&mut self, statistics: &Statistics) {
        let mut all = self.before.clone();
        all.join(statistics);
        self.observer.progress(&all);
    }

    fn query(&mut self, aig: &Aig, query: &ForallExists) {
        self.observer.query(aig, query);
    }
}

/// Decides goals: SAFE if none of their error nodes can be reached.
///
/// # Errors
/// If the budget is exhausted, or the engine contradicts itself.
pub fn decide(run: &mut Run, goals: Vec<Goal>) -> Result<Decided, path::Failure> {
    let Run { subject, gathered, budget, observer } = run;
    let threads = subject.options.threads.get().min(goals.len()).min(TURNS);
    let pool = match threads > 1 {
        true => Some(parallel::pool(threads).map_err(path::Failure::Engine)?),
        false => None,
    };
    let mut goals = VecDeque::from(goals);
    let mut turns = FIRST_TURNS;
    while !goals.is_empty() {
        budget.check()?;
        let next = goals.drain(..goals.len().min(turns));
        turns = TURNS.min(2 * turns);
        let next: Vec<Turn> = next.map(|goal| Turn::new(goal, gathered, budget)).collect();
        let mut after = After { before: gathered.statistics.clone(), observer: &mut **observer };
        let taken = match &pool {
            Some(pool) => at_once(subject, pool, next, &mut after),
            None => one_by_one(subject, next, &mut after),
        };
        for turn in taken {
            gathered.join(turn.gathered);
            budget.spend(turn.budget.work());
            match turn.step? {
                Some(Decided::Safe) => {}
                None => goals.push_back(turn.goal),
                Some(decided @ Decided::Unsafe(_)) => return Ok(decided),
            }
        }
    }
    Ok(Decided::Safe)
}

/// Takes turns up to the first that decides.
fn one_by_one(subject: &Subject, turns: Vec<Turn>, observer: &mut dyn Observer) -> Vec<Turn> {
    let mut taken: Vec<Turn> = vec![];
    for turn in turns {
        taken.push(turn.take(subject, observer));
        if taken.last().is_some_and(|turn| !turn.is_open()) {
            break;
        }
    }
    taken
}

/// Takes turns on several threads; nobody waits for those that come after one that decides.
fn at_once(
    subject: &Subject,
    pool: &rayon::ThreadPool,
    turns: Vec<Turn>,
    observer: &mut dyn Observer,
) -> Vec<Turn> {
    let ends: Vec<_> = turns.iter().map(|turn| Arc::clone(&turn.end)).collect();
    let progress = |statistics| observer.progress(&statistics);
    parallel::each(pool, turns, progress, |i, turn, relay| {
        let taken = turn.take(subject, relay);
        if !taken.is_open() {
            ends[i + 1..].iter().for_each(|end| end.store(0, Relaxed));
        }
        taken
    })
}

impl<'a> Run<'a, '_> {
    /// Takes some rounds of a goal.
    fn turn(&mut self, goal: &mut Goal) -> Step {
        let part = self.shaped(&[goal.procedure]);
        // Made when the first path needs checking; not kept, for those of many goals take much
        // memory.
        let mut guide = None;
        for _ in 0..self.subject.options.limits.bounded.turn {
            if let Some(decided) = self.round(goal, &part, &mut guide)? {
                return Ok(Some(decided));
            }
        }
        Ok(None)
    }

    /// Takes one step towards deciding a goal.
    fn round(&mut self, goal: &mut Goal, part: &Shaped, guide: &mut Option<Guide<'a>>) -> Step {
        if goal.rounds == goal.next_bounded && goal.kept != part.slice.relevant {
            if let Some(decided) = self.bounded(part, goal.depth)? {
                return Ok(Some(decided));
            }
            goal.next_bounded = 2 * goal.rounds + 4;
            goal.depth.edges += 1;
        }
        goal.rounds += 1;
        let restricted = part.restrict(self.subject.program, goal.kept.clone());
        let path = match self.search(&restricted)? {
            Found::Safe => return Ok(Some(Decided::Safe)),
            Found::Bounded => unreachable!("no bound was given"),
            Found::Path(path) => path,
        };
        let guide = match guide {
            Some(guide) => guide,
            None => guide.insert(self.guide(part, self.subject.facts.clone())?),
        };
        match guide.check(&path, &goal.kept, self.budget)? {
            Guided::Feasible(path, hints) => self.concretise(&path, &hints).map(Some),
            Guided::Infeasible(variables) => {
                self.gathered.statistics.refinements += 1;
                goal.kept.extend(variables.into_iter().map(|v| v.index()));
                Ok(None)
            }
        }
    }
}
