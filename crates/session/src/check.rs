//! One call from a text to the answer: what the library gives to other programs, whatever the
//! language.

use std::io;

use thiserror::Error;

use super::threads::{self, AnyProgram};
#[cfg(feature = "c")]
use super::{abstraction, automata, c};
use super::{boolean, nothing};
use hardbop_base::budget::Budget;
use hardbop_base::source::{Diagnostic, Source};
use hardbop_bp::engine::{self, EngineError};
#[cfg(feature = "c")]
use hardbop_c::flow::Flow;
#[cfg(feature = "c")]
use hardbop_c::{
    ParseOptions, needs_preprocessor, on_large_stack, parse, read_for_check, with_line_marks,
};
#[cfg(feature = "c")]
use hardbop_cfa::description::{Description, DescriptionErrors};
#[cfg(feature = "c")]
use hardbop_refine::cegar::Progress;
#[cfg(feature = "c")]
use hardbop_refine::model;
use hardbop_report::diagnostic::render;
#[cfg(feature = "c")]
use hardbop_report::document::{AutomataOptions, COptions};
use hardbop_report::document::{Document, RunOptions};
use hardbop_report::statistics::Table;
#[cfg(feature = "c")]
use hardbop_smt::{LoadError, SmtError, Terms};
#[cfg(feature = "c")]
use hardbop_verify::{VerifyError, Watcher};

/// Watches a check; `()` watches nothing.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::engine::Engine;
/// use hardbop_report::document::RunOptions;
/// use hardbop_report::statistics::Table;
/// use hardbop_session::check::{CheckObserver, check_bp};
///
/// struct Ticks(u64);
///
/// impl CheckObserver for Ticks {
///     fn progress(&mut self, _statistics: &dyn Fn() -> Table) {
///         self.0 += 1;
///     }
/// }
///
/// let mut options = RunOptions::default();
/// options.engine.engine = Engine::Qbf;
/// options.engine.plain = true;
/// let source = Source::new("lock.bp", "decl held; void main() begin held := F; assert(!held); end");
/// let mut ticks = Ticks(0);
/// check_bp(&source, &options, &Budget::unlimited(), &mut ticks)?;
/// assert!(ticks.0 > 0);
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
pub trait CheckObserver {
    /// The check goes on.  Called up to some thousand times per second: ask for the statistics only
    /// now and then.
    fn progress(&mut self, _statistics: &dyn Fn() -> Table) {}
}

impl CheckObserver for () {}

/// Why there is no answer.  A limit that is reached is no error: the verdict is UNKNOWN then.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_session::check::{CheckError, check_bp};
///
/// let source = Source::new("lock.bp", "decl held; void main() begin hold := T; end");
/// match check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ()) {
///     Err(CheckError::Input { rendered, .. }) => assert!(rendered.contains("lock.bp:1:30")),
///     Err(other) => panic!("{other}"),
///     Ok(answer) => panic!("{}", answer.verdict_line),
/// }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The text has mistakes: all of them, with places, as the command line shows them.
    #[error("{rendered}")]
    Input {
        diagnostics: Vec<Diagnostic>,
        rendered: String,
        /// The text that the places are in; it knows which files its lines come from.
        text: Box<Source>,
    },
    /// The C text has `#include` or `#define`: it has to go through `cc -E` first.
    #[error("{0}: it has to be preprocessed first (cc -E)")]
    NeedsPreprocessor(String),
    /// Nothing in the program counts as an error.
    #[error(transparent)]
    Nothing(#[from] nothing::NothingToCheck),
    /// The description of automata has a mistake.
    #[cfg(feature = "c")]
    #[error(transparent)]
    Description(#[from] DescriptionErrors),
    /// The system refuses a thread.
    #[error("no thread can be started: {0}")]
    Thread(#[from] io::Error),
    /// An engine contradicts the interpreter: a mistake in hardbop.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A solver fails, or a proof is wrong: a mistake in hardbop or in a solver that was brought
    /// along.
    #[cfg(feature = "c")]
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The Boolean program could not be made.
    #[cfg(feature = "c")]
    #[error(transparent)]
    Abstraction(#[from] abstraction::AbstractError),
}

impl CheckError {
    fn input(source: &Source, diagnostics: Vec<Diagnostic>) -> Self {
        let rendered = render(source, &diagnostics, false).trim_end().to_owned();
        Self::Input { diagnostics, rendered, text: Box::new(source.clone()) }
    }

    /// The places where Z3 was looked for, where it is needed and not there.
    #[cfg(feature = "c")]
    #[must_use]
    pub fn no_library(&self) -> Option<&LoadError> {
        match self {
            Self::Verify(VerifyError::Solver(SmtError::Library(e)))
            | Self::Abstraction(abstraction::AbstractError::Library(e)) => Some(e),
            _ => None,
        }
    }
}

/// An observer, for those who watch the layers below.
struct Watch<'a>(&'a mut dyn CheckObserver);

impl engine::Observer for Watch<'_> {
    fn progress(&mut self, statistics: &engine::Statistics) {
        self.0.progress(&|| Table::from(statistics));
    }
}

#[cfg(feature = "c")]
impl Watcher for Watch<'_> {
    fn progress(&mut self, progress: Progress) {
        self.0.progress(&|| match progress {
            Progress::Tree(s) => Table::from(s),
            Progress::Boolean(s) => Table::from(s),
        });
    }
}

/// Decides whether a Boolean program can violate an assertion or reach an error label.
///
/// # Errors
/// The text has mistakes, nothing in it counts as an error, or hardbop has a mistake.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{RunOptions, Verdict};
/// use hardbop_session::check::check_bp;
///
/// let text = "decl held; void main() begin held := F; while (*) do assert(!held); held := *; od end";
/// let answer = check_bp(&Source::new("lock.bp", text), &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Unsafe);
/// let trace = answer.trace.expect("UNSAFE comes with a trace");
/// assert!(trace.text().contains("held := *"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
pub fn check_bp(
    source: &Source,
    options: &RunOptions,
    budget: &Budget,
    observer: &mut dyn CheckObserver,
) -> Result<Document, CheckError> {
    let labels = options.resolve.asked_labels();
    let (program, missing) =
        threads::load(source, options.dialect, &options.resolve, labels, |_| true)
            .map_err(|d| CheckError::input(source, d))?;
    nothing::in_boolean(program.program(), &missing)?;
    let program = match program {
        AnyProgram::Sequential(program) => program,
        AnyProgram::Threads(program) => {
            return Ok(threads::check(&program, options, vec![], budget)?);
        }
    };
    let (report, mut answer) =
        boolean::check(&program, options, vec![], budget, &mut Watch(observer))?;
    answer.invariants = boolean::proved(&program, &report, options);
    Ok(answer)
}

/// Works on a C text, on a large stack.
#[cfg(feature = "c")]
fn on_text<T: Send>(
    source: &Source,
    work: impl FnOnce() -> Result<T, CheckError> + Send,
) -> Result<T, CheckError> {
    if needs_preprocessor(&source.text) {
        return Err(CheckError::NeedsPreprocessor(source.name.clone()));
    }
    on_large_stack(work)?
}

/// What a C text means.
#[cfg(feature = "c")]
fn flow(source: &Source, reading: &ParseOptions) -> Result<Flow, CheckError> {
    parse(source.clone(), reading)
        .map_err(|d| CheckError::input(&with_line_marks(source.clone()), d))
}

/// Decides whether a C program, preprocessed where it needs that, can reach its error.
///
/// # Errors
/// The text has mistakes or needs the preprocessor, nothing in it counts as an error, a solver
/// fails, or hardbop has a mistake.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{COptions, Verdict};
/// use hardbop_session::check::check_c;
///
/// let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
///     int main(void) { long x = 0; while (__VERIFIER_nondet_int()) if (x < 1000000) x++; if (x < 0) reach_error(); }";
/// let answer = check_c(&Source::new("count.c", text), &COptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// assert!(!answer.invariants.is_empty());
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[cfg(feature = "c")]
pub fn check_c(
    source: &Source,
    options: &COptions,
    budget: &Budget,
    observer: &mut (dyn CheckObserver + Send),
) -> Result<Document, CheckError> {
    on_text(source, || {
        let (mut options, mut reading) = (options.clone(), options.reading());
        let flow = read_for_check(&mut reading, |reading| flow(source, reading))?;
        options.property = reading.property;
        let property = &options.property;
        nothing::in_c(&flow, property, property.asked_labels())?;
        Ok(c::check(&flow, &options, budget, &mut Watch(observer))?.1)
    })
}

/// Decides whether described control-flow automata can reach their error.  `predicates` are tracked
/// from the start: SMT-LIB formulas over the variables, locals as `|function::name|`; the text may
/// be empty.
///
/// # Errors
/// The description or a predicate has a mistake, a solver fails, or hardbop has a mistake.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_cfa::description::Description;
/// use hardbop_report::document::{AutomataOptions, Verdict};
/// use hardbop_session::check::check_automata;
///
/// let description: Description = serde_json::from_str(r#"{
///   "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
///   "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
///     {"from": 0, "to": 1, "step": {"assume": "(bvult x #x0a)"}},
///     {"from": 1, "to": 2, "step": {"assume": "(bvult x #x0b)"}}]}]}"#).unwrap();
/// let options = AutomataOptions::default();
/// let answer = check_automata(&description, "(bvult x #x0a)", &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[cfg(feature = "c")]
pub fn check_automata(
    description: &Description,
    predicates: &str,
    options: &AutomataOptions,
    budget: &Budget,
    observer: &mut dyn CheckObserver,
) -> Result<Document, CheckError> {
    let mut terms = Terms::new();
    let described = description.program(&mut terms, budget)?;
    let mut options = options.clone();
    let given = model::predicates(&mut terms, &described.program, predicates);
    options.verify.predicates.extend(given.map_err(abstraction::AbstractError::from)?);
    let program = (description, &described);
    Ok(automata::check(terms, program, &options, budget, &mut Watch(observer))?)
}

/// The Boolean program of a C program and predicates, which are SMT-LIB terms over its variables.
///
/// # Errors
/// A mistake in the text or in the predicates, or there is no Boolean program.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::COptions;
/// use hardbop_session::check::abstract_c;
///
/// let source = Source::new("flip.c", "int x; int main(void) { x = 1; while (x < 2) x = 3 - x; }");
/// let bp = abstract_c(&source, "(= x #x00000001)", &COptions::default(), &Budget::unlimited())?;
/// assert!(bp.contains("{x == 1}"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[cfg(feature = "c")]
pub fn abstract_c(
    source: &Source,
    predicates: &str,
    options: &COptions,
    budget: &Budget,
) -> Result<String, CheckError> {
    on_text(source, || {
        let flow = flow(source, &options.reading())?;
        Ok(abstraction::of_c(&flow, predicates, &options.verify, budget)?)
    })
}

/// The Boolean program of described automata and predicates, as for [`check_automata`].
///
/// # Errors
/// A mistake in the description or in the predicates, or there is no Boolean program.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_cfa::description::Description;
/// use hardbop_report::document::AutomataOptions;
/// use hardbop_session::check::abstract_automata;
///
/// let description: Description = serde_json::from_str(r#"{
///   "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
///   "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
///     {"from": 0, "to": 1, "step": {"assume": "(bvult x #x0a)"}},
///     {"from": 1, "step": "error"}]}]}"#)?;
/// let options = AutomataOptions::default();
/// let bp = abstract_automata(&description, "(bvult x #x0a)", &options, &Budget::unlimited())?;
/// assert!(bp.contains("decl {(bvult x #x0a)}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "c")]
pub fn abstract_automata(
    description: &Description,
    predicates: &str,
    options: &AutomataOptions,
    budget: &Budget,
) -> Result<String, CheckError> {
    let mut terms = Terms::new();
    let described = description.program(&mut terms, budget)?;
    let program = &described.program;
    Ok(abstraction::of_automata(&mut terms, program, predicates, &options.verify, budget)?)
}
