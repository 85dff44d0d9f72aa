//! What can be checked: [C programs](c), and [automata] that somebody else has made.

pub mod automata;
pub mod c;
pub mod interface;
pub mod locations;
mod started;
mod testing;
mod witness;

pub use automata::{Automata, abstraction};
pub use c::CProgram;
pub use interface::{PathOrigin, Prepared, Subject};
pub use locations::{LocationInvariant, invariants};
