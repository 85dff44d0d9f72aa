//! The table of `--stats` for C programs, and the line of progress.

use std::fmt::Write as _;
use std::time::Duration;

use super::units::{bytes, count, milliseconds};
use crate::refine::model;
use crate::refine::tree::Statistics;
use crate::verify::{Phases, Reduction, Size};

fn time(duration: Duration) -> String {
    milliseconds(duration.as_secs_f64() * 1e3)
}

/// One line per number, names to the left, numbers to the right.
pub fn table(s: &Statistics, phases: &Phases, wall: Duration, memory: u64) -> String {
    let a = &s.abstraction;
    let mut rows: Vec<(String, String)> = [
        ("wall time", time(wall)),
        ("  executions", time(phases.testing)),
        ("  lowering", time(phases.lowering)),
        ("  analysis", time(phases.analysis)),
        ("    enumeration of states", time(s.explicit_time)),
        ("    abstraction", time(a.time)),
        ("    path checks", time(s.path_time)),
        ("    selection of predicates", time(s.selection_time)),
        ("    interpolation", time(s.interpolation_time)),
        ("  confirmation", time(phases.confirmation)),
        ("peak memory", bytes(memory)),
        ("edges", count(s.edges)),
        ("locations", count(s.locations)),
        ("blocks", count(s.blocks)),
        ("cut locations", count(s.cut_locations)),
        ("tree nodes", count(s.tree_nodes)),
        ("  made in all", count(s.nodes_made)),
        ("  covered", count(s.covered)),
        ("refinements", count(s.refinements)),
        ("  by the program text", count(s.selections)),
        ("explicit states", count(s.explicit_states)),
        ("predicates", count(s.predicates)),
        ("  average per location", format!("{:.1}", s.predicates_average)),
        ("  maximum per location", count(s.predicates_most)),
        ("abstractions", count(a.abstractions)),
        ("  from the cache", count(a.cache_hits)),
        ("SMT calls, Cartesian", count(a.cartesian_calls)),
        ("SMT calls, Boolean", count(a.model_calls)),
        ("  generalised cubes", count(a.generalised)),
        ("SMT calls, paths", count(s.path_checks)),
        ("units of work", count(s.work)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    for attempt in s.interpolation.attempts.iter().filter(|a| a.used > 0) {
        rows.push((format!("interpolants by {}", attempt.strategy), count(attempt.used)));
    }
    aligned(&rows)
}

/// The same of the route through Boolean programs.
pub fn boolean(s: &model::Statistics, phases: &Phases, wall: Duration, memory: u64) -> String {
    let mut rows: Vec<(String, String)> = [
        ("wall time", time(wall)),
        ("  executions", time(phases.testing)),
        ("  lowering", time(phases.lowering)),
        ("  analysis", time(phases.analysis)),
        ("    abstraction", time(s.abstraction_time)),
        ("    Boolean programs", time(s.checking_time)),
        ("    path checks", time(s.path_time)),
        ("    selection of predicates", time(s.selection_time)),
        ("    interpolation", time(s.interpolation_time)),
        ("  confirmation", time(phases.confirmation)),
        ("peak memory", bytes(memory)),
        ("Boolean programs", count(s.rounds)),
        ("  by predicates of the text", count(s.selections)),
        ("predicates", count(s.predicates)),
        ("  over globals", count(s.global_predicates)),
        ("procedures", count(s.size.procedures)),
        ("globals", count(s.size.globals)),
        ("formals and locals", count(s.size.locals)),
        ("statements", count(s.size.statements)),
        ("text", bytes(s.size.bytes)),
        ("last counterexample", count(s.counterexample)),
        ("abstractions", count(s.abstractions)),
        ("  of earlier rounds", count(s.remembered)),
        ("  from the cache", count(s.cached)),
        ("SMT calls, Cartesian", count(s.effort.cartesian_calls)),
        ("SMT calls, Boolean", count(s.effort.model_calls)),
        ("  generalised cubes", count(s.effort.generalised)),
        ("units of work", count(s.work)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    for attempt in s.interpolation.attempts.iter().filter(|a| a.used > 0) {
        rows.push((format!("interpolants by {}", attempt.strategy), count(attempt.used)));
    }
    aligned(&rows)
}

/// Names to the left, numbers to the right.
fn aligned(rows: &[(String, String)]) -> String {
    let left = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let right = rows.iter().map(|(_, value)| value.len()).max().unwrap_or(0);
    let mut out = String::from("Statistics\n");
    for (name, value) in rows {
        let _ = writeln!(out, "  {name:<left$}  {value:>right$}");
    }
    out
}

/// By how much the program shrank, a line per form; nothing where it was not looked at.
pub fn sizes(reduction: &Reduction) -> String {
    let forms = [
        ("as parsed", reduction.parsed),
        ("calls expanded", reduction.expanded),
        ("sliced", reduction.sliced),
        ("blocks", reduction.blocks),
    ];
    let mut out = String::new();
    for (name, size) in forms.iter().filter(|(_, size)| size.edges > 0) {
        if out.is_empty() {
            let _ = writeln!(
                out,
                "Size{:15}{:>9}  {:>9}  {:>9}  {:>10}  {:>9}",
                "", "functions", "locations", "edges", "operations", "variables"
            );
        }
        let Size { functions, locations, edges, operations, variables } = *size;
        let numbers = [functions, locations, edges, operations, variables].map(count);
        let [functions, locations, edges, operations, variables] = numbers;
        let _ = writeln!(
            out,
            "  {name:<15}  {functions:>9}  {locations:>9}  {edges:>9}  {operations:>10}  {variables:>9}"
        );
    }
    out
}

/// What is done so far, in a line.
pub fn progress(s: &Statistics, elapsed: Duration, memory: Option<u64>) -> String {
    let memory = memory.map_or(String::new(), |m| format!(", {}", bytes(m)));
    format!(
        "{:.1} s, {} refinements, {} tree nodes, {} predicates, {} abstractions{memory}",
        elapsed.as_secs_f64(),
        count(s.refinements),
        count(s.tree_nodes),
        count(s.predicates),
        count(s.abstraction.abstractions),
    )
}

/// What is done so far through Boolean programs, in a line.
pub fn boolean_progress(s: &model::Statistics, elapsed: Duration, memory: Option<u64>) -> String {
    let memory = memory.map_or(String::new(), |m| format!(", {}", bytes(m)));
    let seconds = |d: Duration| d.as_secs_f64();
    format!(
        "{:.1} s, round {}: {} predicates, {} statements; abstraction {:.1} s, Boolean programs {:.1} s, refinement {:.1} s{memory}",
        seconds(elapsed),
        count(s.rounds),
        count(s.predicates),
        count(s.size.statements),
        seconds(s.abstraction_time),
        seconds(s.checking_time),
        seconds(s.path_time + s.selection_time + s.interpolation_time),
    )
}
