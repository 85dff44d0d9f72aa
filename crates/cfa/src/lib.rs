//! Control-flow automata: A = (L, G), a program's locations and the operations between them
//! (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding", Sect. II-A).
//!
//! A [`Program`] has one automaton per function, with call edges. [`expand`](expand::expand)
//! replaces calls by copies of the callees. The result is a single [`Automaton`] that contains only
//! assumptions and assignments, and in which a location stands for a place in the text and a call
//! stack. [`summarise`] turns it into large blocks.
//!
//! ```
//! use hardbop_base::budget::Budget;
//! use hardbop_cfa::{description::Description, expand::expand};
//! use hardbop_smt::Terms;
//!
//! let description: Description = serde_json::from_str(r#"{
//!   "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
//!   "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
//!     {"from": 0, "to": 1, "step": {"assume": "(bvult x #x0a)"}},
//!     {"from": 1, "step": "error"}]}]}"#)?;
//! let (mut terms, budget) = (Terms::new(), Budget::unlimited());
//! let program = description.program(&mut terms, &budget)?.program;
//! let automaton = expand(&mut terms, &program, &Default::default(), &budget)?;
//! assert_eq!(automaton.goals.len(), 1); // the error
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

/// A part of the names of variables that hold the address of a 0 at the end of a text, or 0 where none is known.
pub const TEXT_END: &str = "/end@";
