//! `hardbop check` on a Boolean program.

use std::mem;
use std::time::{Duration, Instant};

use super::ending::{Run, Subject};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::solver;
use crate::cli::input::boolean::load;
use crate::cli::input::strategy::{Asked, strategy};
use crate::cli::output;
use crate::cli::output::dump::Dump;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::guard;
use crate::cli::output::progress::Progress;
use hardbop_base::budget::{Exhausted, peak_resident_bytes};
use hardbop_base::limits;
use hardbop_base::rejected::Rejected;
use hardbop_bp::engine::{self, Observer, Statistics};
use hardbop_bp::language::dot::dot;
use hardbop_bp::language::program::Program;
use hardbop_bp::proof::{Invariant, Outcome};
use hardbop_logic::Aig;
use hardbop_qbf::ForallExists;
use hardbop_report::document::{Document, RunOptions};
use hardbop_report::statistics::progress;
use hardbop_report::units::counted;
use hardbop_session::boolean;
use hardbop_session::nothing::{self, NothingToCheck};
use hardbop_session::threads::{self, AnyProgram};

/// Calls of procedures that a page shows.
const OUTLINE: usize = 400;

/// Decides, and prints the answer.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let own = &arguments.boolean;
    refuse_combinations(arguments)?;
    let mut options = arguments.boolean_options();
    if let Some(help) = limits::apply(&mut options.engine.limits(), &arguments.limit)? {
        output::print(&help)?;
        return Ok(Exit::Safe);
    }
    match strategy(arguments.strategy.as_deref(), engine::Strategy::read)? {
        Asked::Strategy(asked) => options.engine.engine_strategy = asked.unwrap_or_default(),
        Asked::Help => return Ok(Exit::Safe),
    }
    solver::available(&arguments.engines.solvers.qbf)?;
    let certificate = arguments.reports.certificate.as_deref();
    let certificate =
        certificate.map(|to| output::Atomic::apart(to, &arguments.files)).transpose()?;
    let Run { ending, mut progress, budget } =
        Run::begin(BooleanProgram(options.clone()), arguments.file(), arguments, start)?;

    let say = |text: &str| {
        if arguments.output.verbose {
            output::complain(&format!("hardbop: {text}"));
        }
    };
    say(&format!("reading {}", output::name(arguments.file())));
    let (program, missing) = load(arguments.file(), arguments)?;
    if arguments.only_at.is_empty() {
        nothing::in_boolean(program.program(), &missing)?;
    }
    let warnings: Vec<_> =
        missing.into_iter().map(|label| NothingToCheck::NoLabel(label).to_string()).collect();
    if !arguments.output.quiet {
        warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
    }
    say(&size(program.program()));
    if let Some(path) = &own.dump_cfg {
        output::write(path, dot(program.program()).as_bytes())?;
    }
    let program = match program {
        AnyProgram::Sequential(program) => program,
        AnyProgram::Threads(_) if certificate.is_some() => {
            let why =
                "there are no certificates of programs with threads: leave '--certificate' out";
            return Err(CliError::Usage(why.to_owned()));
        }
        AnyProgram::Threads(program) => {
            let answer = threads::check(&program, &options, warnings, &budget);
            progress.finish();
            let answer = answer?;
            let exit = Exit::of(&answer);
            let last = ending.last(answer)?;
            guard::finish();
            last.write()?;
            return Ok(exit);
        }
    };

    let dump = own.dump_qbf.as_deref();
    let dump = dump.map(|folder| Dump::new(folder, budget.cancel_flag())).transpose()?;
    let mut watch = Watch { progress, dump };
    let checked = boolean::check(&program, &options, warnings, &budget, &mut watch);
    watch.finish()?;
    let (report, mut answer) = checked?;
    if !arguments.output.quiet {
        let said = report.rejected.iter().map(Rejected::warning);
        said.for_each(|w| output::complain(&format!("warning: {w}")));
        output::report(&report.rejected);
    }
    let engine = format!("{:?}", report.engine).to_lowercase();
    say(&format!("engine {engine} ended after {:.3} s", start.elapsed().as_secs_f64()));

    if arguments.output.json || arguments.reports.html.is_some() {
        answer.invariants = boolean::proved(&program, &report, &options);
        answer.outline = boolean::outline(&program, &answer.invariants, OUTLINE);
    }
    let document = match &certificate {
        Some(_) => certify(&program, &options, &report.outcome)?,
        None => None,
    };
    let exit = Exit::of(&answer);
    let last = ending.last(answer)?;
    // The process ends; to give back the memory piece by piece can take seconds.
    mem::forget(program);
    guard::finish();
    match (certificate, document) {
        (Some(file), Some(document)) => file.write(&document)?,
        (Some(_), None) => output::complain("no certificate is written: there is no verdict"),
        (None, _) => {}
    }
    last.write()?;
    Ok(exit)
}

/// Options that contradict each other or would do nothing.
fn refuse_combinations(arguments: &CheckArguments) -> Result<(), CliError> {
    let own = &arguments.boolean;
    let to_stdout = own.dump_cfg.as_deref().is_some_and(output::is_stream);
    if arguments.output.json && to_stdout {
        return Err(CliError::Usage(
            "'--json' and '--dump-cfg -' both need standard output".into(),
        ));
    }
    // Threads have no single sequence of queries.
    if arguments.engines.has_threads() && own.dump_qbf.is_some() {
        return Err(CliError::Usage("'--dump-qbf' needs '--threads 1'".into()));
    }
    Ok(())
}

/// The options of a run, for its document.
#[derive(Debug, Clone)]
struct BooleanProgram(RunOptions);

impl Subject for BooleanProgram {
    type SoFar = Statistics;

    fn line(so_far: &Statistics, elapsed: Duration, memory: Option<u64>) -> String {
        progress::boolean(so_far, elapsed, memory)
    }

    fn unknown(&self, file: String, reason: Exhausted, mut statistics: Statistics) -> Document {
        statistics.peak_memory_bytes = peak_resident_bytes().unwrap_or(0);
        boolean::ended(file, reason.into(), &self.0, &statistics)
    }
}

/// The observer of the command line: progress, and the queries of `--dump-qbf`.
struct Watch {
    progress: Progress<Statistics>,
    dump: Option<Dump>,
}

impl Watch {
    /// Clears the line of progress, and tells of a failure to write a query.
    fn finish(mut self) -> Result<(), CliError> {
        self.progress.finish();
        self.dump.map_or(Ok(()), |mut dump| dump.finish())
    }
}

impl Observer for Watch {
    fn progress(&mut self, s: &Statistics) {
        self.progress.record(|so_far| so_far.clone_from(s));
    }

    fn query(&mut self, aig: &Aig, query: &ForallExists) {
        let Some(dump) = &mut self.dump else { return };
        dump.next_query();
        dump.write("qdimacs", || {
            let mut text = Vec::new();
            // Writing needs new nodes; the run's own graph is not to change by being watched.
            query.to_qdimacs(&mut aig.clone(), &mut text)?;
            Ok(text)
        });
    }
}

/// The text of a certificate, where there is a verdict.
fn certify(
    program: &Program,
    options: &RunOptions,
    outcome: &Outcome<Invariant>,
) -> Result<Option<Vec<u8>>, CliError> {
    boolean::certificate(program, options, outcome)
        .and_then(|c| c.map(|c| c.to_json()).transpose())
        .map(|text| text.map(String::into_bytes))
        .map_err(|e| CliError::Write { what: "the certificate".into(), reason: e.to_string() })
}

fn size(program: &Program) -> String {
    let nodes: usize = program.procedures.iter().map(|p| p.node_count()).sum();
    format!(
        "{}: {}, {}, {}",
        program.source.name,
        counted(program.variables.len() as u64, "variable"),
        counted(program.procedures.len() as u64, "procedure"),
        counted(nodes as u64, "node"),
    )
}
