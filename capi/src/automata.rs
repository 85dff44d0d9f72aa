//! Checks of control-flow automata that are described in JSON, and their Boolean programs.

use std::ffi::c_char;
use std::time::Instant;

use hardbop::base::budget::{Budget, Exhausted};
use hardbop::present::automata::{AutomataDocument, AutomataStep};
use hardbop::present::c_statistics;
use hardbop::present::json::Verdict;
use hardbop::program::c::on_large_stack;
use hardbop::program::cfa::description::{Described, Description, DescriptionErrors};
use hardbop::refine::model;
use hardbop::refine::tree::Statistics;
use hardbop::session::abstraction::of_automata;
use hardbop::solve::smt::Terms;
use hardbop::verify::automata::{self, Options, Outcome};

use crate::abstraction::unmade;
use crate::boolean::json;
use crate::border::{Out, Text, give};
use crate::c_program::no_thread;
use crate::handle::Handle;
use crate::options::settings;
use crate::result::{Answer, Found, Progress, Step};
use crate::settings::Settings;
use crate::status::{Error, Status, enter};

#[unsafe(no_mangle)]
extern "C" fn hardbop_check_automata(
    options: Handle<Settings>,
    description: Text,
    predicates: Text,
    out: Out<Handle<Answer>>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let text = description.read("description")?;
        let predicates = predicates.optional("predicates")?.unwrap_or("");
        let decided = on_large_stack(move || decide(text, predicates, &settings));
        out.set(Handle::new(decided.map_err(no_thread)??.into()))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_abstract_automata(
    options: Handle<Settings>,
    description: Text,
    predicates: Text,
    out: Out<*mut c_char>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let text = description.read("description")?;
        let predicates = predicates.optional("predicates")?.unwrap_or("");
        let made = on_large_stack(move || {
            let (mut terms, budget) = (Terms::new(), settings.budget());
            let (_, described) = read(text, &mut terms, &budget)?;
            let program = &described.program;
            of_automata(&mut terms, program, predicates, &options_of(&settings), &budget)
                .map_err(unmade)
        });
        give(&made.map_err(no_thread)??, &out)
    })
}

fn options_of(settings: &Settings) -> Options {
    let c = settings.c_options();
    Options {
        analysis: c.analysis,
        recursion: c.recursion,
        route: c.route,
        engine: c.engine,
        predicates: vec![],
    }
}

/// The program of a description.
fn read(text: &str, terms: &mut Terms, budget: &Budget) -> Result<(Description, Described), Error> {
    let invalid = |message: String| Error::new(Status::InvalidInput, message);
    let description: Description =
        serde_json::from_str(text).map_err(|e| invalid(format!("description: {e}")))?;
    match description.program(terms, budget) {
        Ok(described) => Ok((description, described)),
        Err(DescriptionErrors::Exhausted(e)) => Err(Error::new(Status::Limit, e.to_string())),
        Err(mistakes) => Err(invalid(mistakes.to_string())),
    }
}

fn decide(text: &str, predicates: &str, settings: &Settings) -> Result<Found, Error> {
    let start = Instant::now();
    let (mut terms, budget, mut options) = (Terms::new(), settings.budget(), options_of(settings));
    let (description, described) = read(text, &mut terms, &budget)?;
    options.predicates = model::predicates(&mut terms, &described.program, predicates)
        .map_err(|e| Error::new(Status::InvalidInput, e.to_string()))?;
    let mut watch = Progress::new(start);
    let mut progress = |s: &Statistics| {
        watch.tell(settings, s, |seconds| c_statistics::progress(s, seconds, None));
    };
    let report = automata::check(&mut terms, &described.program, &options, &budget, &mut progress)
        .map_err(Error::internal)?;
    let program = (&description, &described);
    let document = AutomataDocument::new(program, &mut terms, &options, &report, true);
    let mut found = Found {
        verdict: document.verdict.into(),
        reason: document.reason.clone(),
        interrupted: matches!(&report.outcome,
            Outcome::Unknown(reason) if *reason == Exhausted::Cancelled.to_string()),
        verdict_line: document.verdict_line.clone(),
        statistics_json: match &report.boolean {
            Some(statistics) => json(statistics)?,
            None => json(&report.statistics)?,
        },
        json: json(&document)?,
        ..Found::default()
    };
    if document.verdict == Verdict::Safe {
        found.invariant_text = Some(document.invariant_text());
        found.invariant_json = Some(json(&document.invariants)?);
    }
    if let Some(trace) = &document.trace {
        found.trace_text = Some(trace.text());
        found.trace_json = Some(json(trace)?);
        let step = |s: &AutomataStep| {
            let line = s.line.unwrap_or(0) as usize;
            Step::new(&s.name, "", &s.words(), (line, 0, s.depth as usize))
        };
        found.steps = trace.steps.iter().map(step).collect();
    }
    Ok(found)
}
