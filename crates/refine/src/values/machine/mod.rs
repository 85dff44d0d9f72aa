//! Values: intervals, the states that they make, and the operations of an automaton on them.

pub mod bounds;
pub mod code;
pub mod interval;
pub mod narrow;
pub mod state;
