//! 2QBF: one ∀∃ query over an and-inverter graph.
//!
//! [`ForallExists`] is the query, [`QbfSolver`] the interface of solvers, and [`Backend`] chooses one at run time.
//! [`Embedded`] is hardbop's own solver: it simplifies, simulates and calls a SAT solver before it plays the ∀∃ game.
//! [`Process`] runs any program that reads QDIMACS; the cargo feature `depqbf` adds the library of DepQBF.

mod backend;
mod cegar;
#[cfg(feature = "depqbf")]
mod depqbf;
mod embedded;
mod expand;
mod limits;
mod matching;
pub mod prenex;
mod problem;
mod process;
mod query;
mod sensitivity;
mod simplify;
mod simulate;
mod solver;

pub use backend::{Backend, BackendError};
#[cfg(feature = "depqbf")]
pub use depqbf::DepQbf;
pub use embedded::{Counters, Embedded, Stages};
pub use limits::Limits;
pub use process::Process;
pub use query::ForallExists;
pub use simplify::simplified;
pub use solver::{DecidedBy, QbfAnswer, QbfSolver, Validity};
