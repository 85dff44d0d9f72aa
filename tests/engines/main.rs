//! The engines for Boolean programs, against each other and against oracles; certificates.

mod backends;
mod bdd;
mod benchmarks;
mod certificates;
mod clausal;
mod determinism;
mod differential;
mod export;
mod induction;
mod localization;
mod pdr;
mod queries;
mod recursion;
mod threads;
mod universal;

#[path = "../support/mod.rs"]
mod support;
