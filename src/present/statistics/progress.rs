//! The line of progress of a run.

use std::time::Duration;

use crate::boolean::engine;
use crate::present::units::{bytes, count, milliseconds};
#[cfg(feature = "c")]
use crate::refine::cegar::{BooleanStatistics, RefinementStatistics, TreeStatistics};

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

/// The line for the reachability tree.
#[cfg(feature = "c")]
#[must_use]
pub fn tree(
    s: &RefinementStatistics<TreeStatistics>,
    elapsed: Duration,
    memory: Option<u64>,
) -> String {
    let memory = memory.map_or(String::new(), |m| format!(", {}", bytes(m)));
    format!(
        "{:.1} s, {} refinements, {} tree nodes, {} predicates, {} abstractions{memory}",
        elapsed.as_secs_f64(),
        count(s.refinements),
        count(s.model.tree_nodes),
        count(s.predicates),
        count(s.model.abstraction.abstractions),
    )
}

/// The line for the route through Boolean programs.
#[cfg(feature = "c")]
#[must_use]
pub fn boolean_programs(
    s: &RefinementStatistics<BooleanStatistics>,
    elapsed: Duration,
    memory: Option<u64>,
) -> String {
    let memory = memory.map_or(String::new(), |m| format!(", {}", bytes(m)));
    let seconds = |d: Duration| d.as_secs_f64();
    format!(
        "{:.1} s, round {}: {} predicates, {} statements; abstraction {:.1} s, Boolean programs {:.1} s, refinement {:.1} s{memory}",
        seconds(elapsed),
        count(s.model.rounds),
        count(s.predicates),
        count(s.model.size.statements),
        seconds(s.model.abstraction_time),
        seconds(s.model.checking_time),
        seconds(s.path_time + s.selection_time + s.interpolation_time),
    )
}
