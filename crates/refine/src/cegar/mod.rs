//! Counterexample-guided abstraction refinement (CEGAR): one loop for all abstractions.
//!
//! As in Sect. II-C of Beyer et al., "Software Model Checking via Large-Block Encoding", an
//! abstraction is explored until it has a path to a goal or is known to have none
//! ([`AbstractModel::explore`]).  A path is *feasible* if SP_σ(true) is satisfiable (Sect. II-A),
//! which one bit-precise query decides.  If it is feasible, the [`RefinementObserver`] decides
//! whether the program really takes it, since an automaton may be coarser than its program.  If it
//! is infeasible, it is refuted by predicates that the program text suggests
//! ([`select`](crate::select)) or by interpolants ([`interpolate`](crate::interpolate)), and the
//! abstraction is refined with them ([`AbstractModel::refine`]).  A proof counts once it is
//! [confirmed](AbstractModel::confirm).
//!
//! The trait [`AbstractModel`] is what differs between abstractions; [`Cegar`] makes all decisions.

pub mod algorithm;
pub mod error;
pub mod finding;
pub mod model;
pub mod options;
pub mod run;
pub mod statistics;

pub use algorithm::{Algorithm, Order};
pub use error::RefineError;
pub use finding::{Finding, RefinementObserver, Stage};
pub use model::{AbstractModel, Context, Doubt, Explored, GoalId, Refutation, Unrefuted};
pub use options::{AnalysisOptions, PredicateSource};
pub use run::Cegar;
pub use statistics::{
    BooleanStatistics, ProgramSize, Progress, RefinementStatistics, TreeStatistics,
};
