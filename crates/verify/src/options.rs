//! How a program is checked.

use serde::{Deserialize, Serialize};

use super::limits::RouteLimits;
use super::strategy::Strategy;
use hardbop_base::limits::{Named, is_default};
use hardbop_bp::engine;
use hardbop_c::{self as c, lower::Model, points_to::Externals};
use hardbop_cfa as cfa;
use hardbop_refine::cegar::options::AnalysisOptions;
use hardbop_smt::Term;

/// How a verdict is found.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_c::{ParseOptions, parse};
/// use hardbop_verify::{CProgram, Options, Outcome, Route, check};
///
/// let text = "extern void reach_error(void); int x;
///     int main(void) { x = 1; while (x < 2) { x = 1; } reach_error(); }";
/// let flow = parse(Source::new("stay.c", text), &ParseOptions::default()).expect("it is C");
/// let mut options = Options::default();
/// options.route = Route::Bp;
/// options.executions = 0; // the only one comes back to where it was, which decides
/// let report = check(CProgram::new(&flow), &options, &Budget::unlimited(), &mut ())?;
/// assert!(matches!(report.outcome, Outcome::Safe(_)));
/// assert!(report.boolean.is_some()); // Boolean programs have decided
/// # Ok::<(), hardbop_verify::VerifyError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Route {
    /// The tree, and Boolean programs for recursion and where the tree has no answer; with `--threads 2`
    /// both at once.
    ///
    /// Recursive programs by the tree as long as it needs no predicates and calls are few, then through Boolean
    /// programs, then by the tree; others by the tree, and through Boolean programs where it has no answer.
    /// With several threads ([`Options::engine`]) both at once.
    #[default]
    Auto,
    /// The abstract reachability tree.
    Tree,
    /// Abstraction to Boolean programs, one procedure per function, which their engines decide.
    Bp,
}

/// How a program is checked; the default is what `hardbop check` does.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_c::{ParseOptions, parse};
/// use hardbop_verify::{CProgram, Options, Outcome, Route, check};
///
/// let text = "extern void reach_error(void); int main(void) { reach_error(); }";
/// let flow = parse(Source::new("error.c", text), &ParseOptions::default()).expect("it is C");
/// let mut options = Options::default();
/// options.executions = 0; // nothing is tried before the proof
/// options.route = Route::Tree;
/// let report = check(CProgram::new(&flow), &options, &Budget::unlimited(), &mut ())?;
/// assert!(matches!(report.outcome, Outcome::Unsafe(_)) && !report.by_executions);
/// # Ok::<(), hardbop_verify::VerifyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Options {
    #[serde(flatten)]
    pub analysis: AnalysisOptions,
    pub route: Route,
    /// The steps of each route; written down where they are not the built-in ones.
    #[serde(skip_serializing_if = "is_default")]
    pub strategy: Strategy,
    /// How Boolean programs are decided.
    #[serde(flatten)]
    pub engine: engine::Options,
    /// C programs: `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// C programs: how much of memory the automata have.
    pub memory: Model,
    /// The behaviour of functions without a body.
    pub externals: Externals,
    /// C programs: executions on zeros and random inputs that are tried before anything is proved.
    pub executions: u32,
    /// Activations of one function that may be open at once.  `None`: a few, and more where these
    /// are not enough, as long as the automaton stays small.  Without a meaning for Boolean
    /// programs.
    pub recursion: Option<u32>,
    /// Puts the tree into the report, in DOT.
    pub keep_tree: bool,
    /// Puts the tree into the report, for people: so many nodes of it.
    #[serde(skip)]
    pub outline: usize,
    /// Predicates that are tracked from the start (`model::predicates` reads them): formulas of the
    /// store that the program is of, where there is a store before the check.
    #[serde(skip)]
    pub predicates: Vec<Term>,
    /// Limits for measurements; written down where they are not the usual ones.
    #[serde(skip_serializing_if = "is_default")]
    pub route_limits: RouteLimits,
    /// Limits of C programs for measurements, written down in the same way.
    #[serde(skip_serializing_if = "is_default")]
    pub c_limits: c::limits::Limits,
    /// Limits of the automaton of the whole program for measurements, written down in the same way.
    #[serde(skip_serializing_if = "is_default")]
    pub cfa_limits: cfa::limits::Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            analysis: AnalysisOptions::default(),
            route: Route::default(),
            strategy: Strategy::default(),
            engine: engine::Options::default(),
            malloc_may_fail: false,
            memory: Model::default(),
            externals: Externals::default(),
            executions: 1_000,
            recursion: None,
            keep_tree: false,
            outline: 0,
            predicates: vec![],
            route_limits: RouteLimits::default(),
            c_limits: c::limits::Limits::default(),
            cfa_limits: cfa::limits::Limits::default(),
        }
    }
}

impl Options {
    /// All limits under their names.
    pub fn limits(&mut self) -> Vec<Named<'_>> {
        let [engine] = self.engine.limits();
        vec![
            engine,
            ("c", &mut self.c_limits),
            ("cfa", &mut self.cfa_limits),
            ("refine", &mut self.analysis.limits),
            ("routes", &mut self.route_limits),
        ]
    }
}
