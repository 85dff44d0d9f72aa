//! Abstraction and refinement over control-flow automata.

#[cfg(feature = "c")]
mod abstraction;
#[cfg(feature = "c")]
mod affine;
#[cfg(feature = "c")]
mod automata;
#[cfg(feature = "c")]
mod automaton_passes;
#[cfg(feature = "c")]
mod boolean;
#[cfg(feature = "c")]
mod combinations;
#[cfg(feature = "c")]
mod formula_abstraction;
mod houdini;
#[cfg(feature = "c")]
mod interpolation;
#[cfg(feature = "c")]
mod machines;
#[cfg(feature = "c")]
mod predicate_abstraction;
#[cfg(feature = "c")]
mod refinement;
#[cfg(feature = "c")]
mod routes;
#[cfg(feature = "c")]
mod summarise;

#[path = "../support/mod.rs"]
mod support;
