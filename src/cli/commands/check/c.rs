//! `hardbop check` on a C program.

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use super::ending::{Form, Run, Subject};
use crate::base::budget::{Exhausted, peak_resident_bytes};
use crate::base::limits;
use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::c::{flow, with_large_stack};
use crate::cli::input::predicates::{self, Predicates};
use crate::cli::input::task::Job;
use crate::cli::output;
use crate::cli::output::dump::Dump;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::guard;
use crate::cli::output::keep::Keep;
use crate::cli::output::progress::Progress;
use crate::present::c_formula::Words;
use crate::present::c_json::CExpected;
use crate::present::json::Verdict;
use crate::present::{c_invariant, c_statistics};
use crate::program::c::harness::harness;
use crate::program::c::lower::Assumption;
use crate::refine::cegar::{
    BooleanStatistics, Progress as Refining, RefinementStatistics, TreeStatistics,
};
use crate::refine::model::{Cache, Naming};
use crate::session::c::{self, Answer};
use crate::solve::smt::{QueryLog, Symbol, Term, Terms};
use crate::verify::{self, Options, Outcome, Report, UnknownReason, Watcher};

/// Decides, and prints the answer.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    with_large_stack(&arguments.file, || decide(arguments))
}

fn decide(arguments: &CheckArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let (own, color) = (&arguments.c, arguments.output.color.when);
    arguments.engines.check_limit()?;
    let mut options = arguments.c_options();
    if let Some(help) = limits::apply(&mut options.limits(), &arguments.limit)? {
        output::print(&help)?;
        return Ok(Exit::Safe);
    }
    let given = own.predicates.as_deref();
    let given = given.map(|file| Predicates::read(file, color)).transpose()?;
    let job = Job::new(arguments)?;
    let subject = CProgram { job: job.clone(), options: options.clone() };
    let Run { ending, progress, budget } = Run::begin(subject, &job.file, arguments, start);
    let flow = flow(&job.file, &job.options, color)?;
    let dump = own.dump_smt.as_deref();
    let dump = dump.map(|folder| Dump::new(folder, budget.cancel_flag())).transpose()?;
    let dump = dump.map(|dump| Arc::new(Mutex::new(dump)));
    options.analysis.log = dump.clone().map(|dump| QueryLog::new(dump));
    let keep = Keep::new(own.save_bps.as_deref(), own.cache.as_deref())?;
    let mut watching = Watching { progress, given, warnings: vec![], keep };
    let report = verify::check(verify::CProgram::new(&flow), &options, &budget, &mut watching);
    watching.progress.finish();
    if let Some(dump) = dump {
        dump.lock().unwrap_or_else(PoisonError::into_inner).finish()?;
    }
    watching.keep.finish()?;
    let report = report.map_err(|e| CliError::Internal(e.to_string()))?;
    let mut answer = Answer::new(&flow, &report, watching.warnings);
    let expected = job.expected.map(|e| e.against(answer.verdict));
    answer.warnings.extend(expected.as_ref().and_then(CExpected::warning));
    if !arguments.output.quiet && !arguments.output.json {
        warn(arguments, &answer, &report);
    }
    let exit = CProgram::exit(&answer);
    let harness = match (&report.outcome, &own.harness) {
        (Outcome::Unsafe(execution), Some(path)) => harness(&flow, execution).map(|h| (h, path)),
        _ => None,
    };
    let predicates = predicates::text(&report);
    let text = ending.text(answer)?;
    guard::finish();
    match harness {
        Some((harness, path)) => {
            harness.notes.iter().for_each(|n| output::complain(&format!("harness: {n}")));
            output::write(path, harness.text.as_bytes())?;
        }
        None if own.harness.is_some() => {
            output::complain("no harness is written: there is no error");
        }
        None => {}
    }
    match (&own.dump_art, &report.tree) {
        (Some(path), Some(tree)) => output::write(path, tree.as_bytes())?,
        (Some(_), None) => output::complain("no tree is written: there is none"),
        (None, _) => {}
    }
    if let Some(path) = &own.dump_predicates {
        output::write(path, predicates.as_bytes())?;
    }
    output::print(&text)?;
    Ok(exit)
}

/// What a verdict takes for granted, and what else the user should know.
fn warn(arguments: &CheckArguments, answer: &Answer, report: &Report) {
    answer.warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
    let is_error = matches!(report.outcome, Outcome::Unsafe(_));
    let counts = |a: &&Assumption| arguments.output.verbose || !is_error || a.concerns_errors();
    let assumed = |a: &Assumption| output::complain(&format!("assumed: {a}"));
    report.assumptions.iter().filter(counts).for_each(assumed);
}

/// What is known of a run besides its answer.
#[derive(Debug, Clone)]
struct CProgram {
    job: Job,
    options: Options,
}

impl CProgram {
    fn expected(&self, answer: &Answer) -> Option<CExpected> {
        self.job.expected.clone().map(|e| e.against(answer.verdict))
    }
}

impl Subject for CProgram {
    type Answer = Answer;
    type SoFar = SoFar;

    fn unknown(&self, reason: Exhausted, SoFar { statistics, boolean }: SoFar) -> Answer {
        Answer { boolean, ..Answer::unknown(reason.into(), statistics) }
    }

    fn exit(answer: &Answer) -> Exit {
        match (answer.verdict, &answer.reason) {
            (Verdict::Safe, _) => Exit::Safe,
            (Verdict::Unsafe, _) => Exit::Unsafe,
            (Verdict::Unknown, Some(UnknownReason::Interrupted)) => Exit::Interrupted,
            (Verdict::Unknown, _) => Exit::Unknown,
        }
    }

    fn verdict_line(answer: &Answer) -> String {
        answer.verdict_line()
    }

    fn trace(answer: &Answer, is_json: bool) -> Option<Result<String, CliError>> {
        let trace = answer.trace.as_ref()?;
        Some(if is_json { output::json(trace) } else { Ok(trace.text()) })
    }

    fn proof(answer: &Answer) -> String {
        c_invariant::text(&answer.invariants)
    }

    fn statistics(answer: &Answer, wall: Duration) -> String {
        let memory = peak_resident_bytes().unwrap_or(0);
        let (statistics, phases) = (&answer.statistics, &answer.phases);
        let table = match &answer.boolean {
            Some(statistics) => c_statistics::boolean(statistics, phases, wall, memory),
            None => c_statistics::table(statistics, phases, wall, memory),
        };
        table + &c_statistics::sizes(&answer.reduction)
    }

    fn remark(&self, answer: &Answer) -> String {
        self.expected(answer).map_or_else(String::new, |expected| expected.line() + "\n")
    }

    fn document(&self, answer: Answer, form: Form) -> Result<String, CliError> {
        let expected = self.expected(&answer);
        output::json(&answer.document(c::Form {
            file: form.file,
            parse: &self.job.options,
            options: &self.options,
            expected,
            exit_code: Some(form.exit.code()),
            wall_seconds: Some(form.wall.as_secs_f64()),
            peak_memory_bytes: Some(peak_resident_bytes().unwrap_or(0)),
            statistics: true,
            trace: form.trace,
        }))
    }
}

/// What is known of a run that goes on.
#[derive(Debug, Clone, Default)]
struct SoFar {
    statistics: RefinementStatistics<TreeStatistics>,
    boolean: Option<RefinementStatistics<BooleanStatistics>>,
}

/// The observer of the command line.
struct Watching {
    progress: Progress<SoFar>,
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

    fn round(&mut self, number: u64, text: &str) {
        self.keep.round(number, text);
    }

    fn predicates(&mut self, terms: &mut Terms) -> Vec<Term> {
        let Some(given) = &self.given else { return vec![] };
        let (predicates, warnings) = given.of_program(terms);
        self.warnings = warnings;
        predicates
    }

    fn progress(&mut self, progress: Refining) {
        self.progress.record(|so_far| match progress {
            Refining::Tree(s) => so_far.statistics.clone_from(s),
            Refining::Boolean(s) => so_far.boolean = Some(s.clone()),
        });
        self.progress.show(|elapsed, memory| match progress {
            Refining::Tree(s) => c_statistics::progress(s, elapsed, memory),
            Refining::Boolean(s) => c_statistics::boolean_progress(s, elapsed, memory),
        });
    }
}
