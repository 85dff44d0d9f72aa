//! Large blocks, and paths of them (Beyer et al., "Software Model Checking via Large-Block
//! Encoding").
//!
//! A [`BlockOperator`] decides where blocks end; a [`Problem`] is an automaton divided in that way,
//! with a formula for each block (Sect. III-A: the operations of an edge of the summarised CFA).
//! [`path`] builds the formula of a sequence of blocks (Sect. II-B: SP_σ), [`execution`] looks for
//! an execution that satisfies it, and [`liveness`] computes which variables matter between blocks.
//! [`unroll`] follows all paths at once as long as they are short.

pub mod execution;
mod horn;
pub mod liveness;
pub mod operator;
pub mod path;
pub mod problem;
pub mod procedure;
pub mod scope;
pub mod unroll;

pub use execution::ErrorPath;
pub use horn::{HornError, horn_clauses};
pub use liveness::CutLiveness;
pub use operator::{BlockOperator, Blocks};
pub use path::PathFormula;
pub use problem::Problem;
pub use procedure::Procedure;
