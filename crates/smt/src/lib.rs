//! Satisfiability modulo theories: hash-consed terms over Booleans, bit-vectors and integers, and
//! solvers for them.
//!
//! [`Terms`] holds every formula of a run, [`SmtSolver`] decides them, and [`SolverKind`] chooses a
//! back end: bit-blasting, or Z3, whose library is loaded when it is first needed.
//! [`Terms::predicates`] extracts predicates from formulas.
//!
//! ```
//! use hardbop_base::budget::Budget;
//! use hardbop_smt::{SmtAnswer, SolverKind, Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.symbol("x", Sort::Bits(8));
//! let (x, seven) = (terms.variable(x), terms.bits(8, 7));
//! let is_seven = terms.equal(x, seven);
//! let answer = SolverKind::Blast.solver()?.check(&terms, &[is_seven], &Budget::unlimited())?;
//! assert_eq!(answer, SmtAnswer::Sat);
//! # Ok::<(), hardbop_smt::SmtError>(())
//! ```
//!
//! Nothing here depends on programs.

mod atoms;
pub mod backend;
pub mod blast;
pub mod circuit;
mod declarations;
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
