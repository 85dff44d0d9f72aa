//! `hardbop check`: is an error reachable?

use std::io::{self, IsTerminal};
use std::mem;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::args::{BoundName, CheckArguments, EngineName, OrderName, TraceFormat};
use super::error::CliError;
use super::exit::Exit;
use super::guard::{self, Farewell};
use super::watch::Watch;
use super::{input, output, solver};
use crate::base::budget::{Exhausted, peak_resident_bytes};
use crate::boolean::engine::{self, Bound, Engine, Options, Statistics, VariableOrder};
use crate::boolean::language::dot::dot;
use crate::boolean::language::program::Program;
use crate::boolean::language::resolve::ResolveOptions;
use crate::boolean::proof::{Invariant, Outcome, UnknownReason};
use crate::present::document::{Document, LimitOptions, RunOptions};
use crate::present::units::counted;
use crate::session::boolean;

/// Decides, and prints the answer.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let to_stdout = arguments.dump_cfg.as_deref().is_some_and(input::is_stream);
    if arguments.json && to_stdout {
        return Err(CliError::Usage(
            "'--json' and '--dump-cfg -' both need standard output".into(),
        ));
    }
    check_race(arguments)?;
    let options = run_options(arguments);
    solver::available(&arguments.qbf)?;
    let certificate = arguments.certificate.as_deref().map(output::Atomic::new).transpose()?;
    let show = !arguments.quiet && io::stderr().is_terminal();
    let mut watch = Watch::new(start, show);
    let closing = Closing {
        file: input::name(&arguments.file),
        options: options.clone(),
        start,
        json: arguments.json,
        stats: arguments.stats,
        quiet: arguments.quiet,
        trace: arguments.trace,
    };
    let farewell = closing.clone().farewell(watch.so_far(), show);
    let budget = guard::budget(arguments.limits, farewell);

    let say = |text: &str| {
        if arguments.verbose {
            output::complain(&format!("hardbop: {text}"));
        }
    };
    say(&format!("reading {}", input::name(&arguments.file)));
    let (program, warnings) = load(arguments, &options.resolve)?;
    if !arguments.quiet {
        warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
    }
    say(&size(&program));
    if let Some(path) = &arguments.dump_cfg {
        dump_graphs(path, &program)?;
    }

    if let Some(directory) = &arguments.dump_qbf {
        watch.dump_to(directory, budget.cancel_flag())?;
    }
    let result = engine::check(&program, &options.engine, &budget, &mut watch);
    watch.finish()?;
    let report = result?;
    let engine = format!("{:?}", report.engine).to_lowercase();
    say(&format!("engine {engine} ended after {:.3} s", start.elapsed().as_secs_f64()));

    let answer = boolean::answer(&program, &report, &options, warnings)?;
    let document = match &certificate {
        Some(_) => certify(&program, &options, &report.outcome)?,
        None => None,
    };
    let exit = exit(&report.outcome);
    let text = closing.text(answer)?;
    // The process ends; to give back the memory piece by piece can take seconds.
    mem::forget(program);
    guard::finish();
    match (certificate, document) {
        (Some(file), Some(document)) => file.write(&document)?,
        (Some(_), None) => output::complain("no certificate is written: there is no verdict"),
        (None, _) => {}
    }
    output::print(&text)?;
    Ok(exit)
}

/// What has to be known to say how a run ended.
#[derive(Debug, Clone)]
struct Closing {
    file: String,
    options: RunOptions,
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
        // An interrupted run shows how far it came.
        if self.stats || (answer.is_interrupted() && !self.quiet) {
            text.push_str(&answer.statistics_text(wall_seconds));
        }
        Ok(text + &answer.verdict_line + "\n")
    }

    /// What the guard says in place of the run, which may show a line of progress.
    fn farewell(
        self,
        so_far: Arc<Mutex<Statistics>>,
        show: bool,
    ) -> impl Fn(Exhausted) -> Farewell + Send + 'static {
        move |reason| {
            let mut statistics = so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
            statistics.peak_memory_bytes = peak_resident_bytes().unwrap_or(0);
            let outcome = Outcome::<Invariant>::Unknown(reason.into());
            let exit = exit(&outcome);
            let file = self.file.clone();
            let answer = boolean::ended(file, reason.into(), &self.options, &statistics);
            let line = answer.verdict_line.clone();
            if show {
                output::clear_line();
            }
            (self.text(answer).unwrap_or(line + "\n"), exit)
        }
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

/// A race needs engines to race, and has no single sequence of queries.
fn check_race(arguments: &CheckArguments) -> Result<(), CliError> {
    if arguments.threads == NonZeroUsize::MIN {
        return Ok(());
    }
    if arguments.engine != EngineName::Auto {
        let what = "'--threads' races engines: it needs '--engine auto'";
        return Err(CliError::Usage(what.into()));
    }
    if arguments.dump_qbf.is_some() {
        return Err(CliError::Usage("'--dump-qbf' needs '--threads 1'".into()));
    }
    Ok(())
}

pub(super) fn run_options(arguments: &CheckArguments) -> RunOptions {
    let mut resolve = ResolveOptions {
        entry: arguments.entry.clone(),
        check_asserts: !arguments.ignore_asserts,
        ..ResolveOptions::default()
    };
    if !arguments.error.is_empty() {
        resolve.error_labels.clone_from(&arguments.error);
    }
    RunOptions {
        engine: engine_options(arguments),
        resolve,
        dialect: arguments.dialect,
        limits: limits(arguments),
    }
}

/// The limits of the run, for its document.
pub(super) fn limits(arguments: &CheckArguments) -> LimitOptions {
    LimitOptions {
        time_limit_seconds: arguments.limits.time.map(|t| t.as_secs_f64()),
        memory_limit_bytes: arguments.limits.memory,
    }
}

/// How the engines are to decide.
pub(super) fn engine_options(arguments: &CheckArguments) -> Options {
    let engine = match arguments.engine {
        EngineName::Auto => Engine::Auto,
        EngineName::Qbf => Engine::Qbf,
        EngineName::Universal => Engine::Universal,
        EngineName::Bdd => Engine::Bdd,
    };
    let bdd_order = match arguments.bdd_order {
        OrderName::Dependency => VariableOrder::Dependency,
        OrderName::DepthFirst => VariableOrder::DepthFirst,
        OrderName::Declaration => VariableOrder::Declaration,
    };
    let bound = match arguments.bound {
        BoundName::Rrd => Bound::Rrd,
        BoundName::Fixpoint => Bound::Fixpoint,
        BoundName::Both => Bound::Both,
    };
    Options {
        engine,
        bound,
        universal_limit: arguments.universal_limit,
        bdd_order,
        qbf: arguments.qbf.clone(),
        sat: arguments.sat,
        seed: arguments.seed,
        plain: arguments.plain,
        threads: arguments.threads,
        certify: arguments.certificate.is_some(),
    }
}

/// Reads the program; with warnings.
pub(super) fn load(
    arguments: &CheckArguments,
    options: &ResolveOptions,
) -> Result<(Program, Vec<String>), CliError> {
    let source = input::read(&arguments.file)?;
    boolean::load(&source, arguments.dialect, options, &arguments.error)
        .map_err(|diagnostics| input::mistakes(&source, &diagnostics, arguments.color))
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

fn dump_graphs(path: &Path, program: &Program) -> Result<(), CliError> {
    output::write(path, dot(program).as_bytes())
}

fn exit<I>(outcome: &Outcome<I>) -> Exit {
    match outcome {
        Outcome::Safe(_) => Exit::Safe,
        Outcome::Unsafe(_) => Exit::Unsafe,
        Outcome::Unknown(UnknownReason::Interrupted) => Exit::Interrupted,
        Outcome::Unknown(_) => Exit::Unknown,
    }
}
