//! Incremental SAT solving.
//!
//! [`SatSolver`] is what a back end offers; [`Cadical`] (default) and [`Varisat`] are back ends,
//! [`Backend`] chooses one at run time, and [`CircuitSolver`] puts a growing and-inverter graph on
//! top of any of them.

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
