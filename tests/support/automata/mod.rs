//! Random descriptions of automata with their verdicts.

pub mod maker;
