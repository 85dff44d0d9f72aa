//! The line of progress of a run.

use std::time::Duration;

use crate::units::{bytes, count, milliseconds};
use hardbop_bp::engine;
#[cfg(feature = "c")]
use hardbop_refine::cegar::{BooleanStatistics, Progress, RefinementStatistics, TreeStatistics};
#[cfg(feature = "c")]
use hardbop_verify::Phase;

/// The line for a check of a Boolean program; `memory` is what the process holds.
#[must_use]
pub fn boolean(s: &engine::Statistics, elapsed: Duration, memory: Option<u64>) -> String {
    let mut line = format!(
        "{}  {} path edges  {} checks  {} graph nodes",
        milliseconds(elapsed.as_secs_f64() * 1e3),
        count(s.path_edges),
        count(s.subsumption_checks),
        count(s.aig_nodes),
    );
    if let Some(memory) = memory {
        line.push_str(&format!("  {}", bytes(memory)));
    }
    line
}

/// The line for a C program: what is done, and the counts of a search.
#[cfg(feature = "c")]
#[must_use]
pub fn c(
    phase: Phase,
    counts: Option<Progress<'_>>,
    elapsed: Duration,
    memory: Option<u64>,
) -> String {
    let mut line = format!("{:.1} s, {phase}", elapsed.as_secs_f64());
    match counts {
        Some(Progress::Tree(s)) => line.push_str(&tree(s)),
        Some(Progress::Boolean(s)) => line.push_str(&boolean_programs(s)),
        None => {}
    }
    if let Some(memory) = memory {
        line.push_str(&format!(", {}", bytes(memory)));
    }
    line
}

#[cfg(feature = "c")]
fn tree(s: &RefinementStatistics<TreeStatistics>) -> String {
    format!(
        ": {} refinements, {} tree nodes, {} predicates, {} abstractions",
        count(s.refinements),
        count(s.model.tree_nodes),
        count(s.predicates),
        count(s.model.abstraction.abstractions),
    )
}

#[cfg(feature = "c")]
fn boolean_programs(s: &RefinementStatistics<BooleanStatistics>) -> String {
    let seconds = |d: Duration| d.as_secs_f64();
    format!(
        ", round {}: {} predicates, {} statements; abstraction {:.1} s, checks {:.1} s, refinement {:.1} s",
        count(s.model.rounds),
        count(s.predicates),
        count(s.model.size.statements),
        seconds(s.model.abstraction_time),
        seconds(s.model.checking_time),
        seconds(s.path_time + s.selection_time + s.interpolation_time),
    )
}
