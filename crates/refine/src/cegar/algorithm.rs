//! How the abstract reachability tree is built.

use serde::{Deserialize, Serialize};

/// The algorithm of the tree (Beyer, Wendler: "Algorithms for Software Model Checking: Predicate Abstraction vs.
/// IMPACT", FMCAD 2012).
///
/// ```
/// use hardbop_refine::cegar::{Algorithm, AnalysisOptions};
///
/// let options: AnalysisOptions = serde_json::from_str(r#"{"algorithm": "impact-abstract"}"#)?;
/// assert_eq!(options.algorithm, Algorithm::ImpactAbstract);
/// assert!(options.algorithm.is_impact() && options.algorithm.abstracts());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Algorithm {
    /// Lazy predicate abstraction.
    ///
    /// States are abstractions; a refinement adds predicates, and what they affect is explored anew (Sect. III).
    #[default]
    Predicate,
    /// A short attempt by IMPACT, which finds some errors without any abstraction; then `predicate`.
    Auto,
    /// Lazy abstraction with interpolants: IMPACT.
    ///
    /// States are true at first; a refinement strengthens those of a path by its interpolants (Sect. III).
    Impact,
    /// IMPACT, but new states are abstractions over the predicates of earlier interpolants.
    ///
    /// UFO's combination (Albarghouthi, Gurfinkel, Chechik: "From Under-approximations to Over-approximations and Back",
    /// TACAS 2012).
    ImpactAbstract,
    /// IMPACT in McMillan's order of steps.
    ///
    /// All successors of a state are made at once, and after a refinement the whole path is tried for coverage
    /// (Sect. II).  The original is for single blocks, depth first.
    ImpactOriginal,
}

impl Algorithm {
    /// Are states strengthened in place?
    pub fn is_impact(self) -> bool {
        !matches!(self, Self::Predicate | Self::Auto)
    }

    /// Are new states abstractions over predicates?
    pub fn abstracts(self) -> bool {
        !matches!(self, Self::Impact | Self::ImpactOriginal)
    }
}

/// The order in which the nodes of the tree are expanded.
///
/// ```
/// use hardbop_refine::cegar::{AnalysisOptions, Order};
///
/// let options: AnalysisOptions = serde_json::from_str(r#"{"algorithm": "impact", "order": "bfs"}"#)?;
/// assert_eq!(options.order, Order::Bfs);
/// assert_eq!(AnalysisOptions::default().order, Order::Dfs);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Order {
    /// Depth first.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// By the position of their locations in a reverse postorder of the blocks.
    Topological,
}
