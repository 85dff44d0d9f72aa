//! Satisfiability modulo theories: hash-consed terms and solvers over them.
//!
//! [`Terms`] holds every formula of a run, [`SmtSolver`] decides them, and [`SolverKind`] chooses a back end.
//! [`Terms::predicates`] extracts predicates from formulas.  Nothing here depends on programs.

mod atoms;
pub mod backend;
pub mod blast;
pub mod circuit;
mod declarations;
mod float;
mod format;
mod forms;
pub mod linear;
pub mod loading;
pub mod log;
pub mod reader;
pub mod smtlib;
pub mod solver;
pub mod term;
pub mod z3;

pub use self::backend::{Arithmetic, SolverKind};
pub use self::declarations::{DeclarationError, declare};
pub use self::forms::forms;
pub use self::loading::LoadError;
pub use self::log::{Purpose, QueryLog, QuerySink, Solvers};
pub use self::smtlib::shared_text;
pub use self::solver::{SmtAnswer, SmtError, SmtSolver, SolverFactory, Unknown};
pub use self::term::{
    BitOp, Comparison, FloatOp, Node, Rounding, Sort, Symbol, Term, Terms, UnaryOp, Value,
};
pub use self::z3::Z3;
