//! Checks of C programs, and their Boolean programs.

use std::ffi::c_char;
use std::time::Instant;

use hardbop::base::budget::{Exhausted, peak_resident_bytes};
use hardbop::base::source::Source;
use hardbop::present::c_trace::CStep;
use hardbop::present::json::Verdict;
use hardbop::present::{c_invariant, c_statistics};
use hardbop::program::c::flow::Flow;
use hardbop::program::c::{needs_preprocessor, on_large_stack, parse, with_line_marks};
use hardbop::refine::tree::Statistics;
use hardbop::session::abstraction::of_c;
use hardbop::session::c::{Answer as Answered, Form};
use hardbop::verify::{self, Watcher};

use crate::abstraction::unmade;
use crate::boolean::json;
use crate::border::{Out, Text, give};
use crate::handle::Handle;
use crate::options::settings;
use crate::result::{Answer, Found, Progress, Step};
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
        out.set(Handle::new(decide(&source, settings)?.into()))
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
        let source =
            Source::new(path, hardbop::boolean::language::text::decode(bytes).map_err(mistake)?);
        out.set(Handle::new(decide(&source, settings)?.into()))
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

struct Watch<'a> {
    settings: &'a Settings,
    report: Progress,
}

impl Watcher for Watch<'_> {
    fn progress(&mut self, s: &Statistics) {
        let line = |seconds| c_statistics::progress(s, seconds, None);
        self.report.tell(self.settings, s, line);
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

fn decide(source: &Source, settings: Settings) -> Result<Found, Error> {
    let start = Instant::now();
    with_flow(source, settings, move |flow, settings| {
        let (options, budget) = (settings.c_options(), settings.budget());
        let mut watch = Watch { settings, report: Progress::new(start) };
        let report = verify::check(flow, &options, &budget, &mut watch).map_err(Error::internal)?;
        found(flow, Answered::new(flow, &report, vec![]), settings, start)
    })
}

fn found(
    flow: &Flow,
    answer: Answered,
    settings: &Settings,
    start: Instant,
) -> Result<Found, Error> {
    let mut found = Found::default();
    if answer.verdict == Verdict::Safe {
        found.invariant_text = Some(c_invariant::text(&answer.invariants));
        found.invariant_json = Some(json(&answer.invariants)?);
    }
    if let Some(trace) = &answer.trace {
        found.trace_text = Some(trace.text());
        found.trace_json = Some(json(trace)?);
        let step = |s: &CStep| {
            let file = s.file.as_ref().unwrap_or(&trace.file);
            Step::new(&s.function, file, &s.text, (s.line, s.column, s.depth as usize))
        };
        found.steps = trace.steps.iter().map(step).collect();
    }
    found.verdict = answer.verdict.into();
    found.verdict_line = answer.verdict.line(answer.reason.as_deref());
    found.interrupted =
        answer.reason.as_ref().is_some_and(|r| *r == Exhausted::Cancelled.to_string());
    found.reason.clone_from(&answer.reason);
    found.statistics_json = json(&answer.statistics)?;
    found.assumptions.clone_from(&answer.assumptions);
    found.warnings.clone_from(&answer.warnings);
    let mut parse = settings.parse_options();
    parse.entry.get_or_insert_with(|| "main".to_owned());
    found.json = json(&answer.document(Form {
        file: flow.source.name.clone(),
        parse: &parse,
        options: &settings.c_options(),
        expected: None,
        exit_code: Some(found.exit_code()),
        wall_seconds: Some(start.elapsed().as_secs_f64()),
        peak_memory_bytes: peak_resident_bytes(),
        statistics: true,
        trace: true,
    }))?;
    Ok(found)
}
