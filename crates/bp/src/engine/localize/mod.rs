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

mod goals;
mod run;

use std::sync::Arc;

use super::algorithm;
use super::clausal;
use super::evidence::Recorder;
use super::limits;
use super::observer::Observer;
use super::options::Options;
use super::path;
use super::prepare::{self, Extent, Terms, shape::Shaped, slice::failing_procedures};
use super::qbf::Depth;
use super::report::{EngineError, Report};
use crate::language::program::{ProcId, Program};
use crate::proof::Outcome;
use hardbop_base::budget::Budget;
use hardbop_logic::Aig;

use goals::Goal;
use run::{Decided, Gathered, Run, Step, Subject};

/// The bounded search that comes before everything else.
fn quick(limits: &limits::Bounded) -> Depth {
    Depth {
        edges: limits.quick_edges,
        nodes: limits.quick_nodes,
        calls: u32::MAX,
        conflicts: limits.quick_conflicts,
        diagrams: limits.quick_diagrams,
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
    let algorithm = algorithm::algorithm(options.engine);
    let mut subject = Subject { program, options, algorithm, facts: None, live: None };
    let mut gathered = Gathered::new(options.certify.then(|| Recorder::new(program)));
    let outcome = match decide(&mut subject, &mut gathered, budget, observer) {
        Ok(Decided::Safe) => {
            let recorder = gathered.recorder.take();
            Outcome::Safe(recorder.map(Recorder::invariant).unwrap_or_default())
        }
        Ok(Decided::Unsafe(trace)) => Outcome::Unsafe(trace),
        Err(path::Failure::Exhausted(reason)) => Outcome::Unknown(reason.into()),
        Err(path::Failure::Engine(e)) => return Err(e),
    };
    let mut statistics = gathered.statistics;
    statistics.variables = program.variables.len() as u64;
    statistics.procedures = program.procedures.len() as u64;
    statistics.nodes = program.procedures.iter().map(|p| p.nodes.len() as u64).sum();
    statistics.work = budget.work();
    statistics.peak_memory_bytes = hardbop_base::budget::peak_resident_bytes().unwrap_or(0);
    Ok(Report { engine: options.engine, outcome, statistics, rejected: vec![] })
}

fn decide(
    subject: &mut Subject,
    gathered: &mut Gathered,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Decided, path::Failure> {
    let targets = failing_procedures(subject.program);
    if targets.is_empty() {
        return Ok(Decided::Safe);
    }
    let mut run = Run { subject, gathered, budget, observer };
    let all = run.shaped(&targets);
    if let Some(decided) = run.together(&all)? {
        return Ok(decided);
    }
    let goals = infer(subject, gathered, all, &targets, budget)?;
    goals::decide(&mut Run { subject, gathered, budget, observer }, goals)
}

/// Computes facts; returns the goals that they leave open.
fn infer(
    subject: &mut Subject,
    gathered: &mut Gathered,
    all: Shaped,
    targets: &[ProcId],
    budget: &Budget,
) -> Result<Vec<Goal>, path::Failure> {
    let Subject { program, options, .. } = *subject;
    let Options { seed, sat, ref limits, .. } = *options;
    let mut aig = Aig::new();
    let prepared = prepare::prepare(
        &mut aig,
        program,
        all.into(),
        Extent::All,
        Terms { switches: None, facts: None },
        &limits.prepare,
        budget,
    )?;
    let (facts, sat) = clausal::infer(&prepared, &mut aig, seed, sat, &limits.clausal, budget)?;
    let statistics = &mut gathered.statistics;
    statistics.sat_calls += sat.calls;
    statistics.sat_milliseconds += sat.duration.as_secs_f64() * 1e3;
    statistics.known_clauses = facts.count();
    let error = |p: ProcId| program.procedure(p).error;
    let open = targets.iter().filter(|p| !facts.is_unreachable(**p, error(**p)));
    let goals: Vec<Goal> = open.map(|&p| Goal::new(p, program, &limits.bounded)).collect();
    if let Some(recorder) = &mut gathered.recorder {
        recorder.clauses(&prepared, &facts);
    }
    statistics.settled_by_clauses = (targets.len() - goals.len()) as u64;
    subject.facts = Some(Arc::new(facts));
    subject.live = Some(prepared.liveness);
    Ok(goals)
}

impl Run<'_, '_> {
    /// Tries to decide all goals at once.
    fn together(&mut self, all: &Shaped) -> Step {
        if self.subject.options.plain {
            return match self.attempt(all)? {
                None => self.plain(all),
                decided => Ok(decided),
            };
        }
        // For shallow errors and programs without loops.
        let limits = &self.subject.options.limits.bounded;
        if let Some(decided) = self.bounded(all, quick(limits))? {
            return Ok(Some(decided));
        }
        let small = self.gathered.statistics.aig_nodes <= limits.small_nodes;
        if small && let Some(decided) = self.deepen(all)? {
            return Ok(Some(decided));
        }
        if let Some(decided) = self.attempt(all)? {
            return Ok(Some(decided));
        }
        // On a small graph this would repeat the quick search.
        if small { Ok(None) } else { self.bounded(all, goals::first(limits)) }
    }

    /// The algorithm's cheap attempt at all goals, if it has one.
    fn attempt(&mut self, all: &Shaped) -> Step {
        if !self.subject.algorithm.attempts() {
            return Ok(None);
        }
        match self.searched(all, false, |algorithm, task| algorithm.attempt(task))? {
            None => Ok(None),
            Some(found) => self.confirm(all, found),
        }
    }

    /// The engine's algorithm on everything on which the errors may depend.
    fn plain(&mut self, all: &Shaped) -> Step {
        let found = self.search(all)?;
        self.confirm(all, found)
    }

    /// Bounded searches, deeper and deeper as long as they are cheap.
    fn deepen(&mut self, part: &Shaped) -> Step {
        let before = self.gathered.statistics.sat_calls;
        let limits = &self.subject.options.limits.bounded;
        let (most, nodes, conflicts) =
            (limits.deep_calls, limits.deep_nodes, limits.deep_conflicts);
        let mut edges = limits.deep_edges;
        while edges <= limits.deepest_edges {
            let used = self.gathered.statistics.sat_calls - before;
            let calls = used.min(u64::from(most)) as u32;
            if calls == most {
                break;
            }
            let depth = Depth { edges, nodes, calls: most - calls, conflicts, diagrams: 0 };
            if let Some(decided) = self.bounded(part, depth)? {
                return Ok(Some(decided));
            }
            edges = edges.saturating_mul(edges);
        }
        Ok(None)
    }
}
