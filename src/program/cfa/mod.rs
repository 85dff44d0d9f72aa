//! Control-flow automata: A = (L, G), a program's locations and the operations between them
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", Sect. II-A).
//!
//! A [`Program`] has one automaton per function, with call edges. [`expand`](expand::expand)
//! replaces calls by copies of the callees. The result is a single [`Automaton`] that contains only
//! assumptions and assignments, and in which a location stands for a place in the text and a call
//! stack. [`summarise`] turns it into large blocks.

mod automaton;
pub mod constant;
pub mod description;
pub mod dot;
pub mod encode;
pub mod execute;
pub mod expand;
pub mod known;
pub mod limits;
pub mod live;
pub mod operation;
mod program;
pub mod prune;
pub mod share;
pub mod slice;
pub mod summarise;

pub use automaton::{Automaton, Cut, Edge, Frame, Goal};
pub use operation::{Operation, Origin};
pub use program::{CallEdge, Function, Location, Place, Program, Step};
