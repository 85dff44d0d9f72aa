//! SAT, 2QBF and SMT back ends, each against the same cases.

#[cfg(feature = "c")]
mod atoms;
mod formulas;
mod qbf_conformance;
mod sat_conformance;
#[cfg(feature = "c")]
mod smt_conformance;
#[cfg(feature = "c")]
mod terms;

#[path = "../support/mod.rs"]
mod support;
