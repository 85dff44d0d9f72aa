//! Checks of C programs, and their Boolean programs.

use std::ffi::c_char;
use std::time::Instant;

use hardbop_base::source::Source;
use hardbop_c::flow::Flow;
use hardbop_c::{needs_preprocessor, on_large_stack, parse, with_line_marks};
use hardbop_refine::cegar::Progress as Refining;
use hardbop_report::document::COptions;
use hardbop_report::statistics::progress;
use hardbop_session::abstraction::of_c;
use hardbop_session::{c, nothing};
use hardbop_verify::{Phase, Watcher};

use crate::abstraction::unmade;
use crate::border::{Out, Text, give};
use crate::handle::Handle;
use crate::options::settings;
use crate::result::{Answer, Progress};
use crate::settings::Settings;
use crate::status::{Error, Status, enter};

#[unsafe(no_mangle)]
extern "C" fn hardbop_check_c_text(
    options: Handle<Settings>,
    name: Text,
    text: Text,
    out: Out<Handle<Answer>>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let source = Source::new(name.optional("name")?.unwrap_or("program.c"), text.read("text")?);
        out.set(Handle::new(decide(&source, settings)?))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_check_c_file(
    options: Handle<Settings>,
    path: Text,
    out: Out<Handle<Answer>>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let path = path.read("path")?;
        let unreadable = |e| Error::new(Status::Unreadable, format!("cannot read {path}: {e}"));
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let mistake = |d| Error::input(&Source::new(path, ""), &[d]);
        let source = Source::new(path, hardbop_bp::language::text::decode(bytes).map_err(mistake)?);
        out.set(Handle::new(decide(&source, settings)?))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_abstract_c(
    options: Handle<Settings>,
    name: Text,
    text: Text,
    predicates: Text,
    out: Out<*mut c_char>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let source = Source::new(name.optional("name")?.unwrap_or("program.c"), text.read("text")?);
        let predicates = predicates.optional("predicates")?.unwrap_or("").to_owned();
        let made = with_flow(&source, settings, move |flow, settings| {
            of_c(flow, &predicates, &settings.c_options(), &settings.budget()).map_err(unmade)
        });
        give(&made?, &out)
    })
}

/// Tells the caller how far a run is.
pub struct Watch<'a> {
    pub settings: &'a Settings,
    pub report: Progress,
    /// What the run is doing.
    pub phase: Phase,
}

impl Watcher for Watch<'_> {
    fn phase(&mut self, phase: Phase) {
        self.phase = phase;
    }

    fn progress(&mut self, refining: Refining) {
        let line = |seconds| progress::c(self.phase, Some(refining), seconds, None);
        match refining {
            Refining::Tree(s) => self.report.tell(self.settings, s, line),
            Refining::Boolean(s) => self.report.tell(self.settings, s, line),
        }
    }
}

/// Works on what a text means, on a large stack.
fn with_flow<T: Send>(
    source: &Source,
    settings: Settings,
    work: impl FnOnce(&Flow, &Settings) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    if needs_preprocessor(&source.text) {
        let message = format!("{}: it has to be preprocessed first (cc -E)", source.name);
        return Err(Error::new(Status::InvalidInput, message));
    }
    let all = move || {
        let flow = parse(source.clone(), &settings.parse_options())
            .map_err(|d| Error::input(&with_line_marks(source.clone()), &d))?;
        work(&flow, &settings)
    };
    on_large_stack(all).map_err(no_thread)?
}

/// There is no stack that is large enough.
pub fn no_thread(e: std::io::Error) -> Error {
    Error::internal(format!("no thread can be started: {e}"))
}

fn decide(source: &Source, settings: Settings) -> Result<Answer, Error> {
    let start = Instant::now();
    with_flow(source, settings, move |flow, settings| {
        let reading = settings.parse_options();
        let property = &reading.property;
        nothing::in_c(flow, property, property.asked_labels()).map_err(|e| Error::nothing(&e))?;
        let options = COptions::new(settings.c_options(), &reading, settings.limits());
        let mut watch = Watch { settings, report: Progress::new(start), phase: Phase::default() };
        let checked = c::check(flow, &options, &settings.budget(), &mut watch);
        Answer::new(checked.map_err(|e| Error::failed(&e))?.1, None, start)
    })
}
