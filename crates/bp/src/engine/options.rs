//! The options of the engines.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::bdd::VariableOrder;
use super::limits::Limits;
use super::strategy::Strategy;
use super::universal::Bound;
use hardbop_base::limits::{Named, is_default};

/// Which algorithm decides.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::engine::{Engine, Options, Silent, check};
/// use hardbop_bp::language::{parser::parse, resolve::resolve};
/// use hardbop_bp::proof::Outcome;
///
/// let text = "decl held; void main() begin held := F; assert(!held); end";
/// let tree = parse(text, Default::default()).expect("a program");
/// let program = resolve(Source::new("lock.bp", text), &tree, &Default::default()).expect("names");
/// let mut options = Options::default();
/// options.engine = Engine::Bdd;
/// let report = check(&program, &options, &Budget::unlimited(), &mut Silent)?;
/// assert!(matches!(report.outcome, Outcome::Safe(_)));
/// assert_eq!(report.engine, Engine::Bdd);
/// # Ok::<(), hardbop_bp::engine::EngineError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Engine {
    /// Property-directed reachability and BDDs as long as they take little work; then universal summaries where
    /// they stay small, QBF summaries elsewhere.
    #[default]
    Auto,
    /// QBF summaries.
    ///
    /// SPIN'07 paper, Sect. 3, Fig. 1.
    Qbf,
    /// Universal summaries; QBF summaries for recursive procedures and those that get too large.
    ///
    /// Sect. 4, Figs. 2 and 3.
    Universal,
    /// BDD summaries: Bebop's algorithm.
    Bdd,
    /// Property-directed reachability over procedure summaries: IC3 for programs with calls.
    Pdr,
    /// Several engines side by side, at least two: as many as there are threads.  The answer is that of the engine that
    /// needed the least work, so the same in every run, but not for every number of threads.
    Race,
}

/// The options of the engines.  The command line, the library and `--json` use these names.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::engine::{Options, Silent, check};
/// use hardbop_bp::language::{parser::parse, resolve::resolve};
/// use hardbop_bp::proof::Outcome;
///
/// let text = "decl held; void main() begin held := F; assert(!held); end";
/// let tree = parse(text, Default::default()).expect("a program");
/// let program = resolve(Source::new("lock.bp", text), &tree, &Default::default()).expect("names");
/// let mut options = Options::default();
/// options.certify = true; // SAFE only with an invariant that proves it
/// let report = check(&program, &options, &Budget::unlimited(), &mut Silent)?;
/// let Outcome::Safe(invariant) = report.outcome else { panic!("it is safe") };
/// assert_eq!(invariant.validate(&program), Ok(())); // of a sound shape; `proof::check` proves it
/// # Ok::<(), hardbop_bp::engine::EngineError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Options {
    pub engine: Engine,
    /// The steps of [`Engine::Auto`]; serialised only if they differ from the built-in ones.
    #[serde(skip_serializing_if = "is_default")]
    pub engine_strategy: Strategy,
    /// The 2QBF solver.
    pub qbf: hardbop_qbf::Backend,
    /// The SAT solver.
    pub sat: hardbop_logic::sat::Backend,
    /// Seed of the random simulation.
    pub seed: u64,
    /// The algorithm of the paper on the whole program: no bounded searches, no clausal
    /// invariant, no localization.
    pub plain: bool,
    /// The test for having unrolled a loop far enough, for universal summaries.
    pub bound: Bound,
    /// Size of a path edge, in nodes of the graph, beyond which its procedure is given QBF
    /// summaries instead of a universal one.
    pub universal_limit: usize,
    /// Threads of the run: goals are searched side by side, with the same answer, trace and
    /// statistics for every number; for [`Engine::Race`], the number of engines.
    pub threads: NonZeroUsize,
    /// The order of BDD variables.
    pub bdd_order: VariableOrder,
    /// Whether SAFE must come with an invariant that proves it.
    pub certify: bool,
    /// Limits for measurements; serialised only if they differ from the defaults.
    #[serde(skip_serializing_if = "is_default")]
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            engine_strategy: Strategy::default(),
            qbf: hardbop_qbf::Backend::default(),
            sat: hardbop_logic::sat::Backend::default(),
            seed: 0,
            plain: false,
            bound: Bound::default(),
            universal_limit: 4_000,
            threads: NonZeroUsize::MIN,
            bdd_order: VariableOrder::default(),
            certify: false,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// The limits, by name.
    pub fn limits(&mut self) -> [Named<'_>; 1] {
        [("engine", &mut self.limits)]
    }
}
