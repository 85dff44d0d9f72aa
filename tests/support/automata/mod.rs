//! Random descriptions of automata with their verdicts.

pub mod maker;
pub mod routes;
