//! Predicate abstraction and its refinement, for whatever program comes as control-flow automata.

pub mod interpolate;
pub mod model;
pub mod predicate;
pub mod tree;
