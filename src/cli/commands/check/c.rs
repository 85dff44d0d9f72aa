//! `hardbop check` on a C program.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustc_hash::{FxHashMap, FxHashSet};

use super::ending::{Run, Subject, tell_checked};
use super::findings::is_asked;
use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::c::{Program, with_large_stack};
use crate::cli::input::learned::{Learned, lesson};
use crate::cli::input::predicates::{self, Predicates};
use crate::cli::input::read_bytes;
use crate::cli::input::strategy::{Asked, strategy};
use crate::cli::input::task::Job;
use crate::cli::input::witness::Given;
use crate::cli::output;
use crate::cli::output::dump::Dump;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::guard;
use crate::cli::output::keep::Keep;
use crate::cli::output::progress::Progress;
use hardbop_base::budget::{Exhausted, peak_resident_bytes};
use hardbop_base::limits;
use hardbop_c::flow::Flow;
use hardbop_c::harness::harness;
use hardbop_c::lower::{Assumption, words};
use hardbop_c::{Reliance, read_for_check};
use hardbop_cfa::Place;
use hardbop_refine::cegar::{
    BooleanStatistics, Progress as Refining, RefinementStatistics, TreeStatistics,
};
use hardbop_refine::model::{Cache, Naming};
use hardbop_report::document::{
    AnsweredBy, COptions, Checked, Document, Expected, Validation, Verdict, WitnessResult,
};
use hardbop_report::formula::c::Words;
use hardbop_report::statistics::{Table, Verification, progress};
use hardbop_report::units::counted;
use hardbop_report::witness::{Format, Setting, witness};
use hardbop_session::contents::{checked, proved};
use hardbop_session::witness::{doubts, validate};
use hardbop_session::{c, nothing};
use hardbop_smt::{QueryLog, Symbol, Term, Terms};
use hardbop_task::is_task;
use hardbop_verify::certificate::certificate as c_certificate;
use hardbop_verify::{self as verify, Outcome, Phase, Phases, Reduction, Report, Watcher};

/// Decides, and prints the answer.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    with_large_stack(arguments.file(), || decide(arguments))
}

fn decide(arguments: &CheckArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let (own, color) = (&arguments.c, arguments.output.color.when);
    let mut options = arguments.c_options();
    if let Some(help) = limits::apply(&mut options.limits(), &arguments.limit)? {
        output::print(&help)?;
        return Ok(Exit::Safe);
    }
    match strategy(arguments.strategy.as_deref(), verify::Strategy::read)? {
        Asked::Strategy(asked) => options.strategy = asked.unwrap_or_default(),
        Asked::Help => return Ok(Exit::Safe),
    }
    let given = own.predicates.as_deref();
    let given = given.map(|file| Predicates::read(file, color)).transpose()?;
    let learned = own.learned.as_deref();
    let learned = learned.map(Learned::read).transpose()?.flatten();
    let mut job = Job::new(arguments)?;
    let mut options = COptions::new(options, &job.options, arguments.limits.options());
    let witness = own.witness.as_deref().map(output::name);
    let subject = CProgram { expected: job.expected.clone(), options: options.clone(), witness };
    let Run { ending, progress, budget } = Run::begin(subject, &job.files[0], arguments, start)?;
    let said = Said::new(arguments.output.verbose);
    job.files.iter().for_each(|file| said.now(&format!("reading {}", output::name(file))));
    let program = Program::read(&job.files, &own.preprocessor, &job.options)?;
    let mut flow = match own.witness {
        // It says itself what is to be shown.
        Some(_) => program.parse(&job.options, color)?,
        None => read_for_check(&mut job.options, |options| program.parse(options, color))?,
    };
    options.property = job.options.property.clone();
    refuse_nothing(arguments, &job, &flow)?;
    refuse_threads(arguments, &flow)?;
    let (only, except) = (&arguments.only_at, &arguments.except_at);
    if !only.is_empty() || !except.is_empty() {
        flow.check_only(|source, span, what| is_asked(what, &source.place(span), only, except));
    }
    let looked_for = checked(&flow, &options.property);
    let functions = counted(flow.functions.len() as u64, "function");
    said.now(&format!("{}: {functions}, {} data model", flow.source.name, flow.types.model));
    let dump = own.dump_smt.as_deref();
    let dump = dump.map(|folder| Dump::new(folder, budget.cancel_flag())).transpose()?;
    let dump = dump.map(|dump| Arc::new(Mutex::new(dump)));
    options.verify.analysis.log = dump.clone().map(|dump| QueryLog::new(dump));
    let certificate = arguments.reports.certificate.as_deref();
    let certificate =
        certificate.map(|to| output::Atomic::apart(to, &arguments.files)).transpose()?;
    let keep = Keep::new(own.save_bps.as_deref(), own.cache.as_deref())?;
    let mut watching = Watching {
        flow: own.witness.is_none().then_some(&flow),
        open: None,
        assumed: vec![],
        progress,
        said,
        given,
        warnings: vec![],
        learned,
        keep,
    };
    watching.progress.record(|so_far| so_far.checked = Some(looked_for));
    let given = match &own.witness {
        Some(file) => Some(Given::read(file, &job, (&program, &flow), color)?),
        None => None,
    };
    let checked = match &given {
        Some(given) => validate(&given.claim(&flow), &options, &budget, &mut watching),
        None => c::check(&flow, &options, &budget, &mut watching),
    };
    watching.progress.finish();
    watching.said.now("ended");
    let (phase, is_over) = (watching.phase(), budget.check().is_err());
    if let Some(dump) = dump {
        dump.lock().unwrap_or_else(PoisonError::into_inner).finish()?;
    }
    watching.keep.finish()?;
    let (report, mut answer) = checked?;
    // Memory may be free again that was full.
    if is_over || answer.is_ended_by_limit() {
        answer.ended_during(&phase);
    }
    answer.warnings.extend(watching.warnings);
    if let Some(given) = &given {
        let files = contents(&flow, &job.files)?;
        answer.warnings.extend(doubts(&given.witness, &options, flow.types.model, &files));
    }
    answer.file = Some(output::name(&job.files[0]));
    if let [_, _, ..] = job.files.as_slice() {
        answer.files = job.files.iter().map(|file| output::name(file)).collect();
    }
    answer.expected = job.expected.map(|e| e.against(answer.verdict));
    answer.warnings.extend(answer.expected.as_ref().and_then(Expected::warning));
    if !arguments.output.quiet && !arguments.output.json {
        warn(arguments, &answer, &report);
        output::report(&report.rejected);
    }
    let exit = Exit::of(&answer);
    let harness = match (&report.outcome, &own.harness) {
        (Outcome::Unsafe(execution), Some(path)) => harness(&flow, execution).map(|h| (h, path)),
        _ => None,
    };
    let predicates = predicates::text(&report);
    let lesson = match &own.learned {
        Some(path) => lesson(watching.learned.as_ref(), &report, budget.work()).map(|l| (path, l)),
        None => None,
    };
    let witness = match &own.dump_witness {
        Some(path) => Some((path, witness_of(&flow, &report, &answer, (&job.files, path))?)),
        None => None,
    };
    let certificate = certificate
        .map(|to| (to, c_certificate(&flow, &job.options, &options.verify, &report, &budget)));
    let last = ending.last(answer)?;
    guard::finish();
    match certificate {
        Some((to, Ok(certificate))) => {
            let text = certificate.to_json().map_err(|e| CliError::Write {
                what: "the certificate".into(),
                reason: e.to_string(),
            })?;
            to.write(text.as_bytes())?;
        }
        Some((_, Err(why))) => output::complain(&format!("no certificate is written: {why}")),
        None => {}
    }
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
    match witness {
        Some((path, Some(text))) => output::write(path, text.as_bytes())?,
        Some((_, None)) => output::complain("no witness is written: there is no verdict"),
        None => {}
    }
    match (&own.dump_art, &report.tree) {
        (Some(path), Some(tree)) => output::write(path, tree.as_bytes())?,
        (Some(_), None) => output::complain("no tree is written: none was built"),
        (None, _) => {}
    }
    if let Some(path) = &own.dump_predicates {
        output::write(path, predicates.as_bytes())?;
    }
    if let Some((path, text)) = lesson {
        output::write(path, text.as_bytes())?;
    }
    last.write()?;
    Ok(exit)
}

/// Refuses a program in which nothing is an error.  A property file, and a witness, say themselves
/// what is to be shown.
fn refuse_nothing(arguments: &CheckArguments, job: &Job, flow: &Flow) -> Result<(), CliError> {
    let own = &arguments.c;
    let is_said = own.spec.is_some() || own.witness.is_some() || is_task(arguments.file());
    if is_said || !arguments.only_at.is_empty() {
        return Ok(());
    }
    Ok(nothing::in_c(flow, &job.options.property, &arguments.error)?)
}

/// Refuses what cannot be said of a program with threads or signal handlers: it has no place for the order of their steps.
fn refuse_threads(arguments: &CheckArguments, flow: &Flow) -> Result<(), CliError> {
    let own = &arguments.c;
    let asked = [
        ("--harness", own.harness.is_some()),
        ("--dump-witness", own.dump_witness.is_some()),
        ("--witness", own.witness.is_some()),
        ("--certificate", arguments.reports.certificate.is_some()),
    ];
    let has_signals = flow.reliances.iter().any(|(reliance, _)| *reliance == Reliance::Signals);
    match asked.iter().find(|(_, is_asked)| *is_asked) {
        Some((option, _)) if has_signals && *option != "--certificate" => Err(CliError::Usage(
            format!("'{option}' is not for programs with signal handlers: leave it out"),
        )),
        Some((option, _)) if !flow.threads.is_empty() => Err(CliError::Usage(format!(
            "'{option}' is not for programs with threads: leave it out"
        ))),
        _ => Ok(()),
    }
}

/// The witness of the verdict, if there is one.
fn witness_of(
    flow: &Flow,
    report: &Report,
    answer: &Document,
    (files, to): (&[PathBuf], &Path),
) -> Result<Option<String>, CliError> {
    let files = contents(flow, files)?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    // So that who asks for it gets the same file twice:
    // https://reproducible-builds.org/specs/source-date-epoch/
    let given = env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    let time = given.unwrap_or(since);
    let setting = Setting { format: Format::of(to), files: &files, time };
    Ok(witness(flow, report, answer, &setting))
}

/// The names of the files of a program, and what is in them.
fn contents(flow: &Flow, files: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let bytes = |file: &PathBuf| match output::is_stream(file) {
        // It is read only once.
        true => Ok(flow.source.text.clone().into_bytes()),
        false => read_bytes(file),
    };
    files.iter().map(|file| Ok((output::name(file), bytes(file)?))).collect()
}

/// Prints warnings, what was looked for, and the assumptions of a verdict.
fn warn(arguments: &CheckArguments, answer: &Document, report: &Report) {
    answer.warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
    tell_checked(answer);
    let is_error = matches!(report.outcome, Outcome::Unsafe(_));
    let counts = |a: &&Assumption| arguments.output.verbose || !is_error || a.concerns_errors();
    let assumed = words(report.assumptions.iter().filter(counts));
    assumed.iter().for_each(|a| output::complain(&format!("assumed: {a}")));
}

/// The facts about a run besides its answer.
#[derive(Debug, Clone)]
struct CProgram {
    /// The verdict that the task definition expects.
    expected: Option<Expected>,
    options: COptions,
    /// The file of the witness that is validated.
    witness: Option<String>,
}

impl Subject for CProgram {
    type SoFar = SoFar;

    fn line(so_far: &SoFar, elapsed: Duration, memory: Option<u64>) -> String {
        let counts = match (so_far.phase, &so_far.boolean) {
            (Phase::BooleanPrograms, Some(s)) => Some(Refining::Boolean(s)),
            (Phase::Predicates | Phase::Impact, _) => Some(Refining::Tree(&so_far.statistics)),
            _ => None,
        };
        progress::c(so_far.phase, counts, elapsed, memory)
    }

    fn unknown(&self, file: String, reason: Exhausted, so_far: SoFar) -> Document {
        let run = Verification {
            tree: &so_far.statistics,
            boolean: so_far.boolean.as_ref(),
            phases: so_far.phases(),
            steps: &[],
            reduction: Reduction::default(),
            peak_memory_bytes: peak_resident_bytes().unwrap_or(0),
        };
        let by = if so_far.boolean.is_some() { AnsweredBy::Bp } else { AnsweredBy::Tree };
        let verdict = (Verdict::Unknown, Some(reason.into()));
        let mut answer = c::ended(file, verdict, by, &self.options, Table::from(run));
        answer.ended_during(&so_far.phase.to_string());
        (answer.checked, answer.proved) = (so_far.checked, so_far.proved);
        answer.assumptions = so_far.assumptions;
        answer.expected = self.expected.clone().map(|e| e.against(Verdict::Unknown));
        let why = || answer.reason.as_ref().map(|reason| reason.message.clone());
        answer.witness = self.witness.clone().map(|file| Validation {
            file,
            result: WitnessResult::Undecided,
            reason: why(),
        });
        answer
    }
}

/// The state of a run that goes on.
#[derive(Debug, Clone, Default)]
struct SoFar {
    statistics: RefinementStatistics<TreeStatistics>,
    boolean: Option<RefinementStatistics<BooleanStatistics>>,
    phase: Phase,
    /// The time when the phase began; `None` where there was none yet.
    since: Option<Instant>,
    /// The phases before.
    phases: Phases,
    /// What is looked for, once the program has been read.
    checked: Option<Checked>,
    /// The names of what is proved of that.
    proved: Vec<String>,
    /// What that assumes.
    assumptions: Vec<String>,
}

impl SoFar {
    /// The phases, with the time of the one that goes on.
    fn phases(&self) -> Phases {
        let mut phases = self.phases;
        phases.add(self.phase, self.since.map(|s| s.elapsed()).unwrap_or_default());
        phases
    }

    fn begin(&mut self, phase: Phase) {
        self.phases = self.phases();
        (self.phase, self.since) = (phase, Some(Instant::now()));
    }
}

/// The messages of `--verbose`, with the time.
struct Said {
    speaks: bool,
    start: Instant,
    refinements: u64,
}

impl Said {
    fn new(speaks: bool) -> Self {
        Self { speaks, start: Instant::now(), refinements: 0 }
    }

    fn now(&self, text: &str) {
        if self.speaks {
            let elapsed = self.start.elapsed().as_secs_f64();
            output::complain(&format!("hardbop: {elapsed:.3} s: {text}"));
        }
    }

    /// Says it where there was a refinement since the last time.
    fn refined(&mut self, refinements: u64, text: impl FnOnce() -> String) {
        if refinements > self.refinements {
            self.now(&format!("refinement {refinements}: {}", text()));
        }
        self.refinements = refinements;
    }
}

/// The observer of the command line.
struct Watching<'f> {
    /// The program, unless a witness is validated.
    flow: Option<&'f Flow>,
    /// The errors that are not excluded yet, where some are.
    open: Option<BTreeSet<Place>>,
    /// What that assumes.
    assumed: Vec<Assumption>,
    progress: Progress<SoFar>,
    said: Said,
    /// The predicates to begin with, and what is to be said of them.
    given: Option<Predicates>,
    warnings: Vec<String>,
    /// The findings of earlier runs.
    learned: Option<Learned>,
    /// The files that are kept of Boolean programs.
    keep: Keep,
}

impl Watching<'_> {
    /// The last phase.
    fn phase(&self) -> String {
        let so_far = self.progress.so_far();
        let so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.phase.to_string()
    }
}

impl Watcher for Watching<'_> {
    fn phase(&mut self, phase: Phase) {
        let mut is_new = true;
        self.progress.record(|so_far| {
            is_new = so_far.phase != phase;
            so_far.begin(phase);
        });
        if is_new {
            self.said.now(&phase.to_string());
        }
    }

    fn open(&mut self, errors: &BTreeSet<Place>, assumptions: &[Assumption]) {
        // A witness is validated on another program.
        let Some(flow) = self.flow else { return };
        let open = self.open.get_or_insert_with(|| errors.clone());
        open.retain(|error| errors.contains(error));
        let proved = proved(flow, open);
        let new = assumptions.iter().filter(|a| !self.assumed.contains(a));
        let new: Vec<Assumption> = new.cloned().collect();
        self.assumed.extend(new);
        let assumed = words(&self.assumed);
        self.progress.record(|so_far| (so_far.proved, so_far.assumptions) = (proved, assumed));
    }

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

    fn learned(&mut self, terms: &mut Terms) -> Option<verify::Learned> {
        self.learned.as_ref().map(|learned| learned.of_program(terms))
    }

    fn progress(&mut self, refining: Refining) {
        self.progress.record(|so_far| match refining {
            Refining::Tree(s) => so_far.statistics.clone_from(s),
            Refining::Boolean(s) => so_far.boolean = Some(s.clone()),
        });
        match refining {
            Refining::Tree(s) => self.said.refined(s.refinements, || {
                let nodes = counted(s.model.tree_nodes, "tree node");
                format!("{}, {nodes}", counted(s.predicates, "predicate"))
            }),
            Refining::Boolean(s) => self.said.refined(s.model.rounds, || {
                let statements = counted(s.model.size.statements, "statement");
                format!("{}, {statements}", counted(s.predicates, "predicate"))
            }),
        }
    }
}
