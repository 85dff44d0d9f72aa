//! hardbop: a software model checker for Boolean programs and for C.
//!
//! [`check_bp`] decides Boolean programs, [`check_c`] C programs, [`check_automata`] control-flow automata of another
//! front end.  Each takes a text, options whose `default()` is what the command line does, a [`Budget`] of time and
//! memory, and an observer; each gives an [`Answer`]: SAFE with invariants, UNSAFE with a trace that an interpreter has
//! executed, or UNKNOWN with a reason.  [`abstract_c`] and [`abstract_formula`] give abstractions alone; [`build`] makes
//! Boolean programs call by call; [`solver`] is for SMT and 2QBF solvers of your own.
//!
//! ```
//! use std::time::Duration;
//! use hardbop::{BpOptions, Budget, Source, Verdict, check_bp};
//!
//! let source = Source::new("safe.bp", "decl a; void main() begin a := T; assert(a); end");
//! let budget = Budget::unlimited().with_time_limit(Duration::from_secs(10));
//! let answer = check_bp(&source, &BpOptions::default(), &budget, &mut ())?;
//! assert_eq!(answer.verdict, Verdict::Safe);
//! # Ok::<(), hardbop::CheckError>(())
//! ```
//!
//! The feature `c` (on by default) is everything that needs Z3.  The feature `internals` shows the layers below, which
//! may change with every version: docs/architecture.md of the repository describes them.

#![deny(unsafe_code)]
// Tests, examples and the library for C use more of the layers than the facade does.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

/// The version of hardbop.
///
/// ```
/// assert_eq!(hardbop::VERSION.split('.').count(), 3);
/// ```
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[cfg(feature = "internals")]
pub mod base;
#[cfg(not(feature = "internals"))]
mod base;
#[cfg(feature = "internals")]
pub mod boolean;
#[cfg(not(feature = "internals"))]
mod boolean;
#[cfg(all(feature = "campaign", feature = "internals"))]
pub mod campaign;
#[cfg(all(feature = "campaign", not(feature = "internals")))]
mod campaign;
#[cfg(feature = "internals")]
pub mod cli;
#[cfg(not(feature = "internals"))]
mod cli;
#[cfg(feature = "internals")]
pub mod present;
#[cfg(not(feature = "internals"))]
mod present;
#[cfg(all(feature = "c", feature = "internals"))]
pub mod program;
#[cfg(all(feature = "c", not(feature = "internals")))]
mod program;
#[cfg(all(feature = "c", feature = "internals"))]
pub mod refine;
#[cfg(all(feature = "c", not(feature = "internals")))]
mod refine;
#[cfg(feature = "internals")]
pub mod serve;
#[cfg(not(feature = "internals"))]
mod serve;
#[cfg(feature = "internals")]
pub mod session;
#[cfg(not(feature = "internals"))]
mod session;
#[cfg(feature = "internals")]
pub mod solve;
#[cfg(not(feature = "internals"))]
mod solve;
#[cfg(all(feature = "c", feature = "internals"))]
pub mod verify;
#[cfg(all(feature = "c", not(feature = "internals")))]
mod verify;

pub use base::budget::Budget;
pub use base::source::{Diagnostic, Source};
pub use boolean::engine::{Bound, Engine, Options as EngineOptions, VariableOrder};
pub use boolean::language::parser::Dialect;
pub use boolean::language::resolve::ResolveOptions;
pub use present::document::{
    AnsweredBy, Document as Answer, Invariant, Language, LimitOptions, Reason,
    RunOptions as BpOptions, Verdict, invariant_text,
};
pub use present::statistics::Table as Statistics;
pub use present::trace::{Step, StepKind, Trace};
pub use session::check::{CheckError, CheckObserver, check_bp};

#[cfg(feature = "c")]
pub use present::document::{AutomataOptions, COptions};
#[cfg(feature = "c")]
pub use program::c::lower::Model as MemoryModel;
#[cfg(feature = "c")]
pub use program::c::types::DataModel;
#[cfg(feature = "c")]
pub use program::cfa::description::Description as AutomataDescription;
#[cfg(feature = "c")]
pub use refine::block::Blocks;
#[cfg(feature = "c")]
pub use refine::cegar::{Algorithm, AnalysisOptions, Order, PredicateSource};
#[cfg(feature = "c")]
pub use refine::interpolate::Strategy as Interpolation;
#[cfg(feature = "c")]
pub use refine::predicate::formula::{
    FormulaError, abstraction as abstract_terms, abstraction_of_text as abstract_formula,
};
#[cfg(feature = "c")]
pub use refine::predicate::{Abstraction, Scope as PredicateScope};
#[cfg(feature = "c")]
pub use session::abstraction::AbstractError;
#[cfg(feature = "c")]
pub use session::check::{abstract_automata, abstract_c, check_automata, check_c};
#[cfg(feature = "c")]
pub use verify::{Options as VerifyOptions, Route};

/// Boolean programs made call by call.
///
/// ```
/// use hardbop::build::{ProcedureBuilder, ProgramBuilder, nondet, variable};
/// use hardbop::{BpOptions, Budget, Source, Verdict, check_bp};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assign("held", nondet())?.assume(!variable("held"))?.assert(!variable("held"))?;
/// let mut program = ProgramBuilder::new();
/// program.global("held")?.procedure(main)?;
/// let source = Source::new("built.bp", program.text());
/// let answer = check_bp(&source, &BpOptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod build {
    pub use crate::boolean::language::build::{
        BuildError, ProcedureBuilder, ProgramBuilder, choose, constant, next, nondet, quoted,
        variable,
    };
    pub use crate::boolean::language::syntax::Expression;
}

/// Solvers: those that are built in, and the traits for your own.
///
/// ```
/// use hardbop::Budget;
/// use hardbop::solver::{Aig, Embedded, ForallExists, QbfSolver, Validity};
///
/// let mut graph = Aig::new();
/// let (x, y) = (graph.new_input_lit(), graph.new_input());
/// let mut query = ForallExists::default();
/// query.existentials = vec![y];
/// query.equalities = vec![(graph.input(y), x)]; // for each x there is a y with y = x
/// let answer = Embedded::new(0).solve(&mut graph, &query, &Budget::unlimited());
/// assert_eq!(answer.validity, Validity::Valid);
/// ```
pub mod solver {
    pub use crate::solve::factory::Factory;
    pub use crate::solve::logic::Aig;
    pub use crate::solve::qbf::{
        Backend as QbfBackend, Embedded, ForallExists, QbfAnswer, QbfSolver, Validity,
    };
    pub use crate::solve::sat::Backend as SatBackend;
    #[cfg(feature = "c")]
    pub use crate::solve::smt::loading::{Attempt, Flaw, LoadError};
    #[cfg(feature = "c")]
    pub use crate::solve::smt::{
        BitOp, Comparison, Purpose, SmtAnswer, SmtError, SmtSolver, SolverKind, Solvers, Sort,
        Symbol, Term, Terms, Unknown as SmtUnknown, Value,
    };
}

/// For the program, which may carry the library of Z3: packed by gzip, its size, its SHA-256.
#[cfg(feature = "c")]
#[doc(hidden)]
pub fn carry(carried: Option<(&'static [u8], u64, &'static str)>) {
    if let Some((packed, size, sha256)) = carried {
        solve::smt::z3::carry(solve::smt::z3::Carried { packed, size, sha256 });
    }
}

#[doc(hidden)]
#[must_use]
pub fn main() -> std::process::ExitCode {
    cli::run()
}
