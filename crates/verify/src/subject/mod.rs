//! Subjects that can be checked: [C programs](c), and described [automata].

pub mod automata;
pub mod c;
mod inputs;
pub mod interface;
pub mod locations;
mod sampling;
mod started;
mod testing;

pub use automata::{Automata, abstraction};
pub use c::CProgram;
pub use interface::{PathOrigin, Prepared, Subject};
pub use locations::{LocationInvariant, invariants};
