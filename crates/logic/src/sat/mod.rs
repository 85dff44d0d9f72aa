//! Incremental SAT solving.
//!
//! [`SatSolver`] is the interface of a back end; [`Cadical`] (the default) and [`Varisat`] are back ends, and
//! [`Backend`] chooses one at run time.  [`CircuitSolver`] solves queries over a growing and-inverter graph with any of
//! them.

mod backend;
pub mod cadical;
pub mod circuit;
pub mod drat;
mod proof;
mod solver;
mod varisat;

pub use self::backend::{Backend, Solver};
pub use self::cadical::Cadical;
pub use self::circuit::CircuitSolver;
pub use self::solver::{Effort, SatLit, SatResult, SatSolver};
pub use self::varisat::Varisat;
