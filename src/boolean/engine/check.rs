//! One engine alone, or several in a race.

use super::observer::Observer;
use super::options::{Engine, Options};
use super::report::{EngineError, Report};
use super::statistics::Statistics;
use super::{localize, portfolio};
use crate::base::budget::Budget;
use crate::base::rejected::{Rejected, is_strict};
use crate::boolean::language::program::Program;
use crate::boolean::proof::{Outcome, UnknownReason};

/// Decides whether an error node of `program` is reachable.  Where the interpreter rejects what an engine says, the others
/// are asked.
///
/// # Errors
/// [`EngineError`] if an engine contradicts another one, or the interpreter and hardbop [is strict](is_strict): a bug, to
/// be reported.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let mut rejected = vec![];
    let others = portfolio::RACERS.into_iter().filter(|&e| e != options.engine);
    for engine in std::iter::once(options.engine).chain(others) {
        let options = Options { engine, ..options.clone() };
        match asked(program, &options, budget, observer) {
            Ok(report) => return Ok(Report { rejected, ..report }),
            Err(EngineError::TraceDoesNotReplay(why)) if !is_strict() => {
                rejected.push(Rejected::new("a counterexample does not replay", why));
            }
            Err(e) => return Err(e),
        }
    }
    let last = rejected.pop().expect("each engine was rejected");
    let outcome = Outcome::Unknown(UnknownReason::Rejected(last));
    Ok(Report { engine: options.engine, outcome, statistics: Statistics::default(), rejected })
}

fn asked(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    match options.engine {
        Engine::Race => portfolio::check(program, options, budget, observer),
        _ => localize::check(program, options, budget, observer),
    }
}
