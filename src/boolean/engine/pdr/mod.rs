//! Property-directed reachability over procedure summaries.
//!
//! IC3 (Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011), lifted to procedures as in generalised PDR
//! (Hoder, Bjørner, "Generalized Property Directed Reachability", SAT 2012): the program is a set of Horn clauses, of
//! which returns have two premises ([`system`]); frames are clauses over the entry values and the current values at the
//! cut nodes ([`frames`]), so those at an exit are the procedure's may-summary.  Must-summaries are single states, made
//! from the start of the program when an obligation gets there ([`facts`]), and found again in later obligations
//! (Komuravelli, Gurfinkel, Chaki, "SMT-Based Model Checking for Recursive Programs", CAV 2014).  A return is taken
//! apart: first the caller's state, with all values that enter the callee; then, with that state, the callee's exit.
//!
//! Without calls, this is IC3 with a frame for each loop head instead of one for all.

mod cube;
mod facts;
mod frames;
mod search;
mod system;

use super::algorithm::Found;
use super::algorithm::Task;
use super::path::Failure;
use crate::base::budget::Budget;
use crate::boolean::language::program::{NodeId, ProcId, VarId};
use crate::boolean::proof::invariant::Atom;
use search::{Answer, Search};
use system::System;

/// Searches for a path to an error node.
///
/// # Errors
/// If the budget is exhausted, or the engine contradicts itself.
pub fn search(task: &mut Task, budget: &Budget) -> Result<Found, Failure> {
    let Task { aig, prepared, options, observer, statistics, recorder, .. } = task;
    if prepared.is_trivial() {
        return Ok(Found::Safe);
    }
    let system = System::new(aig, prepared);
    statistics.aig_nodes = statistics.aig_nodes.max(aig.len() as u64);
    let procedures = prepared.program.procedure_ids();
    let errors = procedures.filter_map(|p| system.place(p, prepared.procedure(p).error));
    let errors: Vec<system::PlaceId> =
        errors.filter(|e| !system.places[e.index()].incoming.is_empty()).collect();
    let mut search =
        Search::new((aig, &system), options.sat, budget, &mut **observer, statistics);
    let answer = search.run(&errors);
    let effort = search.frames.take_effort();
    let found = match answer {
        Ok(Answer::Reached(fact)) => Ok(Found::Path(search.facts.way(&system, prepared, fact))),
        Ok(Answer::Excluded(level)) => {
            if let Some(recorder) = recorder {
                let clauses = |p: ProcId, n: NodeId| {
                    let place = system.place(p, n)?;
                    if system.places[place.index()].incoming.is_empty() {
                        return Some(vec![vec![]]);
                    }
                    let here = search.frames.at(place).iter().filter(|l| l.level >= level);
                    let slots = &prepared.frame(p).slots;
                    let clause = here.map(|l| l.cube.iter().map(|&l| named(slots, l)).collect());
                    Some(clause.collect())
                };
                recorder.frames(prepared, clauses);
            }
            Ok(Found::Safe)
        }
        Err(e) => Err(e),
    };
    statistics.sat_calls += effort.calls;
    statistics.sat_milliseconds += effort.duration.as_secs_f64() * 1e3;
    found
}

/// The value that a literal of a cube excludes, and whether it excludes true.
fn named(slots: &[VarId], l: cube::ItemLit) -> (Atom, bool) {
    let (item, value) = cube::parts(l);
    let atom = match item.checked_sub(slots.len()) {
        None => Atom::Current(slots[item]),
        Some(slot) => Atom::Entry(slots[slot]),
    };
    (atom, value)
}
