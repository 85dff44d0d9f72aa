//! Checks of control-flow automata that are described in JSON, and their Boolean programs.

use std::ffi::c_char;
use std::time::Instant;

use hardbop_base::budget::Budget;
use hardbop_c::on_large_stack;
use hardbop_cfa::description::{Described, Description, DescriptionErrors};
use hardbop_refine::model;
use hardbop_report::document::AutomataOptions;
use hardbop_session as session;
use hardbop_session::abstraction::of_automata;
use hardbop_smt::Terms;
use hardbop_verify::{Options, Phase};

use crate::abstraction::unmade;
use crate::border::{Out, Text, give};
use crate::c_program::{Watch, no_thread};
use crate::handle::Handle;
use crate::options::settings;
use crate::result::{Answer, Progress};
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
        out.set(Handle::new(decided.map_err(no_thread)??))
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
            of_automata(&mut terms, program, predicates, &settings.c_options(), &budget)
                .map_err(unmade)
        });
        give(&made.map_err(no_thread)??, &out)
    })
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

fn decide(text: &str, predicates: &str, settings: &Settings) -> Result<Answer, Error> {
    let start = Instant::now();
    let (mut terms, budget) = (Terms::new(), settings.budget());
    let mut options: Options = settings.c_options();
    let (description, described) = read(text, &mut terms, &budget)?;
    options.predicates = model::predicates(&mut terms, &described.program, predicates)
        .map_err(|e| Error::new(Status::InvalidInput, e.to_string()))?;
    let mut watch = Watch { settings, report: Progress::new(start), phase: Phase::default() };
    let options = AutomataOptions { verify: options, limits: settings.limits() };
    let program = (&description, &described);
    let checked = session::automata::check(terms, program, &options, &budget, &mut watch);
    Answer::new(checked.map_err(|e| Error::failed(&e))?, None, start)
}
