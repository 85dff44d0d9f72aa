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

pub mod base;
pub mod boolean;
pub mod cli;
pub mod present;
#[cfg(feature = "c")]
pub mod program;
#[cfg(feature = "c")]
pub mod refine;
pub mod serve;
pub mod session;
pub mod solve;
#[cfg(feature = "c")]
pub mod verify;
