//! Property-directed reachability over procedure summaries.
//!
//! IC3 (Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011), lifted to procedures as
//! in generalised PDR (Hoder, Bjørner, "Generalized Property Directed Reachability", SAT 2012): the
//! program is a set of Horn clauses, of which returns have two premises (`system`); frames are
//! clauses over the entry values and the current values at the cut nodes (`frames`), so those at an
//! exit are the procedure's may-summary.  Must-summaries are single states, made from the start of
//! the program when an obligation gets there (`facts`), and found again in later obligations
//! (Komuravelli, Gurfinkel, Chaki, "SMT-Based Model Checking for Recursive Programs", CAV 2014).  A
//! return is taken apart: first the caller's state, with all values that enter the callee; then,
//! with that state, the callee's exit.
//!
//! Before the search, `equations` finds what is constant, equal, opposite, or of constant parity.
//! Runs that are long but narrow are followed forwards, state by state (`explore`).
//!
//! Blocking counterexamples to generalisation first (Hassan, Bradley, Somenzi, "Better
//! Generalization in IC3", FMCAD
//! 2013) does not pay here: saturating counters of 32 bits took 5 to 9 s with three for each
//!       literal, 0.04 s without.
//!
//! Without calls, this is IC3 with a frame for each loop head instead of one for all.

mod affine;
mod compose;
mod cube;
mod equations;
mod explore;
mod facts;
mod frames;
mod linear;
mod search;
mod signals;
mod system;

use rustc_hash::FxHashMap;

use super::algorithm::{Found, Task};
use super::evidence::Claim;
use super::path::Failure;
use super::prepare::Prepared;
use super::statistics::Statistics;
use crate::language::program::{NodeId, ProcId, VarId};
use crate::proof::invariant::Atom;
use affine::Hull;
use cube::Cube;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::Effort;
use hardbop_logic::{Aig, Input};
use search::{Answer, Search};
use signals::Signals;
use system::{PlaceId, System};

/// The rules of a program, with the equations that hold, and the error nodes that these do not
/// exclude.
fn system(task: &mut Task, budget: &Budget) -> Result<(System, Vec<PlaceId>), Failure> {
    let Task { aig, prepared, options, statistics, .. } = task;
    let mut system = System::new(aig, prepared, &options.limits.directed);
    let signals = Signals::items(&system);
    let limits = &options.limits.directed;
    let how = (options.sat, limits, limits.equations);
    let found = equations::hulls(aig, &system, &signals, how, budget)?;
    apply(&mut system, (aig, statistics), &signals, found);
    let errors = errors(&system);
    Ok((system, errors))
}

/// Takes equations up, and counts them.
fn apply(
    system: &mut System,
    (aig, statistics): (&mut Aig, &mut Statistics),
    signals: &Signals,
    (hulls, effort): (Option<Vec<Hull>>, Effort),
) {
    statistics.sat_calls += effort.calls;
    statistics.sat_milliseconds += effort.duration.as_secs_f64() * 1e3;
    if let Some(hulls) = hulls {
        equations::apply(system, aig, signals, hulls);
    }
    let known = |p: &system::Place| (p.equations.len() + p.gates.len()) as u64;
    statistics.equations = system.places.iter().map(known).sum();
    statistics.aig_nodes = statistics.aig_nodes.max(aig.len() as u64);
}

/// The error nodes that what is known does not exclude.
fn errors(system: &System) -> Vec<PlaceId> {
    let places = (0..).map(PlaceId).zip(&system.places);
    let errors = places.filter(|(_, p)| p.is_error && !p.is_excluded && !p.incoming.is_empty());
    errors.map(|(place, _)| place).collect()
}

/// What a search does beside refining frames.
#[derive(Debug, Clone, Copy, Default)]
pub struct Means {
    /// Work on the question which gates correspond, if refining did not suffice at once; 0: it is
    /// not asked.
    pub correspondence: u64,
    /// Whether runs that are long but narrow are followed in the end, with the budget of the run.
    pub follow: bool,
}

/// Searches for a path to an error node.
///
/// # Errors
/// If the budget is exhausted, or the engine contradicts itself.
pub fn search(task: &mut Task, means: Means, budget: &Budget) -> Result<Found, Failure> {
    if task.prepared.is_trivial() {
        return Ok(Found::Safe);
    }
    let limits = &task.options.limits.directed;
    let (mut system, mut open) = system(task, budget)?;
    let asks = means.correspondence > 0;
    let brief = if asks { budget.trial(limits.brief) } else { budget.clone() };
    let mut result = refine(task, &system, &open, &brief);
    if asks && matches!(result, Err(Failure::Exhausted(_))) {
        correspond(task, &mut system, means.correspondence)?;
        open = errors(&system);
        result = refine(task, &system, &open, budget);
    }
    if let Err(Failure::Exhausted(_)) = result
        && means.follow
        && let Some((facts, fact)) = explore::explore(&task.aig, &system, limits, task.budget)?
    {
        return Ok(Found::Path(facts.way(&system, task.prepared, fact)));
    }
    result
}

/// Finds out which gates are equal or opposite to others or to values, or constant.
fn correspond(task: &mut Task, system: &mut System, work: u64) -> Result<(), Exhausted> {
    let Task { aig, options, statistics, budget, .. } = task;
    let limits = &options.limits.directed;
    let signals = Signals::with_gates(aig, system, limits.signals);
    if signals.gates(system) == 0 {
        return Ok(());
    }
    let how = (options.sat, limits, work);
    let found = equations::hulls(aig, system, &signals, how, budget)?;
    apply(system, (aig, statistics), &signals, found);
    Ok(())
}

/// Refines frames until they exclude the errors, or one is reached.
fn refine(
    task: &mut Task,
    system: &System,
    errors: &[PlaceId],
    budget: &Budget,
) -> Result<Found, Failure> {
    let Task { aig, prepared, options, observer, statistics, recorder, .. } = task;
    let mut search = Search::new((aig, system), options.sat, budget, &mut **observer, statistics);
    let answer = search.run(errors);
    let effort = search.frames.take_effort();
    let found = match answer {
        Ok(Answer::Reached(fact)) => Ok(Found::Path(search.facts.way(system, prepared, fact))),
        Ok(Answer::Excluded(level)) => {
            let lemmas = search.frames.lemmas(level);
            if let Some(recorder) = recorder {
                let names = system.places.iter().map(|p| system::items(aig, &p.values)).collect();
                let claims = Claims { system, prepared, lemmas: &lemmas, names };
                recorder.frames(prepared, |p, n| claims.at(p, n), (aig, options, budget))?;
            }
            Ok(Found::Safe)
        }
        Err(e) => Err(e),
    };
    statistics.sat_calls += effort.calls;
    statistics.sat_milliseconds += effort.duration.as_secs_f64() * 1e3;
    found
}

/// An invariant.
struct Claims<'a> {
    system: &'a System,
    prepared: &'a Prepared<'a>,
    /// The cubes without states, by place.
    lemmas: &'a [Vec<Cube>],
    /// The items of the inputs, by place.
    names: Vec<FxHashMap<Input, usize>>,
}

impl Claims<'_> {
    fn at(&self, p: ProcId, n: NodeId) -> Claim {
        let (system, prepared) = (self.system, self.prepared);
        let slots = &prepared.frame(p).slots;
        let Some(place) = system.place(p, n) else { return Claim::default() };
        let here = &system.places[place.index()];
        if here.is_composed {
            return Claim::Nothing;
        }
        if let Some(rule) = system.inlined[p.index()].as_ref().filter(|r| r.target == place) {
            let values = slots.iter().zip(&rule.after).filter_map(|(&v, l)| Some((v, (*l)?)));
            return Claim::Relation { guard: rule.guard, values: values.collect() };
        }
        let never = here.incoming.is_empty() && system.inlined[p.index()].is_none();
        if never || here.is_excluded || n == prepared.procedure(p).error {
            return Claim::contradiction();
        }
        let clause = |cube: &Cube| cube.iter().map(|&l| named(slots, l)).collect();
        let clauses = self.lemmas[place.index()].iter().map(clause).collect();
        let equation =
            |e: &affine::Equation| (e.items.iter().map(|&item| atom(slots, item)).collect(), e.sum);
        let equations = here.equations.iter().map(equation).collect();
        let names = self.names[place.index()].iter();
        let names = names.map(|(&input, &item)| (input, atom(slots, item))).collect();
        Claim::Formulas { clauses, equations, gates: here.gates.clone(), names }
    }
}

/// The value that a literal of a cube excludes, and whether it excludes true.
fn named(slots: &[VarId], l: cube::ItemLit) -> (Atom, bool) {
    let (item, value) = cube::parts(l);
    (atom(slots, item), value)
}

fn atom(slots: &[VarId], item: usize) -> Atom {
    match item.checked_sub(slots.len()) {
        None => Atom::Current(slots[item]),
        Some(slot) => Atom::Entry(slots[slot]),
    }
}
