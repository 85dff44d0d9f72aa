//! The numbers of a check by predicate abstraction: of a C program, or of described automata.

use std::time::Duration;

use super::size::sizes;
use super::table::Number::{self, Bytes, Count, Mean, Seconds};
use super::table::{Step, Table};
use hardbop_refine::cegar::{BooleanStatistics, RefinementStatistics, TreeStatistics};
use hardbop_refine::interpolate::InterpolationStatistics;
use hardbop_verify::strategy::Taken;
use hardbop_verify::{Phases, Reduction};

/// The statistics of a run, as the layers below count them.
#[derive(Debug, Clone, Copy)]
pub struct Verification<'a> {
    /// The reachability tree.
    pub tree: &'a RefinementStatistics<TreeStatistics>,
    /// The route through Boolean programs, where that has answered.
    pub boolean: Option<&'a RefinementStatistics<BooleanStatistics>>,
    pub phases: Phases,
    /// The steps of the strategy.
    pub steps: &'a [Taken],
    pub reduction: Reduction,
    pub peak_memory_bytes: u64,
}

impl From<Verification<'_>> for Table {
    fn from(run: Verification) -> Self {
        let mut table = match run.boolean {
            Some(statistics) => of_boolean_programs(statistics, &run),
            None => of_tree(run.tree, &run),
        };
        if run.boolean.is_some() && run.tree.work > 0 {
            table.add("tree", Self::from(run.tree));
        }
        table.add("sizes", sizes(&run.reduction));
        let step = |taken: &Taken| Step {
            step: taken.step.clone(),
            work: taken.work,
            seconds: taken.time.as_secs_f64(),
            gave: taken.gave.to_string(),
        };
        table.steps = run.steps.iter().map(step).collect();
        table
    }
}

impl From<&RefinementStatistics<TreeStatistics>> for Table {
    /// The tree alone, as far as it is.
    fn from(tree: &RefinementStatistics<TreeStatistics>) -> Self {
        let mut table = Self::new(&tree_times(tree));
        table.rows.extend(Self::new(&tree_counts(tree)).rows);
        interpolation(&mut table, &tree.interpolation);
        table
    }
}

impl From<&RefinementStatistics<BooleanStatistics>> for Table {
    /// The route through Boolean programs alone, as far as it is.
    fn from(s: &RefinementStatistics<BooleanStatistics>) -> Self {
        let mut table = Self::new(&boolean_times(s));
        table.rows.extend(Self::new(&boolean_counts(s)).rows);
        interpolation(&mut table, &s.interpolation);
        table
    }
}

fn time(duration: Duration) -> Number {
    Seconds(duration.as_secs_f64())
}

/// The phases, with what the analysis consists of.
fn phases(run: &Verification, analysis: &[(&'static str, &'static str, Number)]) -> Table {
    let before = [
        ("executions-seconds", "  executions", time(run.phases.testing)),
        ("lowering-seconds", "  lowering", time(run.phases.lowering)),
        ("analysis-seconds", "  analysis", time(run.phases.analysis)),
    ];
    let after = [
        ("confirmation-seconds", "  confirmation", time(run.phases.confirmation)),
        ("peak-memory-bytes", "peak memory", Bytes(run.peak_memory_bytes)),
    ];
    Table::new(&[&before, analysis, &after].concat())
}

fn of_tree(s: &RefinementStatistics<TreeStatistics>, run: &Verification) -> Table {
    let mut table = phases(run, &tree_times(s));
    table.rows.extend(Table::new(&tree_counts(s)).rows);
    interpolation(&mut table, &s.interpolation);
    table
}

fn tree_times(
    s: &RefinementStatistics<TreeStatistics>,
) -> [(&'static str, &'static str, Number); 7] {
    [
        ("explicit-seconds", "    enumeration of states", time(s.model.explicit_time)),
        ("abstraction-seconds", "    abstraction", time(s.model.abstraction.time)),
        ("coverage-seconds", "    coverage checks", time(s.model.coverage_time)),
        ("forced-seconds", "    forced covering", time(s.model.forced_time)),
        ("path-seconds", "    path checks", time(s.path_time)),
        ("selection-seconds", "    selection of predicates", time(s.selection_time)),
        ("interpolation-seconds", "    interpolation", time(s.interpolation_time)),
    ]
}

fn tree_counts(
    s: &RefinementStatistics<TreeStatistics>,
) -> [(&'static str, &'static str, Number); 23] {
    let a = &s.model.abstraction;
    [
        ("edges", "edges", Count(s.model.edges)),
        ("locations", "locations", Count(s.model.locations)),
        ("blocks", "blocks", Count(s.model.blocks)),
        ("cut-locations", "cut locations", Count(s.model.cut_locations)),
        ("tree-nodes", "tree nodes", Count(s.model.tree_nodes)),
        ("nodes-made", "  made in all", Count(s.model.nodes_made)),
        ("covered", "  covered", Count(s.model.covered)),
        ("coverage-checks", "coverage checks", Count(s.model.coverage_checks)),
        ("forced-attempts", "forced coverings tried", Count(s.model.forced_attempts)),
        ("forced-covers", "  successful", Count(s.model.forced_covers)),
        ("refinements", "refinements", Count(s.refinements)),
        ("selections", "  by the program text", Count(s.selections)),
        ("explicit-states", "explicit states", Count(s.model.explicit_states)),
        ("predicates", "predicates", Count(s.predicates)),
        ("predicates-average", "  average per location", Mean(s.model.predicates_average)),
        ("predicates-most", "  maximum per location", Count(s.model.predicates_most)),
        ("abstractions", "abstractions", Count(a.abstractions)),
        ("cached", "  from the cache", Count(a.cache_hits)),
        ("cartesian-calls", "SMT calls, Cartesian", Count(a.cartesian_calls)),
        ("model-calls", "SMT calls, Boolean", Count(a.model_calls)),
        ("generalised", "  generalised cubes", Count(a.generalised)),
        ("path-checks", "SMT calls, paths", Count(s.path_checks)),
        ("work", "units of work", Count(s.work)),
    ]
}

fn of_boolean_programs(s: &RefinementStatistics<BooleanStatistics>, run: &Verification) -> Table {
    let mut table = phases(run, &boolean_times(s));
    table.rows.extend(Table::new(&boolean_counts(s)).rows);
    interpolation(&mut table, &s.interpolation);
    table
}

fn boolean_times(
    s: &RefinementStatistics<BooleanStatistics>,
) -> [(&'static str, &'static str, Number); 5] {
    [
        ("abstraction-seconds", "    abstraction", time(s.model.abstraction_time)),
        ("checking-seconds", "    Boolean programs", time(s.model.checking_time)),
        ("path-seconds", "    path checks", time(s.path_time)),
        ("selection-seconds", "    selection of predicates", time(s.selection_time)),
        ("interpolation-seconds", "    interpolation", time(s.interpolation_time)),
    ]
}

fn boolean_counts(
    s: &RefinementStatistics<BooleanStatistics>,
) -> [(&'static str, &'static str, Number); 17] {
    [
        ("rounds", "Boolean programs", Count(s.model.rounds)),
        ("selections", "  by predicates of the text", Count(s.selections)),
        ("predicates", "predicates", Count(s.predicates)),
        ("global-predicates", "  over globals", Count(s.model.global_predicates)),
        ("procedures", "procedures", Count(s.model.size.procedures)),
        ("globals", "globals", Count(s.model.size.globals)),
        ("locals", "formals and locals", Count(s.model.size.locals)),
        ("statements", "statements", Count(s.model.size.statements)),
        ("text-bytes", "text", Bytes(s.model.size.bytes)),
        ("counterexample", "last counterexample", Count(s.model.counterexample)),
        ("abstractions", "abstractions", Count(s.model.abstractions)),
        ("remembered", "  of earlier rounds", Count(s.model.remembered)),
        ("cached", "  from the cache", Count(s.model.cached)),
        ("cartesian-calls", "SMT calls, Cartesian", Count(s.model.effort.cartesian_calls)),
        ("model-calls", "SMT calls, Boolean", Count(s.model.effort.model_calls)),
        ("generalised", "  generalised cubes", Count(s.model.effort.generalised)),
        ("work", "units of work", Count(s.work)),
    ]
}

/// Interpolants by strategy; the attempts that failed are a part.
fn interpolation(table: &mut Table, s: &InterpolationStatistics) {
    let mut part = Table::new(&[
        ("paths", "paths", Count(s.paths)),
        ("feasible", "feasible", Count(s.feasible)),
        ("failed", "without interpolants", Count(s.failed)),
    ]);
    for attempts in &s.attempts {
        table.rare(format!("interpolants by {}", attempts.strategy), Count(attempts.used));
        let other = Table::new(&[
            ("wrong", "wrong", Count(attempts.wrong)),
            ("gave-up", "gave up", Count(attempts.gave_up)),
            ("seconds", "time", time(attempts.duration)),
        ]);
        part.add(attempts.strategy.to_lowercase().replace(' ', "-"), other);
    }
    table.add("interpolation", part);
}
