//! Sequence interpolation: why a path is infeasible, at each of its cut points.
//!
//! For blocks A_0, ..., A_n whose conjunction is unsatisfiable, these are formulas I_1, ..., I_n
//! such that A_0 => I_1, I_i and A_i => I_(i+1), I_n and A_n is unsatisfiable, and each I_i is over
//! what A_0..A_(i-1) and A_i..A_n share (Craig interpolants of Henzinger, Jhala, Majumdar,
//! McMillan: "Abstractions from Proofs", POPL 2004; named in Sect.  II-C of "Software Model
//! Checking via Large-Block Encoding").  The path is first reduced to an unsatisfiable core; then
//! strategies are tried in turn.  They only make proposals: the bit-precise solver proves every
//! answer, and conjuncts that the proof does not need are removed.

mod check;
mod engine;
mod path;
mod projection;
mod refute;
mod solve;
mod spacer;
mod strategy;

pub use engine::{
    Attempts, Interpolation, InterpolationEngine, InterpolationOptions, InterpolationStatistics,
    Strategy,
};
pub use path::InfeasiblePath;
pub use strategy::{Interpolator, Proposal};
