//! Checks of Boolean programs.

use std::time::Instant;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_bp::engine::{Observer, Statistics};
use hardbop_bp::language::program::Program;
use hardbop_bp::proof::check::{self, Silent};
use hardbop_bp::proof::failure::{Effort, Unproved};
use hardbop_bp::proof::solving::CheckerOptions as Checking;
use hardbop_bp::proof::{Invariant, Outcome};
use hardbop_report::document::RunOptions;
use hardbop_report::statistics::progress;
use hardbop_session::{boolean, nothing};

use crate::border::{Out, Text};
use crate::handle::Handle;
use crate::options::settings;
use crate::program::{Built, refused};
use crate::result::Answer;
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
        let (program, missing) = loaded.map_err(|d| Error::input(&source, &d))?;
        out.set(Handle::new(decide(&program, &settings, &missing)?))
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
        out.set(Handle::new(decide(&program, &settings, &[])?))
    })
}

/// Tells the callback how a run goes on.
struct Watch<'a> {
    settings: &'a Settings,
    report: crate::result::Progress,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, s: &Statistics) {
        let line = |seconds| progress::boolean(s, seconds, None);
        self.report.tell(self.settings, s, line);
    }
}

fn decide(program: &Program, settings: &Settings, missing: &[String]) -> Result<Answer, Error> {
    nothing::in_boolean(program, missing).map_err(|e| Error::nothing(&e))?;
    let start = Instant::now();
    let options = &settings.boolean;
    let budget = settings.budget();
    let mut watch = Watch { settings, report: crate::result::Progress::new(start) };
    let run = RunOptions {
        engine: options.clone(),
        resolve: settings.resolve.clone(),
        dialect: settings.dialect,
        threads: Default::default(),
        limits: settings.limits(),
    };
    let (mut report, mut document) =
        boolean::check(program, &run, vec![], &budget, &mut watch).map_err(Error::internal)?;
    if let (Outcome::Safe(proof), true) = (&report.outcome, options.certify)
        && let Some(reason) = confirm(program, proof, settings, &budget)?
    {
        report.outcome = Outcome::Unknown(reason.into());
        document = boolean::answer(program, &report, &run, vec![]).map_err(Error::internal)?;
    }
    document.invariants = boolean::proved(program, &report, &run);
    let mut certificate = None;
    if options.certify {
        let made = boolean::certificate(program, &run, &report.outcome).map_err(Error::internal)?;
        certificate = made.map(|c| c.to_json()).transpose().map_err(Error::internal)?;
    }
    Answer::new(document, certificate.as_deref(), start)
}

/// Proves an invariant without the engine; why that could not be done, if it could not.
fn confirm(
    program: &Program,
    proof: &Invariant,
    settings: &Settings,
    budget: &Budget,
) -> Result<Option<hardbop_base::budget::Exhausted>, Error> {
    let checking = Checking::other_than(settings.boolean.sat);
    let mut effort = Effort::default();
    match check::check(program, proof, &checking, budget, &mut Silent, &mut effort) {
        Ok(()) => Ok(None),
        Err(Unproved::Exhausted(reason)) => Ok(Some(reason)),
        Err(e) => Err(Error::internal(format!("the invariant proves nothing: {e:?}"))),
    }
}
