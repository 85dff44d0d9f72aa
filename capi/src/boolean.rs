//! Checks of Boolean programs.

use std::num::NonZeroUsize;
use std::time::Instant;

use hardbop::base::budget::Budget;
use hardbop::base::source::Source;
use hardbop::boolean::engine::{self, Engine, Observer, Statistics};
use hardbop::boolean::language::program::Program;
use hardbop::boolean::proof::check::{self, Silent};
use hardbop::boolean::proof::failure::{Effort, Unproved};
use hardbop::boolean::proof::solving::Options as Checking;
use hardbop::boolean::proof::{Invariant, Outcome};
use hardbop::present::json::{RunOptions, Verdict, pretty};
use hardbop::present::{invariant, statistics, verdict_line};
use hardbop::session::boolean::{self, Answer as Answered, Form};

use crate::border::{Out, Text};
use crate::handle::Handle;
use crate::options::settings;
use crate::program::{Built, refused};
use crate::result::{Answer, Found, Step};
use crate::settings::Settings;
use crate::status::{Error, Status, enter};

#[unsafe(no_mangle)]
extern "C" fn hardbop_check_boolean_text(
    options: Handle<Settings>,
    name: Text,
    text: Text,
    out: Out<Handle<Answer>>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let source =
            Source::new(name.optional("name")?.unwrap_or("program.bp"), text.read("text")?);
        // A misspelt label would make any program safe.
        let labels = match settings.is_given("error-labels") {
            true => settings.resolve.error_labels.clone(),
            false => vec![],
        };
        let loaded = boolean::load(&source, settings.dialect, &settings.resolve, &labels);
        let (program, warnings) = loaded.map_err(|d| Error::input(&source, &d))?;
        out.set(Handle::new(decide(&program, &settings, warnings)?.into()))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_check_boolean_program(
    options: Handle<Settings>,
    name: Text,
    program: Handle<Built>,
    out: Out<Handle<Answer>>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let name = name.optional("name")?.unwrap_or("program.bp");
        let program = program.copy()?.0.finish(name, &settings.resolve).map_err(refused)?;
        out.set(Handle::new(decide(&program, &settings, vec![])?.into()))
    })
}

/// Tells the callback how a run goes on.
struct Watch<'a> {
    settings: &'a Settings,
    report: crate::result::Progress,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, s: &Statistics) {
        let line = |seconds| statistics::progress(s, seconds, None);
        self.report.tell(self.settings, s, line);
    }
}

fn decide(program: &Program, settings: &Settings, warnings: Vec<String>) -> Result<Found, Error> {
    let start = Instant::now();
    let options = &settings.boolean;
    if options.threads > NonZeroUsize::MIN && options.engine != Engine::Auto {
        let message = "'threads' races engines: it needs the engine 'auto'";
        return Err(Error::new(Status::InvalidValue, message));
    }
    let budget = settings.budget();
    let mut watch = Watch { settings, report: crate::result::Progress::new(start) };
    let mut report =
        engine::check(program, options, &budget, &mut watch).map_err(Error::internal)?;
    let mut found = Found::default();
    if let (Outcome::Safe(proof), true) = (&report.outcome, options.certify) {
        match confirm(program, proof, settings, &budget)? {
            Some(reason) => report.outcome = Outcome::Unknown(reason.into()),
            None => {
                found.invariant_text = Some(invariant::text(program, proof));
                found.invariant_json = Some(json(proof)?);
            }
        }
    }
    let trace = boolean::trace(program, &report.outcome).map_err(Error::internal)?;
    let run = RunOptions {
        engine: options.clone(),
        resolve: settings.resolve.clone(),
        dialect: settings.dialect,
        time_limit_seconds: settings.time,
        memory_limit_bytes: settings.memory,
    };
    if options.certify {
        let certificate =
            boolean::certificate(program, &run, &report.outcome).map_err(Error::internal)?;
        let text = certificate.map(|c| c.to_json()).transpose().map_err(Error::internal)?;
        found.certificate_json = text;
    }
    if let Some(trace) = &trace {
        found.trace_text = Some(trace.text());
        found.trace_json = Some(json(trace)?);
        found.steps = trace.steps.iter().map(|s| step(&trace.file, s)).collect();
    }
    found.verdict = Verdict::from(&report.outcome).into();
    if let Outcome::Unknown(reason) = &report.outcome {
        found.reason = Some(reason.to_string());
    }
    found.verdict_line = verdict_line(&report.outcome);
    found.statistics_json = json(&report.statistics)?;
    found.warnings.clone_from(&warnings);
    let answer = Answered {
        outcome: report.outcome,
        answered_by: report.engine,
        statistics: report.statistics,
        trace,
        warnings,
    };
    let form = Form {
        exit_code: Some(found.exit_code()),
        wall_seconds: Some(start.elapsed().as_secs_f64()),
        statistics: true,
        trace: true,
    };
    found.json = json(&answer.document(program.source.name.clone(), run, form))?;
    Ok(found)
}

pub fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    pretty(value).map_err(Error::internal)
}

/// Proves an invariant without the engine; why that could not be done, if it could not.
fn confirm(
    program: &Program,
    proof: &Invariant,
    settings: &Settings,
    budget: &Budget,
) -> Result<Option<hardbop::base::budget::Exhausted>, Error> {
    let checking = Checking::other_than(settings.boolean.sat);
    let mut effort = Effort::default();
    match check::check(program, proof, &checking, budget, &mut Silent, &mut effort) {
        Ok(()) => Ok(None),
        Err(Unproved::Exhausted(reason)) => Ok(Some(reason)),
        Err(e) => Err(Error::internal(format!("the invariant proves nothing: {e:?}"))),
    }
}

fn step(file: &str, s: &hardbop::present::trace::Step) -> Step {
    Step::new(&s.procedure, file, &s.text, (s.line, s.column, s.depth))
}
