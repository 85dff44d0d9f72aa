//! Value analysis: explicit-state exploration of the values of variables, with intervals for those
//! that are not known.
//!
//! A state gives each variable that is live an interval, mostly of one number; variables that hold
//! the same input share an unknown value.  Edges are passed by evaluation, without solvers, so some
//! hundred thousand states a second are explored; an input is divided where a condition asks for
//! it.  See Beyer, Löwe: "Explicit-State Software Model Checking Based on CEGAR and Interpolation"
//! (FASE 2013), Sect. 2.
//!
//! If there are too many states, the variables that have most values are no longer told apart by
//! each value, but by the thresholds between which it is: the numbers with which the text compares
//! them.  Events and counters then have finitely many states.
//!
//! Nothing here is believed: a path to a goal is decided bit by bit, and the invariant is checked
//! by a solver, like those of other explorations.

mod check;
mod closed;
mod event;
mod explore;
mod formula;
mod graph;
mod hop;
mod interval_analysis;
mod loops;
mod machine;
mod pass;
mod store;
mod thresholds;
mod trace;

pub use check::ValuesError;
pub use closed::ClosedGoals;
pub use event::Event;
pub use explore::ValueAnalysis;
pub use interval_analysis::interval_analysis;
