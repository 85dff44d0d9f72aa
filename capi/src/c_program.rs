//! Checks of C programs.

use std::time::Instant;

use hardbop::budget::{Exhausted, peak_resident_bytes};
use hardbop::c::flow::Flow;
use hardbop::c::{needs_preprocessor, on_large_stack, parse, with_line_marks};
use hardbop::cpa::Statistics;
use hardbop::report::c_json::CDocument;
use hardbop::report::c_trace::CTraceReport;
use hardbop::report::json::Verdict;
use hardbop::report::{c_invariant, c_statistics, unknown_line};
use hardbop::source::Source;
use hardbop::verify::{self, Outcome, Report, Watcher};

use crate::boolean::json;
use crate::border::{Out, Text};
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
        out.set(Handle::new(decide(&source, &settings)?.into()))
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
        let source = Source::new(path, hardbop::bp::text::decode(bytes).map_err(mistake)?);
        out.set(Handle::new(decide(&source, &settings)?.into()))
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

fn decide(source: &Source, settings: &Settings) -> Result<Found, Error> {
    let start = Instant::now();
    if needs_preprocessor(&source.text) {
        let message = format!("{}: it has to be preprocessed first (cc -E)", source.name);
        return Err(Error::new(Status::InvalidInput, message));
    }
    let settings = settings.clone();
    let work = move || {
        let flow = parse(source.clone(), &settings.parse_options())
            .map_err(|d| Error::input(&with_line_marks(source.clone()), &d))?;
        let budget = settings.budget();
        let mut watch = Watch { settings: &settings, report: Progress::new(start) };
        let report = verify::check(&flow, &settings.c, &budget, &mut watch);
        found(&flow, report.map_err(Error::internal)?, &settings, start)
    };
    let thread = |e| Error::internal(format!("no thread can be started: {e}"));
    on_large_stack(work).map_err(thread)?
}

fn found(flow: &Flow, report: Report, settings: &Settings, start: Instant) -> Result<Found, Error> {
    let mut found = Found::default();
    let (verdict, reason) = match &report.outcome {
        Outcome::Safe(_) => (Verdict::Safe, None),
        Outcome::Unsafe(_) => (Verdict::Unsafe, None),
        Outcome::Unknown(reason) => (Verdict::Unknown, Some(reason.clone())),
    };
    let invariants = match &report.outcome {
        Outcome::Safe(invariant) => c_invariant::report(flow, &report, invariant),
        _ => vec![],
    };
    if verdict == Verdict::Safe {
        found.invariant_text = Some(c_invariant::text(&invariants));
        found.invariant_json = Some(json(&invariants)?);
    }
    let trace = match &report.outcome {
        Outcome::Unsafe(execution) => Some(CTraceReport::new(flow, execution)),
        _ => None,
    };
    if let Some(trace) = &trace {
        found.trace_text = Some(trace.text());
        found.trace_json = Some(json(trace)?);
        let step = |s: &hardbop::report::c_trace::CStep| {
            let file = s.file.as_ref().unwrap_or(&trace.file);
            Step::new(&s.function, file, &s.text, (s.line, s.column, s.depth as usize))
        };
        found.steps = trace.steps.iter().map(step).collect();
    }
    found.verdict = verdict.into();
    found.verdict_line = match (verdict, &reason) {
        (Verdict::Safe, _) => "VERDICT: SAFE".to_owned(),
        (Verdict::Unsafe, _) => "VERDICT: UNSAFE".to_owned(),
        (Verdict::Unknown, reason) => unknown_line(reason.as_deref().unwrap_or_default()),
    };
    found.interrupted = reason.as_ref().is_some_and(|r| *r == Exhausted::Cancelled.to_string());
    found.reason = reason;
    found.statistics_json = json(&report.statistics)?;
    found.assumptions = report.assumptions.iter().map(ToString::to_string).collect();
    let warnings = flow.warnings.iter().map(|w| {
        let at = flow.source.position(w.span.start);
        format!("{}:{}:{}: {}", at.file, at.line, at.column, w.message)
    });
    found.warnings = warnings.collect();
    let parse = settings.parse_options();
    found.json = json(&CDocument {
        version: hardbop::VERSION,
        file: flow.source.name.clone(),
        verdict,
        reason: found.reason.clone(),
        verdict_line: found.verdict_line.clone(),
        exit_code: Some(found.exit_code()),
        wall_seconds: Some(start.elapsed().as_secs_f64()),
        peak_memory_bytes: peak_resident_bytes(),
        options: settings.c.clone(),
        data_model: parse.model,
        entry: parse.entry.unwrap_or_else(|| "main".to_owned()),
        property: parse.property.formulas(),
        expected: None,
        statistics: Some(report.statistics),
        boolean_statistics: report.boolean,
        phases: Some(report.phases),
        reduction: Some(report.reduction),
        assumptions: found.assumptions.clone(),
        invariants,
        trace,
        warnings: found.warnings.clone(),
    })?;
    Ok(found)
}
