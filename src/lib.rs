//! hardbop: a software model checker for Boolean programs.
//!
//! A Boolean program ([`bp`]) is parsed, resolved to one control-flow graph per procedure, and
//! decided by an engine of [`summary`], which speaks to SAT ([`sat`]) and 2QBF ([`qbf`]) solvers
//! over an and-inverter graph ([`logic`]).  Every answer is a [`verdict`]: safe, unsafe with a trace
//! that the concrete interpreter replays, or unknown with a reason.
//!
//! The layers, bottom up: [`budget`], [`random`], [`factory`], [`process`], [`logic`], [`sat`], [`qbf`], [`bdd`], [`bp`], [`verdict`],
//! [`summary`], [`generate`], [`report`], [`answer`], [`serve`], [`cli`].  Imports run downwards only.

#![deny(unsafe_code)]

/// The version of hardbop.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub mod answer;
pub mod bdd;
pub mod bp;
pub mod budget;
#[cfg(feature = "c")]
pub mod c;
#[cfg(feature = "c")]
pub mod c2bp;
#[cfg(feature = "c")]
pub mod cfa;
pub mod cli;
#[cfg(feature = "c")]
pub mod cpa;
pub mod factory;
pub mod generate;
pub mod logic;
#[cfg(feature = "c")]
pub mod predicate;
pub mod process;
pub mod qbf;
pub mod random;
pub mod report;
pub mod sat;
pub mod serve;
#[cfg(feature = "c")]
pub mod smt;
pub mod source;
pub mod summary;
#[cfg(feature = "c")]
pub mod task;
pub mod verdict;
#[cfg(feature = "c")]
pub mod verify;
