//! Predicate abstraction without a check: the Boolean program of a program and predicates.

use thiserror::Error;

use hardbop_base::budget::{Budget, Exhausted};
use hardbop_c::flow::Flow;
use hardbop_c::lower::{self, LowerError};
use hardbop_cfa::{Program, known};
use hardbop_refine::cegar::RefineError;
use hardbop_refine::model::{self, BooleanModel, Cache, GivenError, Skeleton, Text};
use hardbop_refine::predicate::AbstractionError;
use hardbop_report::formula::c::Words;
use hardbop_smt::{LoadError, SmtError, Term, Terms};
use hardbop_verify::{self as verify, UnknownReason};

/// Why there is no Boolean program.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::COptions;
/// use hardbop_session::abstraction::AbstractError;
/// use hardbop_session::check::{CheckError, abstract_c};
///
/// let source = Source::new("one.c", "int x; int main(void) { x = 1; }");
/// let made = abstract_c(&source, "(= x #b1)", &COptions::default(), &Budget::unlimited());
/// let Err(CheckError::Abstraction(AbstractError::Predicates(error))) = made else {
///     panic!("x has 32 bits, not one");
/// };
/// assert_eq!((error.line, error.column), (1, 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AbstractError {
    #[error(transparent)]
    Predicates(#[from] GivenError),
    /// The budget ends, or a solver gives up.
    #[error("{0}")]
    Unknown(UnknownReason),
    /// Z3 is needed, and cannot be loaded.
    #[error(transparent)]
    Library(#[from] LoadError),
    /// A solver fails, or hardbop has a mistake.
    #[error("{0}")]
    Defect(String),
}

impl From<RefineError> for AbstractError {
    fn from(error: RefineError) -> Self {
        match error {
            RefineError::Abstraction(AbstractionError::Full) => {
                Self::Unknown(UnknownReason::BddTable)
            }
            RefineError::Abstraction(AbstractionError::Unknown(e)) => Self::Unknown(e.into()),
            RefineError::Abstraction(AbstractionError::Solver(SmtError::Library(e))) => {
                Self::Library(e)
            }
            other => Self::Defect(other.to_string()),
        }
    }
}

impl From<Exhausted> for AbstractError {
    fn from(error: Exhausted) -> Self {
        Self::Unknown(error.into())
    }
}

impl From<LowerError> for AbstractError {
    fn from(error: LowerError) -> Self {
        Self::Unknown(error.into())
    }
}

/// The Boolean program of a C program and predicates in SMT-LIB; its variables are named by the
/// predicates in C. To be called on a large stack ([`on_large_stack`](hardbop_c::on_large_stack)).
///
/// # Errors
/// A mistake in the predicates; or no Boolean program can be made.
pub fn of_c(
    flow: &Flow,
    predicates: &str,
    options: &verify::Options,
    budget: &Budget,
) -> Result<String, AbstractError> {
    let given = |terms: &mut Terms, skeleton: &Skeleton| {
        model::predicates(terms, skeleton.program, predicates)
    };
    of_c_with(flow, given, (options, None), budget)
}

/// [`of_c`] with a function that makes the predicates, and optionally a cache of abstractions.
///
/// # Errors
/// As [`of_c`].
pub fn of_c_with(
    flow: &Flow,
    predicates: impl FnOnce(&mut Terms, &Skeleton) -> Result<Vec<Term>, GivenError>,
    (options, cache): (&verify::Options, Option<&dyn Cache>),
    budget: &Budget,
) -> Result<String, AbstractError> {
    let mut terms = Terms::new();
    let memory = lower::LoweringOptions {
        malloc_may_fail: options.malloc_may_fail,
        model: options.memory,
        externals: options.externals,
        ..lower::LoweringOptions::default()
    };
    let lowered = lower::lower(flow, &mut terms, memory, budget)?;
    let program = known::propagate(&mut terms, &lowered.program, budget)?;
    let skeleton = Skeleton::new(&mut terms, &program);
    let given = predicates(&mut terms, &skeleton)?;
    let pointers = lowered.parts.iter().filter(|(_, p)| p.is_pointer).map(|(&s, _)| s).collect();
    let words = Words { pointers, addresses: lowered.addresses.clone() };
    let text = Text { source: Some(&flow.source), naming: &words };
    let how = (&options.analysis, &options.engine);
    let mut model = BooleanModel::new(&mut terms, &skeleton, how, &text, cache, budget)?;
    model.track(&terms, &given);
    Ok(model.abstraction(&mut terms, budget)?.text().to_owned())
}

/// The Boolean program of control-flow automata, for the predicates in the text and those of the
/// options.
///
/// # Errors
/// As [`of_c`].
pub fn of_automata(
    terms: &mut Terms,
    program: &Program,
    predicates: &str,
    options: &verify::Options,
    budget: &Budget,
) -> Result<String, AbstractError> {
    let mut options = options.clone();
    options.predicates.extend(model::predicates(terms, program, predicates)?);
    Ok(verify::subject::abstraction(terms, program, &options, budget)?.text().to_owned())
}
