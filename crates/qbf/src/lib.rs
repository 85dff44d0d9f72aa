//! 2QBF, which is one ∀∃ query over an and-inverter graph, and solvers for it.
//!
//! [`ForallExists`] is the query, [`QbfSolver`] the interface of solvers, and [`Backend`] chooses one at run time.
//! [`Embedded`] is hardbop's own solver: it simplifies, simulates and calls a SAT solver before it plays the ∀∃ game.
//! [`Process`] runs any program that reads QDIMACS; the cargo feature `depqbf` adds the library of DepQBF.
//!
//! ```
//! use hardbop_base::budget::Budget;
//! use hardbop_logic::Aig;
//! use hardbop_qbf::{Embedded, ForallExists, QbfSolver, Validity};
//!
//! let mut graph = Aig::new();
//! let (x, y) = (graph.new_input_lit(), graph.new_input());
//! let mut query = ForallExists::default();
//! query.existentials = vec![y];
//! query.equalities = vec![(graph.input(y), x)]; // for each x there is a y with y = x
//! let answer = Embedded::new(0).solve(&mut graph, &query, &Budget::unlimited());
//! assert_eq!(answer.validity, Validity::Valid);
//! ```

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
