//! From programs to Boolean programs by predicate abstraction, and the refinement loop around that.

pub mod abstraction;
mod atoms;
pub mod cache;
pub mod cegar;
mod cover;
mod given;
mod names;
mod nested;
pub mod options;
mod path;
pub mod precision;
mod procedure;
mod program;
mod relation;
pub mod simulation;
pub mod skeleton;
mod statement;
mod update;
mod view;

pub use abstraction::{Abstracter, C2bpError};
pub use cache::Cache;
pub use cegar::{Finding, Observer, Run};
pub use given::{GivenError, GivenErrorKind, predicates};
pub use names::{Naming, SmtLib};
pub use options::{Options, Statistics};
pub use precision::Predicates;
pub use program::{BooleanProgram, Meaning, Size, Text, program};
pub use skeleton::Skeleton;
pub use update::Update;
