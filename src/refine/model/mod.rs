//! From programs to Boolean programs by predicate abstraction, and the refinement loop around that.
//!
//! A [`Skeleton`] is what is known of a program whatever the predicates; an [`Abstracter`] makes abstract procedures of
//! [`Predicates`], and [`program`] the text of a [`BooleanProgram`]; a [`Run`] does so again and again until there is
//! a [`Finding`].  One procedure per function and its calls are as in Ball, Majumdar, Millstein, Rajamani: "Automatic
//! Predicate Abstraction of C Programs", PLDI 2001; blocks are large as in Beyer et al.: "Software Model Checking via
//! Large-Block Encoding" (Sect. III).

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
mod question;
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
