//! C programs: text to typed control flow ([`flow`]), and from there to control-flow automata
//! ([`lower`]) over the scalars of the program's [`memory`].

pub mod flow;
pub mod lower;
pub mod memory;
pub mod points_to;
pub mod types;
