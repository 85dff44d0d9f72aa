//! Runs one engine alone, or several in a race.

use super::observer::Observer;
use super::options::{Engine, Options};
use super::report::{EngineError, Report};
use super::statistics::Statistics;
use super::{localize, portfolio};
use crate::language::program::Program;
use crate::proof::{Outcome, UnknownReason};
use hardbop_base::budget::Budget;
use hardbop_base::rejected::{Rejected, is_strict};

/// Decides whether an error node of `program` is reachable.  Where the interpreter rejects what an
/// engine says, the others are asked.
///
/// # Errors
/// [`EngineError`] if an engine contradicts another one, or the interpreter and hardbop [is
/// strict](is_strict): a bug, to be reported.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let report = first_that_stands(options.engine, is_strict(), |engine| {
        asked(program, &Options { engine, ..options.clone() }, budget, observer)
    })?;
    Ok(Report { outcome: report.outcome.of_run(budget), ..report })
}

/// The first report whose counterexample replays: of the engine that was chosen, then of the
/// others.
fn first_that_stands(
    chosen: Engine,
    is_strict: bool,
    mut ask: impl FnMut(Engine) -> Result<Report, EngineError>,
) -> Result<Report, EngineError> {
    let mut rejected = vec![];
    let others = portfolio::RACERS.into_iter().filter(|&e| e != chosen);
    for engine in std::iter::once(chosen).chain(others) {
        match ask(engine) {
            Ok(report) => return Ok(Report { rejected, ..report }),
            Err(EngineError::TraceDoesNotReplay(why)) if !is_strict => {
                rejected.push(Rejected::new("a counterexample does not replay", why));
            }
            Err(e) => return Err(e),
        }
    }
    let last = rejected.pop().expect("each engine was rejected");
    let outcome = Outcome::Unknown(UnknownReason::Rejected(last));
    Ok(Report { engine: chosen, outcome, statistics: Statistics::default(), rejected })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lie() -> Result<Report, EngineError> {
        Err(EngineError::TraceDoesNotReplay("step 3 has no edge".to_owned()))
    }

    fn undecided(engine: Engine) -> Report {
        let outcome = Outcome::Unknown(UnknownReason::Time);
        Report { engine, outcome, statistics: Statistics::default(), rejected: vec![] }
    }

    #[test]
    fn the_next_engine_answers_for_one_that_lies() {
        let mut asked = vec![];
        let report = first_that_stands(Engine::Pdr, false, |engine| {
            asked.push(engine);
            if asked.len() < 3 { lie() } else { Ok(undecided(engine)) }
        })
        .expect("the third engine answers");
        assert_eq!((asked[0], report.engine, report.rejected.len()), (Engine::Pdr, asked[2], 2));
        assert!(report.rejected[0].warning().contains("step 3 has no edge"));
    }

    #[test]
    fn where_all_lie_nothing_is_known() {
        let report = first_that_stands(Engine::Qbf, false, |_| lie()).expect("that is an answer");
        let others = portfolio::RACERS.into_iter().filter(|&e| e != Engine::Qbf).count();
        assert!(matches!(report.outcome, Outcome::Unknown(UnknownReason::Rejected(_))));
        assert_eq!(report.rejected.len(), others, "the reason has the last one");
    }

    #[test]
    fn tests_notice_a_lie() {
        let report = first_that_stands(Engine::Qbf, true, |_| lie());
        assert!(matches!(report, Err(EngineError::TraceDoesNotReplay(_))));
    }

    #[test]
    fn two_that_contradict_each_other_are_an_error() {
        let report = first_that_stands(Engine::Race, false, |_| Err(EngineError::Disagreement));
        assert!(matches!(report, Err(EngineError::Disagreement)));
    }
}
