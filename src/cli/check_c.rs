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
use super::keep::Keep;
use super::predicates::{self, Predicates};
use super::preprocess::preprocessed;
use super::task::Job;
use super::{input, output, watch};
use crate::base::budget::{Exhausted, peak_resident_bytes, resident_bytes};
use crate::present::document::{AnsweredBy, COptions, Document, Expected, Verdict, invariant_text};
use crate::present::formula::c::Words;
use crate::present::statistics::{Table, Verification, progress};
use crate::program::c::flow::Flow;
use crate::program::c::harness::harness;
use crate::program::c::lower::Assumption;
use crate::program::c::types::DataModel;
use crate::program::c::{ParseOptions, on_large_stack, parse, with_line_marks};
use crate::refine::model::{self, BooleanProgram, Cache, Naming};
use crate::refine::tree::Statistics;
use crate::session::c;
use crate::solve::smt::{QueryLog, Symbol, Term, Terms};
use crate::verify::{self, Outcome, Phases, Reduction, Watcher};

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
        expected: job.expected.clone(),
        options: COptions::new(options.clone(), &job.options, super::check::limits(arguments)),
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
    watching.keep.finish()?;
    let report = report.map_err(|e| CliError::Internal(e.to_string()))?;
    let mut answer = c::answer(
        &flow,
        &report,
        &closing.options,
        watching.warnings,
        peak_resident_bytes().unwrap_or(0),
    );
    answer.file = Some(closing.file.clone());
    answer.expected = job.expected.map(|e| e.against(answer.verdict));
    answer.warnings.extend(answer.expected.as_ref().and_then(Expected::warning));
    if !arguments.quiet && !arguments.json {
        let warn = |w: &String| output::complain(&format!("warning: {w}"));
        answer.warnings.iter().for_each(warn);
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
    let text = closing.text(answer)?;
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

/// What has to be known to say how a run ended.
#[derive(Debug, Clone)]
struct Closing {
    file: String,
    /// What the task definition says of the verdict.
    expected: Option<Expected>,
    options: COptions,
    start: Instant,
    json: bool,
    stats: bool,
    quiet: bool,
    trace: TraceFormat,
}

impl Closing {
    /// What standard output is given.
    fn text(&self, answer: Document) -> Result<String, CliError> {
        let wall_seconds = self.start.elapsed().as_secs_f64();
        if self.json {
            let answer = answer.of_process(wall_seconds);
            return output::json(&answer.only(self.trace != TraceFormat::None, true));
        }
        let mut text = match &answer.trace {
            Some(trace) if !self.quiet => match self.trace {
                TraceFormat::Text => trace.text(),
                TraceFormat::Json => output::json(trace)?,
                TraceFormat::None => String::new(),
            },
            _ => String::new(),
        };
        if !self.quiet {
            text.push_str(&invariant_text(&answer.invariants));
        }
        // An interrupted run shows how far it came.
        if self.stats || (answer.is_interrupted() && !self.quiet) {
            text.push_str(&answer.statistics_text(wall_seconds));
        }
        if let (Some(expected), false) = (&answer.expected, self.quiet) {
            text.push_str(&expected.line());
            text.push('\n');
        }
        Ok(text + &answer.verdict_line + "\n")
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
            let run = Verification {
                tree: &statistics,
                boolean: boolean.as_ref(),
                phases: Phases::default(),
                reduction: Reduction::default(),
                peak_memory_bytes: peak_resident_bytes().unwrap_or(0),
            };
            let by = if boolean.is_some() { AnsweredBy::Bp } else { AnsweredBy::Tree };
            let verdict = (Verdict::Unknown, Some(reason.into()));
            let mut answer =
                c::ended(self.file.clone(), verdict, by, &self.options, Table::from(run));
            answer.expected = self.expected.clone().map(|e| e.against(Verdict::Unknown));
            if show {
                output::clear_line();
            }
            (self.text(answer).unwrap_or_default(), exit)
        }
    }
}

/// What is known of a run that goes on.
#[derive(Debug, Clone, Default)]
struct SoFar {
    statistics: Statistics,
    boolean: Option<model::Statistics>,
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
        self.show(|elapsed, memory| progress::tree(statistics, elapsed, memory));
    }

    fn boolean_progress(&mut self, statistics: &model::Statistics) {
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.boolean = Some(statistics.clone());
        drop(so_far);
        self.show(|elapsed, memory| progress::boolean_programs(statistics, elapsed, memory));
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
