//! Control-flow automata: A = (L, G), a program's locations and the operations between them
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", Sect. II-A).
//!
//! A [`Program`] has an automaton per function, with edges that call.  [`expand`](expand::expand)
//! puts copies of the callees in their place, so that what is left is one [`Automaton`] whose
//! operations are assumptions and assignments only, and in which a location stands for a place in the
//! text and a call stack.  [`summarise`] makes large blocks of it.

mod automaton;
pub mod constant;
pub mod description;
pub mod dot;
pub mod encode;
pub mod execute;
pub mod expand;
pub mod known;
pub mod live;
pub mod operation;
mod program;
pub mod prune;
pub mod slice;
pub mod summarise;

pub use automaton::{Automaton, Cut, Edge, Frame, Goal};
pub use operation::{Operation, Origin};
pub use program::{CallEdge, Function, Location, Place, Program, Step};
