//! Chooses the variables to look at: localization (Kurshan, "Computer-Aided Verification of
//! Coordinating Processes", 1994), with any engine as the checker.
//!
//! Most variables of a program have nothing to do with the property.  The search starts without
//! any; a variable that is left out has an arbitrary value whenever it is read, so SAFE remains
//! valid.  A path to an error is checked on the whole program: it is a counterexample, or the
//! variables that refute it are added.  Once all variables are included, the search is the engine's
//! algorithm on the program itself.
//!
//! Different properties need different variables, so the error nodes of each procedure form a goal
//! of their own; goals take turns.
//!
//! A path through code that does not matter may be infeasible although another one is feasible.
//! Before too many variables are added for such reasons, and once at the start, loops are explored
//! a bounded number of times with all variables: that takes SAT calls only, finds shallow errors,
//! and settles programs without loops and recursion.  If the graph of this search is small, the
//! bound is raised a few times at once, which finds deep errors.
//!
//! Goals then settled by clausal invariants ([`super::clausal`]) are dropped; the searches for the
//! other goals use the invariants.

use std::collections::VecDeque;
use std::rc::Rc;

use fixedbitset::FixedBitSet;

use super::algorithm::{self, Algorithm, Found, Task};
use super::clausal;
use super::evidence::Recorder;
use super::guide::{Guide, Guided, Way};
use super::limits;
use super::observer::Observer;
use super::options::Options;
use super::path::{self, Hint};
use super::prepare::{
    self, Extent, Part, Terms,
    facts::Facts,
    liveness::Liveness,
    shape::{Passable, Shaped},
    slice::{failing_procedures, slice},
};
use super::report::{EngineError, Report};
use super::statistics::Statistics;
use crate::base::budget::{Budget, Exhausted};
use crate::boolean::engine::qbf::Depth;
use crate::boolean::language::interpret::replay;
use crate::boolean::language::program::{ProcId, Program};
use crate::boolean::proof::{Invariant, Outcome};
use crate::solve::logic::Aig;

/// The bounded search that comes before everything else.
fn quick(limits: &limits::Bounded) -> Depth {
    Depth {
        edges: limits.quick_edges,
        nodes: limits.quick_nodes,
        calls: u32::MAX,
        conflicts: limits.quick_conflicts,
    }
}

/// The first bounded search of a goal; later ones accept more and more path edges.
fn first(limits: &limits::Bounded) -> Depth {
    Depth {
        edges: limits.first_edges,
        nodes: limits.first_nodes,
        calls: u32::MAX,
        conflicts: limits.first_conflicts,
    }
}

/// Decides `program` with the engine of `options`, one engine alone.
///
/// # Errors
/// [`EngineError`] if a counterexample contradicts the program.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let mut run = Run {
        program,
        options,
        budget,
        observer,
        statistics: Statistics::default(),
        facts: None,
        live: None,
        passable: Rc::default(),
        recorder: options.certify.then(|| Recorder::new(program)),
        algorithm: algorithm::algorithm(options.engine),
    };
    let outcome = match run.decide() {
        Ok(outcome) => outcome,
        Err(path::Failure::Exhausted(reason)) => Outcome::Unknown(reason.into()),
        Err(path::Failure::Engine(e)) => return Err(e),
    };
    let mut statistics = run.statistics;
    statistics.variables = program.variables.len() as u64;
    statistics.procedures = program.procedures.len() as u64;
    statistics.nodes = program.procedures.iter().map(|p| p.nodes.len() as u64).sum();
    statistics.work = budget.work();
    statistics.peak_memory_bytes = crate::base::budget::peak_resident_bytes().unwrap_or(0);
    Ok(Report { engine: options.engine, outcome, statistics })
}

/// The error nodes of one procedure, and what is known about them.
struct Goal<'a> {
    procedure: ProcId,
    /// The variables that are looked at.
    kept: FixedBitSet,
    /// Made when the first path needs checking; given back after a turn, for those of many goals take much memory.
    guide: Option<Guide<'a>>,
    rounds: u32,
    /// The next bounded search: the round in which it comes, and its depth.
    next_bounded: u32,
    depth: Depth,
}

impl Goal<'_> {
    fn new(procedure: ProcId, variables: usize, limits: &limits::Bounded) -> Self {
        let (next_bounded, depth) = (limits.first_round, first(limits));
        let kept = FixedBitSet::with_capacity(variables);
        Self { procedure, kept, guide: None, rounds: 0, next_bounded, depth }
    }
}

/// The result of a round.
enum Round {
    Safe,
    Unsafe(Outcome<Invariant>),
    Open,
}

struct Run<'a> {
    program: &'a Program,
    options: &'a Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    /// What is known of all executions; `None` until it is computed.
    facts: Option<Rc<Facts>>,
    /// The live variables of all goals together; computed with the facts.
    live: Option<Liveness>,
    passable: Rc<Passable>,
    /// Set if evidence is wanted.
    recorder: Option<Recorder>,
    algorithm: Box<dyn Algorithm>,
}

impl<'a> Run<'a> {
    fn decide(&mut self) -> Result<Outcome<Invariant>, path::Failure> {
        let targets = failing_procedures(self.program);
        if targets.is_empty() {
            return Ok(self.safe());
        }
        let all = self.shaped(&targets);
        if self.options.plain {
            return match self.attempt(&all)? {
                Some(outcome) => Ok(outcome),
                None => self.plain(all),
            };
        }
        // All goals at once, for shallow errors and programs without loops.
        let limits = &self.options.limits.bounded;
        if let Some(outcome) = self.shallow(&all, quick(limits))? {
            return Ok(outcome);
        }
        let small = self.statistics.aig_nodes <= limits.small_nodes;
        if small && let Some(outcome) = self.deepen(&all)? {
            return Ok(outcome);
        }
        if let Some(outcome) = self.attempt(&all)? {
            return Ok(outcome);
        }
        // On a small graph this would repeat the quick search.
        if !small && let Some(outcome) = self.shallow(&all, first(limits))? {
            return Ok(outcome);
        }
        let mut goals = self.infer(all, &targets)?;
        while let Some(mut goal) = goals.pop_front() {
            match self.turn(&mut goal)? {
                Round::Safe => {}
                Round::Unsafe(outcome) => return Ok(outcome),
                Round::Open => goals.push_back(goal),
            }
        }
        Ok(self.safe())
    }

    fn safe(&mut self) -> Outcome<Invariant> {
        Outcome::Safe(self.recorder.take().map(Recorder::invariant).unwrap_or_default())
    }

    /// The algorithm's cheap attempt at all goals, if it has one.
    fn attempt(&mut self, all: &Shaped) -> Result<Option<Outcome<Invariant>>, path::Failure> {
        if !self.algorithm.attempts() {
            return Ok(None);
        }
        match self.searched(all.clone(), false, |algorithm, task| algorithm.attempt(task))? {
            None | Some(Found::Bounded) => Ok(None),
            Some(Found::Safe) => Ok(Some(self.safe())),
            Some(Found::Path(way)) => {
                let mut guide = self.guide(all, None)?;
                self.confirm(&mut guide, &way, &all.slice.relevant).map(Some)
            }
        }
    }

    /// The engine's algorithm on everything on which the errors may depend.
    fn plain(&mut self, all: Shaped) -> Result<Outcome<Invariant>, path::Failure> {
        match self.search(all.clone(), None)? {
            Found::Safe => Ok(self.safe()),
            Found::Bounded => unreachable!("no bound was given"),
            Found::Path(path) => {
                let mut guide = self.guide(&all, None)?;
                self.confirm(&mut guide, &path, &all.slice.relevant)
            }
        }
    }

    /// What may matter for the errors of these procedures.
    fn shaped(&self, targets: &[ProcId]) -> Shaped {
        let slice = slice(self.program, targets);
        Shaped::new(self.program, slice, Rc::clone(&self.passable))
    }

    /// Computes facts; returns the goals that they leave open.
    fn infer(
        &mut self,
        all: Shaped,
        targets: &[ProcId],
    ) -> Result<VecDeque<Goal<'a>>, path::Failure> {
        let program = self.program;
        let mut aig = Aig::new();
        let prepared = prepare::prepare(
            &mut aig,
            program,
            all.into(),
            Extent::All,
            Terms { switches: None, facts: None },
            &self.options.limits.prepare,
            self.budget,
        )?;
        let Options { seed, sat, ref limits, .. } = *self.options;
        let (facts, sat) =
            clausal::infer(&prepared, &mut aig, seed, sat, &limits.clausal, self.budget)?;
        self.statistics.sat_calls += sat.calls;
        self.statistics.sat_milliseconds += sat.duration.as_secs_f64() * 1e3;
        self.statistics.known_clauses = facts.count();
        let error = |p: ProcId| program.procedure(p).error;
        let open = targets.iter().filter(|p| !facts.is_unreachable(**p, error(**p)));
        let goals: VecDeque<Goal> =
            open.map(|&p| Goal::new(p, program.variables.len(), &limits.bounded)).collect();
        if let Some(recorder) = &mut self.recorder {
            recorder.clauses(&prepared, &facts);
        }
        self.statistics.settled_by_clauses = (targets.len() - goals.len()) as u64;
        self.facts = Some(Rc::new(facts));
        self.live = Some(prepared.liveness);
        Ok(goals)
    }

    /// Some rounds of a goal.
    fn turn(&mut self, goal: &mut Goal<'a>) -> Result<Round, path::Failure> {
        let part = self.shaped(&[goal.procedure]);
        for _ in 0..self.options.limits.bounded.turn {
            match self.round(goal, &part)? {
                Round::Open => {}
                decided => return Ok(decided),
            }
        }
        goal.guide = None;
        Ok(Round::Open)
    }

    /// One step towards deciding a goal.
    fn round(&mut self, goal: &mut Goal<'a>, part: &Shaped) -> Result<Round, path::Failure> {
        if goal.rounds == goal.next_bounded && goal.kept != part.slice.relevant {
            match self.bounded(part, goal.depth)? {
                Round::Open => {
                    goal.next_bounded = 2 * goal.rounds + 4;
                    goal.depth.edges += 1;
                }
                decided => return Ok(decided),
            }
        }
        goal.rounds += 1;
        let path = match self.search(part.restrict(self.program, goal.kept.clone()), None)? {
            Found::Safe => return Ok(Round::Safe),
            Found::Bounded => unreachable!("no bound was given"),
            Found::Path(path) => path,
        };
        let Goal { kept, guide, .. } = goal;
        let guide = match guide {
            Some(guide) => guide,
            None => guide.insert(self.guide(part, self.facts.clone())?),
        };
        match guide.check(&path, kept, self.budget)? {
            Guided::Feasible(path, hints) => Ok(Round::Unsafe(self.concretise(&path, &hints)?)),
            Guided::Infeasible(variables) => {
                self.statistics.refinements += 1;
                kept.extend(variables.into_iter().map(|v| v.index()));
                Ok(Round::Open)
            }
        }
    }

    /// Bounded searches, deeper and deeper as long as they are cheap.
    fn deepen(&mut self, part: &Shaped) -> Result<Option<Outcome<Invariant>>, path::Failure> {
        let before = self.statistics.sat_calls;
        let limits = &self.options.limits.bounded;
        let (most, nodes, conflicts) =
            (limits.deep_calls, limits.deep_nodes, limits.deep_conflicts);
        let mut edges = limits.deep_edges;
        while edges <= limits.deepest_edges {
            let calls = (self.statistics.sat_calls - before).min(u64::from(most)) as u32;
            if calls == most {
                break;
            }
            let depth = Depth { edges, nodes, calls: most - calls, conflicts };
            if let Some(outcome) = self.shallow(part, depth)? {
                return Ok(Some(outcome));
            }
            edges = edges.saturating_mul(edges);
        }
        Ok(None)
    }

    /// The whole program under a slice, for deciding paths.
    fn guide(&self, part: &Shaped, facts: Option<Rc<Facts>>) -> Result<Guide<'a>, Exhausted> {
        let (sat, limits) = (self.options.sat, &self.options.limits.prepare);
        let Shaped { slice, shape } = part.clone();
        let part = Part { slice, shape: Some(shape), live: self.live.as_ref() };
        Guide::new(self.program, part, facts, sat, limits, self.budget)
    }

    /// A bounded search for all goals at once.
    fn shallow(
        &mut self,
        part: &Shaped,
        depth: Depth,
    ) -> Result<Option<Outcome<Invariant>>, path::Failure> {
        Ok(match self.bounded(part, depth)? {
            Round::Safe => Some(self.safe()),
            Round::Unsafe(outcome) => Some(outcome),
            Round::Open => None,
        })
    }

    /// A bounded search with all variables.
    fn bounded(&mut self, part: &Shaped, depth: Depth) -> Result<Round, path::Failure> {
        match self.search(part.clone(), Some(depth))? {
            Found::Safe => Ok(Round::Safe),
            Found::Bounded => Ok(Round::Open),
            Found::Path(path) => {
                let mut guide = self.guide(part, None)?;
                Ok(Round::Unsafe(self.confirm(&mut guide, &path, &part.slice.relevant)?))
            }
        }
    }

    /// The trace of a path found with all variables.
    fn confirm(
        &self,
        guide: &mut Guide,
        path: &Way,
        all: &FixedBitSet,
    ) -> Result<Outcome<Invariant>, path::Failure> {
        match guide.check(path, all, self.budget)? {
            Guided::Feasible(path, hints) => self.concretise(&path, &hints),
            Guided::Infeasible(_) => {
                let what = "a path found with all variables is infeasible".to_string();
                Err(EngineError::TraceDoesNotReplay(what).into())
            }
        }
    }

    fn concretise(
        &self,
        path: &path::Path,
        hints: &[(usize, Hint)],
    ) -> Result<Outcome<Invariant>, path::Failure> {
        let trace = path::concretise(self.program, path, hints, self.options.sat, self.budget)?;
        // The interpreter shares no code with what found the trace.
        replay(self.program, &trace).map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
        Ok(Outcome::Unsafe(trace))
    }

    /// Searches a slice: to the end with the engine's algorithm, or up to a bound.
    fn search(&mut self, part: Shaped, bound: Option<Depth>) -> Result<Found, path::Failure> {
        self.searched(part, bound.is_none(), |algorithm, task| match bound {
            Some(depth) => algorithm::bounded(task, depth),
            None => algorithm.search(task),
        })
    }

    /// Prepares a slice, with the facts if given, and has it searched.
    fn searched<F>(
        &mut self,
        part: Shaped,
        facts: bool,
        search: impl FnOnce(&mut dyn Algorithm, Task) -> Result<F, path::Failure>,
    ) -> Result<F, path::Failure> {
        let Self { program, options, budget, .. } = *self;
        let mut aig = Aig::new();
        let facts = self.facts.as_deref().filter(|_| facts);
        let terms = Terms { switches: None, facts };
        let limits = &options.limits.prepare;
        let extent = Extent::Explored;
        let prepared =
            prepare::prepare(&mut aig, program, part.into(), extent, terms, limits, budget)?;
        let (cut_nodes, variables, procedures) = prepared.sizes();
        self.statistics.relevant_variables = variables as u64;
        self.statistics.relevant_procedures = procedures as u64;
        self.statistics.cut_nodes = cut_nodes as u64;
        let task = Task {
            aig,
            prepared: &prepared,
            options,
            budget,
            observer: &mut *self.observer,
            statistics: &mut self.statistics,
            recorder: self.recorder.as_mut(),
        };
        search(&mut *self.algorithm, task)
    }
}
