//! The engines: is an error node reachable?

pub mod algorithm;
pub mod bdd;
mod check;
pub mod clausal;
mod evidence;
pub mod guide;
pub mod limits;
mod localize;
mod observer;
mod options;
mod order;
mod parallel;
pub mod path;
pub mod pdr;
pub mod portfolio;
pub mod prepare;
pub mod qbf;
mod report;
mod statistics;
pub mod strategy;
pub mod symbolic;
pub mod universal;

pub use crate::proof::Invariant;
pub use bdd::VariableOrder;
pub use check::check;
pub use limits::Limits;
pub use observer::{Observer, Silent};
pub use options::{Engine, Options};
pub use report::{EngineError, Report};
pub use statistics::Statistics;
pub use strategy::Strategy;
pub use universal::Bound;
