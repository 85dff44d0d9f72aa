//! Counterexample-guided abstraction refinement (CEGAR): the one loop, whatever the abstraction.
//!
//! As in Sect. II-C of Beyer et al., "Software Model Checking via Large-Block Encoding", an abstraction is explored
//! until it has a path to a goal or none ([`AbstractModel::explore`]).  A path is *feasible* if SP_σ(true) is
//! satisfiable (Sect. II-A), which one query decides bit by bit.  If it is, the [`RefinementObserver`] says whether the
//! program really takes it, since an automaton may be coarser than its program.  If it is not, something has to be said
//! against it: predicates that the program text suggests ([`select`](crate::refine::select)), or interpolants
//! ([`interpolate`](crate::refine::interpolate)); the abstraction takes them up ([`AbstractModel::refine`]).
//! A proof counts once it is [confirmed](AbstractModel::confirm).
//!
//! What differs between abstractions is the trait [`AbstractModel`]; all judgement stands in [`Cegar`].

pub mod error;
pub mod finding;
pub mod model;
pub mod options;
pub mod run;
pub mod statistics;

pub use error::RefineError;
pub use finding::{Finding, RefinementObserver};
pub use model::{AbstractModel, Context, Doubt, Explored, GoalId, Refutation, Unrefuted};
pub use options::{AnalysisOptions, PredicateSource};
pub use run::Cegar;
pub use statistics::{
    BooleanStatistics, ProgramSize, Progress, RefinementStatistics, TreeStatistics,
};
