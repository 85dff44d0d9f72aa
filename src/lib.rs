//! hardbop: a software model checker for Boolean programs and for C.
//!
//! [`check_bp`] decides Boolean programs, [`check_c`] C programs, [`check_automata`] control-flow
//! automata of another front end.  Each takes a text, options whose `default()` is what the command
//! line does, a [`Budget`] of time and memory, and an observer; each gives an [`Answer`]: SAFE with
//! invariants, UNSAFE with a trace that an interpreter has executed, or UNKNOWN with a reason.
//! [`abstract_c`] and [`abstract_formula`] give abstractions alone; [`build`] makes Boolean
//! programs call by call; [`solver`] is for SMT and 2QBF solvers of your own.
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
//! Features, all on by default: `c` is everything that needs Z3, `command` the program, `campaign`
//! its campaigns.  Who embeds the library needs `c` at most.  The crates below, `hardbop-bp` and
//! others, may change with every version.

/// The version of hardbop.
///
/// ```
/// assert_eq!(hardbop::VERSION.split('.').count(), 3);
/// ```
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[cfg(feature = "command")]
mod cli;
#[cfg(feature = "command")]
mod serve;

pub use hardbop_base::budget::Budget;
pub use hardbop_base::errors::{Check, Checks};
pub use hardbop_base::source::{Diagnostic, Source};
pub use hardbop_bp::engine::{Bound, Engine, Options as EngineOptions, VariableOrder};
pub use hardbop_bp::language::parser::Dialect;
pub use hardbop_bp::language::resolve::ResolveOptions;
pub use hardbop_report::document::{
    AnsweredBy, Document as Answer, Invariant, Language, LimitOptions, Reason,
    RunOptions as BpOptions, Verdict, invariant_text,
};
pub use hardbop_report::statistics::Table as Statistics;
pub use hardbop_report::trace::{Step, StepKind, Trace};
pub use hardbop_session::check::{CheckError, CheckObserver, check_bp};

#[cfg(feature = "c")]
pub use hardbop_c::Property;
#[cfg(feature = "c")]
pub use hardbop_c::lower::Model as MemoryModel;
#[cfg(feature = "c")]
pub use hardbop_c::types::DataModel;
#[cfg(feature = "c")]
pub use hardbop_cfa::description::Description as AutomataDescription;
#[cfg(feature = "c")]
pub use hardbop_refine::block::Blocks;
#[cfg(feature = "c")]
pub use hardbop_refine::cegar::{Algorithm, AnalysisOptions, Order, PredicateSource};
#[cfg(feature = "c")]
pub use hardbop_refine::interpolate::Strategy as Interpolation;
#[cfg(feature = "c")]
pub use hardbop_refine::predicate::formula::{
    FormulaError, abstraction as abstract_terms, abstraction_of_text as abstract_formula,
};
#[cfg(feature = "c")]
pub use hardbop_refine::predicate::{Abstraction, Scope as PredicateScope};
#[cfg(feature = "c")]
pub use hardbop_report::document::{AutomataOptions, COptions};
#[cfg(feature = "c")]
pub use hardbop_session::abstraction::AbstractError;
#[cfg(feature = "c")]
pub use hardbop_session::check::{abstract_automata, abstract_c, check_automata, check_c};
#[cfg(feature = "c")]
pub use hardbop_verify::{Options as VerifyOptions, Route};

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
    pub use hardbop_bp::language::build::{
        BuildError, ProcedureBuilder, ProgramBuilder, choose, constant, next, nondet, quoted,
        variable,
    };
    pub use hardbop_bp::language::syntax::Expression;
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
    pub use hardbop_logic::Aig;
    pub use hardbop_logic::factory::Factory;
    pub use hardbop_logic::sat::Backend as SatBackend;
    pub use hardbop_qbf::{
        Backend as QbfBackend, Embedded, ForallExists, QbfAnswer, QbfSolver, Validity,
    };
    #[cfg(feature = "c")]
    pub use hardbop_smt::loading::{Attempt, Flaw, LoadError};
    #[cfg(feature = "c")]
    pub use hardbop_smt::{
        BitOp, Comparison, Purpose, SmtAnswer, SmtError, SmtSolver, SolverKind, Solvers, Sort,
        Symbol, Term, Terms, Unknown as SmtUnknown, Value,
    };
}

/// Sets the library of Z3 that the program may carry: packed by gzip, its size, its SHA-256.
#[cfg(feature = "c")]
#[doc(hidden)]
pub fn carry(carried: Option<(&'static [u8], u64, &'static str)>) {
    if let Some((packed, size, sha256)) = carried {
        hardbop_smt::z3::carry(hardbop_smt::z3::Carried { packed, size, sha256 });
    }
}

/// The program.
#[cfg(feature = "command")]
#[doc(hidden)]
#[must_use]
pub fn main() -> std::process::ExitCode {
    cli::run()
}
