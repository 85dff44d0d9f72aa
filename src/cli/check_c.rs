//! `hardbop check` on a C program.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use rustc_hash::{FxHashMap, FxHashSet};

use super::args::{CheckArguments, Color, TraceFormat};
use super::dump::Dump;
use super::error::CliError;
use super::exit::Exit;
use super::guard::{self, Farewell};
use super::predicates::{self, Predicates};
use super::preprocess::preprocessed;
use super::task::Job;
use super::keep::Keep;
use super::{input, output, watch};
use crate::budget::{Exhausted, peak_resident_bytes, resident_bytes};
use crate::c::execute::Undefined;
use crate::c::flow::Flow;
use crate::c::harness::harness;
use crate::c::lower::Assumption;
use crate::c::types::DataModel;
use crate::c::{ParseOptions, on_large_stack, parse, with_line_marks};
use crate::c2bp::{self, BooleanProgram, Cache, Naming};
use crate::cpa::Statistics;
use crate::report::c_formula::Words;
use crate::report::c_json::{CDocument, CExpected, CInvariant};
use crate::report::c_trace::CTraceReport;
use crate::report::json::Verdict;
use crate::report::{c_invariant, c_statistics, unknown_line};
use crate::smt::{QueryLog, Symbol, Term, Terms};
use crate::source::Span;
use crate::verify::{self, Options, Outcome, Phases, Reduction, Report, Watcher};

/// Decides, and prints the answer.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    on_large_stack(|| decide(arguments)).unwrap_or_else(|e| {
        Err(CliError::Read { name: input::name(&arguments.file), reason: e.to_string() })
    })
}

fn decide(arguments: &CheckArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let mut options = arguments.c.options(super::check::engine_options(arguments));
    let given = arguments.c.predicates.as_deref();
    let given = given.map(|file| Predicates::read(file, arguments.color)).transpose()?;
    let show = !arguments.quiet && io::stderr().is_terminal();
    let job = Job::new(arguments)?;
    let closing = Closing {
        file: input::name(&job.file),
        job: job.clone(),
        options: options.clone(),
        start,
        json: arguments.json,
        stats: arguments.stats,
        quiet: arguments.quiet,
        trace: arguments.trace,
    };
    let so_far: Arc<Mutex<SoFar>> = Arc::default();
    let farewell = closing.clone().farewell(Arc::clone(&so_far), show);
    let budget = guard::budget(arguments.limits, farewell);
    let flow = flow(&job.file, &job.options, arguments.color)?;
    let dump = match &arguments.c.dump_smt {
        Some(folder) => {
            let dump = Dump::new(folder, "smt2", budget.cancel_flag())?;
            let dump = Arc::new(Mutex::new(dump));
            options.analysis.log = Some(QueryLog::new(dump.clone()));
            Some(dump)
        }
        None => None,
    };
    let mut warnings: Vec<String> = flow
        .warnings
        .iter()
        .map(|w| {
            let at = flow.source.position(w.span.start);
            format!("{}:{}:{}: {}", at.file, at.line, at.column, w.message)
        })
        .collect();
    let keep = Keep::new(&arguments.c)?;
    let mut watching =
        Watching { start, last: start, show, bar: None, so_far, given, warnings: vec![], keep };
    let report = verify::check(&flow, &options, &budget, &mut watching);
    if let Some(bar) = watching.bar.take() {
        bar.finish_and_clear();
    }
    if let Some(dump) = dump {
        dump.lock().unwrap_or_else(PoisonError::into_inner).finish()?;
    }
    warnings.append(&mut watching.warnings);
    watching.keep.finish()?;
    let report = report.map_err(|e| CliError::Internal(e.to_string()))?;
    warnings.extend(undefined(&flow, &report.outcome));
    let ending = ending(&flow, &report);
    let expected = job.expected.map(|e| e.against(ending.verdict));
    warnings.extend(expected.as_ref().and_then(CExpected::warning));
    if !arguments.quiet && !arguments.json {
        warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
        let is_error = matches!(report.outcome, Outcome::Unsafe(_));
        let counts = |a: &&Assumption| arguments.verbose || !is_error || a.concerns_errors();
        let assumed = |a: &Assumption| output::complain(&format!("assumed: {a}"));
        report.assumptions.iter().filter(counts).for_each(assumed);
    }
    let exit = exit(&report.outcome);
    let harness = match (&report.outcome, &arguments.c.harness) {
        (Outcome::Unsafe(execution), Some(path)) => harness(&flow, execution).map(|h| (h, path)),
        _ => None,
    };
    let predicates = predicates::text(&report);
    let text = closing.text(Ending { warnings, ..ending })?;
    guard::finish();
    match harness {
        Some((harness, path)) => {
            harness.notes.iter().for_each(|n| output::complain(&format!("harness: {n}")));
            output::write(path, harness.text.as_bytes())?;
        }
        None if arguments.c.harness.is_some() => {
            output::complain("no harness is written: there is no error");
        }
        None => {}
    }
    if let (Some(path), Some(tree)) = (&arguments.c.dump_art, &report.tree) {
        output::write(path, tree.as_bytes())?;
    }
    if let Some(path) = &arguments.c.dump_predicates {
        output::write(path, predicates.as_bytes())?;
    }
    output::print(&text)?;
    Ok(exit)
}

/// Reads a C program, through the preprocessor where it needs that, where nothing but the data model
/// is chosen.
pub(super) fn read(file: &Path, lp64: bool, color: Color) -> Result<Flow, CliError> {
    let model = if lp64 { DataModel::Lp64 } else { DataModel::Ilp32 };
    flow(file, &ParseOptions { model, ..ParseOptions::default() }, color)
}

fn flow(file: &Path, options: &ParseOptions, color: Color) -> Result<Flow, CliError> {
    let source = preprocessed(input::read(file)?, file, options.model)?;
    parse(source.clone(), options)
        .map_err(|diagnostics| input::mistakes(&with_line_marks(source), &diagnostics, color))
}

/// Warnings of what C does not define on the way to the error.
fn undefined(flow: &Flow, outcome: &Outcome) -> Vec<String> {
    let Outcome::Unsafe(execution) = outcome else { return vec![] };
    let warning = |&(span, what): &(Span, Undefined)| {
        let at = flow.source.position(span.start);
        let meaning = match what {
            Undefined::Overflow => "numbers wrap around here, as with 'gcc -fwrapv'",
            Undefined::ShiftCount => "the count is taken modulo the width here",
        };
        format!(
            "{}:{}:{}: {what} on the way to the error, which C does not define; {meaning}",
            at.file, at.line, at.column
        )
    };
    execution.undefined.iter().map(warning).collect()
}

/// How a run ended.
struct Ending {
    verdict: Verdict,
    reason: Option<String>,
    exit: Exit,
    statistics: Statistics,
    boolean: Option<c2bp::Statistics>,
    phases: Phases,
    reduction: Reduction,
    assumptions: Vec<String>,
    invariants: Vec<CInvariant>,
    trace: Option<CTraceReport>,
    warnings: Vec<String>,
}

fn exit(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Safe(_) => Exit::Safe,
        Outcome::Unsafe(_) => Exit::Unsafe,
        Outcome::Unknown(reason) if *reason == Exhausted::Cancelled.to_string() => {
            Exit::Interrupted
        }
        Outcome::Unknown(_) => Exit::Unknown,
    }
}

fn ending(flow: &Flow, report: &Report) -> Ending {
    let (verdict, reason) = match &report.outcome {
        Outcome::Safe(_) => (Verdict::Safe, None),
        Outcome::Unsafe(_) => (Verdict::Unsafe, None),
        Outcome::Unknown(reason) => (Verdict::Unknown, Some(reason.clone())),
    };
    let invariants = match &report.outcome {
        Outcome::Safe(invariant) => c_invariant::report(flow, report, invariant),
        _ => vec![],
    };
    let trace = match &report.outcome {
        Outcome::Unsafe(execution) => Some(CTraceReport::new(flow, execution)),
        _ => None,
    };
    Ending {
        verdict,
        reason,
        exit: exit(&report.outcome),
        statistics: report.statistics.clone(),
        boolean: report.boolean.clone(),
        phases: report.phases,
        reduction: report.reduction,
        assumptions: report.assumptions.iter().map(ToString::to_string).collect(),
        invariants,
        trace,
        warnings: vec![],
    }
}

/// What has to be known to say how a run ended.
#[derive(Debug, Clone)]
struct Closing {
    file: String,
    job: Job,
    options: Options,
    start: Instant,
    json: bool,
    stats: bool,
    quiet: bool,
    trace: TraceFormat,
}

impl Closing {
    /// What standard output is given.
    fn text(&self, ending: Ending) -> Result<String, CliError> {
        let verdict_line = match (ending.verdict, &ending.reason) {
            (Verdict::Safe, _) => "VERDICT: SAFE".to_owned(),
            (Verdict::Unsafe, _) => "VERDICT: UNSAFE".to_owned(),
            (Verdict::Unknown, reason) => unknown_line(reason.as_deref().unwrap_or_default()),
        };
        let memory = peak_resident_bytes().unwrap_or(0);
        let expected = self.job.expected.clone().map(|e| e.against(ending.verdict));
        if self.json {
            let document = CDocument {
                version: env!("CARGO_PKG_VERSION"),
                file: self.file.clone(),
                verdict: ending.verdict,
                reason: ending.reason,
                verdict_line,
                exit_code: ending.exit.code(),
                wall_seconds: self.start.elapsed().as_secs_f64(),
                peak_memory_bytes: memory,
                options: self.options.clone(),
                data_model: self.job.options.model,
                entry: self.job.options.entry.clone().unwrap_or_default(),
                property: self.job.options.property.formulas(),
                expected,
                statistics: ending.statistics,
                boolean_statistics: ending.boolean,
                phases: ending.phases,
                reduction: ending.reduction,
                assumptions: ending.assumptions,
                invariants: ending.invariants,
                trace: ending.trace.filter(|_| self.trace != TraceFormat::None),
                warnings: ending.warnings,
            };
            return output::json(&document);
        }
        let mut text = match &ending.trace {
            Some(trace) if !self.quiet => match self.trace {
                TraceFormat::Text => trace.text(),
                TraceFormat::Json => output::json(trace)?,
                TraceFormat::None => String::new(),
            },
            _ => String::new(),
        };
        if !self.quiet {
            text.push_str(&c_invariant::text(&ending.invariants));
        }
        // An interrupted run shows how far it came.
        if self.stats || (ending.exit == Exit::Interrupted && !self.quiet) {
            let (statistics, phases) = (&ending.statistics, &ending.phases);
            let wall = self.start.elapsed();
            text.push_str(&match &ending.boolean {
                Some(statistics) => c_statistics::boolean(statistics, phases, wall, memory),
                None => c_statistics::table(statistics, phases, wall, memory),
            });
            text.push_str(&c_statistics::sizes(&ending.reduction));
        }
        if let (Some(expected), false) = (expected, self.quiet) {
            text.push_str(&expected.line());
            text.push('\n');
        }
        Ok(text + &verdict_line + "\n")
    }

    /// What the guard says in place of the run, which may show a line of progress.
    fn farewell(
        self,
        so_far: Arc<Mutex<SoFar>>,
        show: bool,
    ) -> impl Fn(Exhausted) -> Farewell + Send + 'static {
        move |reason| {
            let SoFar { statistics, boolean } =
                so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let exit = match reason {
                Exhausted::Cancelled => Exit::Interrupted,
                _ => Exit::Unknown,
            };
            let ending = Ending {
                verdict: Verdict::Unknown,
                reason: Some(reason.to_string()),
                exit,
                statistics,
                boolean,
                phases: Phases::default(),
                reduction: Reduction::default(),
                assumptions: vec![],
                invariants: vec![],
                trace: None,
                warnings: vec![],
            };
            if show {
                output::clear_line();
            }
            (self.text(ending).unwrap_or_default(), exit)
        }
    }
}

/// What is known of a run that goes on.
#[derive(Debug, Clone, Default)]
struct SoFar {
    statistics: Statistics,
    boolean: Option<c2bp::Statistics>,
}

/// The observer of the command line.
struct Watching {
    start: Instant,
    last: Instant,
    show: bool,
    bar: Option<ProgressBar>,
    so_far: Arc<Mutex<SoFar>>,
    /// The predicates to begin with, and what is to be said of them.
    given: Option<Predicates>,
    warnings: Vec<String>,
    /// What is kept of Boolean programs.
    keep: Keep,
}

impl Watcher for Watching {
    fn naming(
        &mut self,
        pointers: &FxHashSet<Symbol>,
        addresses: &FxHashMap<u64, String>,
    ) -> Box<dyn Naming> {
        Box::new(Words { pointers: pointers.clone(), addresses: addresses.clone() })
    }

    fn cache(&mut self) -> Option<Rc<dyn Cache>> {
        self.keep.cache()
    }

    fn round(&mut self, number: u64, program: &BooleanProgram) {
        self.keep.round(number, program);
    }

    fn predicates(&mut self, terms: &mut Terms) -> Vec<Term> {
        let Some(given) = &self.given else { return vec![] };
        let (predicates, warnings) = given.of_program(terms);
        self.warnings = warnings;
        predicates
    }

    fn progress(&mut self, statistics: &Statistics) {
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.statistics.clone_from(statistics);
        drop(so_far);
        self.show(|elapsed, memory| c_statistics::progress(statistics, elapsed, memory));
    }

    fn boolean_progress(&mut self, statistics: &c2bp::Statistics) {
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.boolean = Some(statistics.clone());
        drop(so_far);
        self.show(|elapsed, memory| c_statistics::boolean_progress(statistics, elapsed, memory));
    }
}

impl Watching {
    /// Shows a line of progress, on a terminal and not too often.
    fn show(&mut self, line: impl FnOnce(Duration, Option<u64>) -> String) {
        let now = Instant::now();
        let early = now - self.start < watch::PATIENCE || now - self.last < watch::PERIOD;
        if !self.show || early {
            return;
        }
        self.last = now;
        let bar = self.bar.get_or_insert_with(watch::spinner);
        bar.set_message(line(now - self.start, resident_bytes()));
        bar.tick();
    }
}
