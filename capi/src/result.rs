//! What a check found, and the functions that tell it.

use std::ffi::{CString, c_char};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hardbop_report::document::{self, Document, pretty};
use hardbop_report::statistics::Table;
use hardbop_report::trace::Trace;

use crate::border::{Out, c_string};
use crate::handle::{Handle, Kind};
use crate::settings::Settings;
use crate::status::{Error, Status, enter};

/// Least time between two calls of a callback.
const PERIOD: Duration = Duration::from_millis(100);

/// `hardbop_verdict`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verdict {
    Safe = 0,
    Unsafe = 1,
    #[default]
    Unknown = 2,
}

impl From<document::Verdict> for Verdict {
    fn from(verdict: document::Verdict) -> Self {
        match verdict {
            document::Verdict::Safe => Self::Safe,
            document::Verdict::Unsafe => Self::Unsafe,
            document::Verdict::Unknown => Self::Unknown,
        }
    }
}

/// A step of a trace.
#[derive(Debug)]
pub struct Step {
    procedure: CString,
    file: CString,
    text: CString,
    place: [u32; 3],
}

/// The steps; lines and columns that are not known are 0, files an empty text.
fn steps(trace: &Trace) -> Vec<Step> {
    let step = |s: &hardbop_report::trace::Step| {
        let file = s.file.as_ref().or(trace.file.as_ref()).map_or("", String::as_str);
        let place = [s.line.unwrap_or(0), s.column.unwrap_or(0), s.depth];
        Step {
            procedure: c_string(&s.function),
            file: c_string(file),
            text: c_string(&s.text),
            place: place.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        }
    };
    trace.steps.iter().map(step).collect()
}

/// `hardbop_step`
#[repr(C)]
pub struct StepView {
    procedure: *const c_char,
    file: *const c_char,
    text: *const c_char,
    line: u32,
    column: u32,
    depth: u32,
}

/// `hardbop_result`: a document with strings as C has them, which live as long as it does.
pub struct Answer {
    verdict: Verdict,
    reason: Option<CString>,
    verdict_line: CString,
    trace_text: Option<CString>,
    trace_json: Option<CString>,
    steps: Vec<Step>,
    invariant_text: Option<CString>,
    invariant_json: Option<CString>,
    certificate_json: Option<CString>,
    statistics_json: CString,
    json: CString,
    assumptions: Vec<CString>,
    warnings: Vec<CString>,
}

impl Kind for Answer {
    const NAME: &'static str = "result";
}

impl Answer {
    /// What a document says, of a check that began at `start`.
    pub fn new(
        document: Document,
        certificate: Option<&str>,
        start: Instant,
    ) -> Result<Self, Error> {
        let document = document.of_process(start.elapsed().as_secs_f64());
        let strings = |all: &[String]| all.iter().map(|s| c_string(s)).collect();
        let trace = document.trace.as_ref();
        // No formula is an invariant too, of automata and C programs, which need not be asked for one.
        let is_proved = document.verdict == document::Verdict::Safe
            && (document.language != document::Language::BooleanProgram || certificate.is_some());
        let invariants = Some(&document.invariants).filter(|_| is_proved);
        let text = invariants.map(|i| c_string(&document::invariant_text(i)));
        Ok(Self {
            verdict: document.verdict.into(),
            reason: document.reason.as_ref().map(|r| c_string(&r.message)),
            verdict_line: c_string(&document.verdict_line),
            trace_text: trace.map(|t| c_string(&t.text())),
            trace_json: trace.map(json).transpose()?,
            steps: trace.map(steps).unwrap_or_default(),
            invariant_text: text,
            invariant_json: invariants.map(json).transpose()?,
            certificate_json: certificate.map(c_string),
            statistics_json: json(&document.statistics)?,
            json: json(&document)?,
            assumptions: strings(&document.assumptions),
            warnings: strings(&document.warnings),
        })
    }
}

fn json(value: &impl serde::Serialize) -> Result<CString, Error> {
    pretty(value).map(|text| c_string(&text)).map_err(Error::internal)
}

/// When the callback was last called.
pub struct Progress {
    start: Instant,
    last: Option<Instant>,
}

impl Progress {
    pub fn new(start: Instant) -> Self {
        Self { start, last: None }
    }

    /// Calls the callback, if there is one and it is time; it may want the check to end.
    pub fn tell(
        &mut self,
        settings: &Settings,
        statistics: impl Into<Table>,
        line: impl FnOnce(Duration) -> String,
    ) {
        let Some((callback, user)) = settings.progress else { return };
        let now = Instant::now();
        if self.last.is_some_and(|last| now - last < PERIOD) {
            return;
        }
        self.last = Some(now);
        let elapsed = now - self.start;
        let line = c_string(&line(elapsed));
        let text = c_string(&serde_json::to_string(&statistics.into()).unwrap_or_default());
        if callback(elapsed.as_secs_f64(), line.as_ptr(), text.as_ptr(), user.0) != 0 {
            settings.cancel.0.store(true, Ordering::Relaxed);
        }
    }
}

/// A string of a result, or why there is none.
fn tell(
    result: &Handle<Answer>,
    out: &Out<*const c_char>,
    pick: impl FnOnce(&Answer) -> Result<&CString, Error>,
) -> Status {
    enter(|| {
        out.check()?;
        let pointer = result.with(|r| pick(r).map(|s| s.as_ptr()))?;
        out.set(pointer)
    })
}

fn missing(why: &str) -> Error {
    Error::new(Status::NotAvailable, why)
}

fn at<T>(all: &[T], index: usize) -> Result<&T, Error> {
    let message = || format!("there is no number {index}, there are {}", all.len());
    all.get(index).ok_or_else(|| Error::new(Status::OutOfRange, message()))
}

macro_rules! strings {
    ($($name:ident => $pick:expr;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(result: Handle<Answer>, out: Out<*const c_char>) -> Status {
            tell(&result, &out, $pick)
        }
    )*};
}

const NO_REASON: &str = "only UNKNOWN has a reason";
const NO_TRACE: &str = "only UNSAFE has a trace";
const NO_INVARIANT: &str =
    "only SAFE has an invariant; that of a Boolean program needs the option 'certify'";
const NO_CERTIFICATE: &str =
    "SAFE and UNSAFE of a Boolean program have a certificate, with the option 'certify'";

strings! {
    hardbop_result_reason => |r| r.reason.as_ref().ok_or_else(|| missing(NO_REASON));
    hardbop_result_verdict_line => |r| Ok(&r.verdict_line);
    hardbop_result_trace_text => |r| r.trace_text.as_ref().ok_or_else(|| missing(NO_TRACE));
    hardbop_result_trace_json => |r| r.trace_json.as_ref().ok_or_else(|| missing(NO_TRACE));
    hardbop_result_invariant_text =>
        |r| r.invariant_text.as_ref().ok_or_else(|| missing(NO_INVARIANT));
    hardbop_result_invariant_json =>
        |r| r.invariant_json.as_ref().ok_or_else(|| missing(NO_INVARIANT));
    hardbop_result_certificate_json =>
        |r| r.certificate_json.as_ref().ok_or_else(|| missing(NO_CERTIFICATE));
    hardbop_result_statistics_json => |r| Ok(&r.statistics_json);
    hardbop_result_json => |r| Ok(&r.json);
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_verdict(result: Handle<Answer>, out: Out<Verdict>) -> Status {
    enter(|| {
        out.check()?;
        out.set(result.with(|r| Ok(r.verdict))?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_step_count(result: Handle<Answer>, out: Out<usize>) -> Status {
    enter(|| {
        out.check()?;
        out.set(result.with(|r| Ok(r.steps.len()))?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_step(
    result: Handle<Answer>,
    index: usize,
    out: Out<StepView>,
) -> Status {
    enter(|| {
        out.check()?;
        let view = result.with(|r| {
            let step = at(&r.steps, index)?;
            let [line, column, depth] = step.place;
            let (procedure, file) = (step.procedure.as_ptr(), step.file.as_ptr());
            Ok(StepView { procedure, file, text: step.text.as_ptr(), line, column, depth })
        })?;
        out.set(view)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_assumption_count(result: Handle<Answer>, out: Out<usize>) -> Status {
    enter(|| {
        out.check()?;
        out.set(result.with(|r| Ok(r.assumptions.len()))?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_assumption(
    result: Handle<Answer>,
    index: usize,
    out: Out<*const c_char>,
) -> Status {
    tell(&result, &out, |r| at(&r.assumptions, index))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_warning_count(result: Handle<Answer>, out: Out<usize>) -> Status {
    enter(|| {
        out.check()?;
        out.set(result.with(|r| Ok(r.warnings.len()))?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_warning(
    result: Handle<Answer>,
    index: usize,
    out: Out<*const c_char>,
) -> Status {
    tell(&result, &out, |r| at(&r.warnings, index))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_result_free(result: Handle<Answer>) -> Status {
    enter(|| result.free())
}
