//! `hardbop compare`: engines, and other programs, on the same files.
//!
//! Each run is a process of its own, with the same limits.  What is run on one file is run one
//! after another, so that a noisy machine hits all alike.

mod contestant;
mod preset;
mod schedule;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;

use self::contestant::{Contestant, contestants};
use self::preset::Known;
use self::schedule::{Plan, Task};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::command::{Arguments, Command};
use crate::cli::arguments::compare::CompareArguments;
use crate::cli::arguments::solver;
use crate::cli::input::boolean::load;
use crate::cli::input::expected::Expected;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::{self, guard};
use hardbop_base::budget::Budget;
use hardbop_lab::compare::{
    CompareOptions, Comparison, PlotError, cactus, csv, growth_plot, html, member, scatter, table,
};
use hardbop_report::document::pretty;

/// Measures, and shows what was measured.
pub(crate) fn run(arguments: &CompareArguments) -> Result<Exit, CliError> {
    let streams = [&arguments.csv, &arguments.json, &arguments.html]
        .into_iter()
        .flatten()
        .filter(|path| output::is_stream(path))
        .count();
    if streams > 1 {
        return Err(CliError::Usage("only one thing can be written to standard output".into()));
    }
    let options = options(arguments)?;
    let contestants = contestants(arguments, &options, known(arguments, &options)?)?;
    if contestants.is_empty() {
        return Err(CliError::Usage("there is nothing to run: no engine and no peer".into()));
    }
    // While programs are read, nothing asks the budget.
    let budget = guard::guarded(Budget::unlimited(), |_| (String::new(), Exit::Interrupted));
    writable(arguments)?;
    let tasks = tasks(arguments, &options)?;
    let plan = Plan {
        contestants: &contestants,
        tasks: &tasks,
        runs: arguments.runs,
        jobs: arguments.jobs,
        show: !arguments.quiet,
    };
    // From here on the budget is asked all the time; to end large processes may take a while.
    guard::finish();
    let (rows, interrupted) = plan.measure(&budget);

    let settings = CompareOptions {
        time_limit_seconds: arguments.time_limit.as_secs_f64(),
        memory_limit_bytes: arguments.memory_limit,
        runs: arguments.runs,
        jobs: arguments.jobs,
    };
    let shown = contestants.iter().map(Contestant::shown).collect();
    let comparison = Comparison::new(settings, shown, rows, arguments.growth, interrupted);
    if streams == 0 {
        output::print(&table(&comparison))?;
    }
    write(arguments, &comparison)?;
    Ok(exit(&comparison))
}

/// Tells of what must not be, and how to exit.
fn exit(comparison: &Comparison) -> Exit {
    for disagreement in &comparison.disagreements {
        output::complain(&disagreement.to_string());
    }
    if comparison.has_defects() {
        output::complain("an engine ended by an internal error; the reason is under 'Failed'");
    }
    if !comparison.disagreements.is_empty() || comparison.has_defects() {
        Exit::Internal
    } else if comparison.interrupted {
        output::complain("interrupted; this is what has been measured");
        Exit::Interrupted
    } else {
        Exit::Safe
    }
}

/// The known peers, asked what the engines are asked.
fn known(arguments: &CompareArguments, options: &[String]) -> Result<Vec<Known>, CliError> {
    if arguments.peer_preset.is_empty() {
        return Ok(vec![]);
    }
    let program = std::env::current_exe().map_err(|e| CliError::read("hardbop itself", &e))?;
    let check = check_arguments(Path::new("program.bp"), options)?;
    arguments.peer_preset.iter().map(|&p| Known::new(p, program.clone(), &check)).collect()
}

/// The further options for all engines.
fn options(arguments: &CompareArguments) -> Result<Vec<String>, CliError> {
    shlex::split(&arguments.check_options)
        .ok_or_else(|| CliError::Usage("a quote is not closed in '--check-options'".into()))
}

/// The files in the order in which they are run.  Each is read, with the options of the engines,
/// so a mistake is told before anything is measured.
fn tasks(arguments: &CompareArguments, options: &[String]) -> Result<Vec<Task>, CliError> {
    let expected = Expected::read(&arguments.files, arguments.expected.as_deref())?;
    let mut tasks = Vec::new();
    for file in &arguments.files {
        if output::is_stream(file) {
            return Err(CliError::Usage("'compare' needs files, not standard input".into()));
        }
        readable(file, options)?;
        let member = if arguments.growth { member(file) } else { None };
        let expected = expected.of(file);
        tasks.push(Task { file: file.clone(), expected, member });
    }
    if arguments.growth {
        // Small ones of all families first: those are measured where there is not the time for all.
        tasks.sort_by_key(|t| t.member.clone().map(|m| (m.parameter, m.family)));
    }
    Ok(tasks)
}

/// Can `check` read the file with these options?
fn readable(file: &Path, options: &[String]) -> Result<(), CliError> {
    let check = check_arguments(file, options)?;
    #[cfg(feature = "c")]
    check.c.language.suits(file)?;
    solver::available(&check.engines.solvers.qbf)?;
    load(file, &check).map(drop)
}

/// The arguments of `check` with these options.
fn check_arguments(file: &Path, options: &[String]) -> Result<Box<CheckArguments>, CliError> {
    let words = ["hardbop", "check"].into_iter().map(OsString::from);
    let words = words.chain(options.iter().map(OsString::from));
    let end = [OsString::from("--"), file.as_os_str().to_owned()];
    let parsed = Arguments::try_parse_from(words.chain(end));
    match parsed.map_err(|e| CliError::Usage(format!("in '--check-options': {e}")))?.command {
        Command::Check(check) if check.files.len() == 1 => Ok(check),
        _ => Err(CliError::Usage("'--check-options' takes options of 'check'".into())),
    }
}

/// Finds out whether what was asked for can be written, before the runs.
fn writable(arguments: &CompareArguments) -> Result<(), CliError> {
    let files = [&arguments.csv, &arguments.json, &arguments.html];
    for path in files.into_iter().flatten().filter(|path| !output::is_stream(path)) {
        output::Atomic::new(path)?;
    }
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder).map_err(|e| CliError::write(folder, &e))?;
        output::Atomic::new(&folder.join("cactus.svg"))?;
    }
    Ok(())
}

/// Writes what was asked for.
fn write(arguments: &CompareArguments, comparison: &Comparison) -> Result<(), CliError> {
    if let Some(path) = &arguments.csv {
        let text = csv(comparison).map_err(|e| unwritten("the measurements as CSV", &e))?;
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.json {
        let text = pretty(comparison).map_err(|e| unwritten("the result as JSON", &e))?;
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.html {
        let page = html(comparison).map_err(|e| unwritten("the page", &e))?;
        output::write(path, page.as_bytes())?;
    }
    if let Some(folder) = &arguments.svg {
        for (name, plot) in plots(comparison).map_err(|e| unwritten("the plots", &e))? {
            output::write(&folder.join(name), plot.as_bytes())?;
        }
    }
    Ok(())
}

/// All plots, with the names of their files.
fn plots(comparison: &Comparison) -> Result<Vec<(PathBuf, String)>, PlotError> {
    let mut plots = vec![("cactus.svg".into(), cactus(comparison)?)];
    let names: Vec<&str> = comparison.contestants.iter().map(|c| c.name.as_str()).collect();
    for other in 1..names.len() {
        let name = format!("scatter-{}-{}.svg", names[0], names[other]);
        plots.push((name.into(), scatter(comparison, 0, other)?));
    }
    for family in &comparison.growth {
        let name = format!("growth-{}.svg", family.family);
        plots.push((name.into(), growth_plot(comparison, family)?));
    }
    Ok(plots)
}

fn unwritten(what: &str, error: &dyn std::error::Error) -> CliError {
    CliError::Write { what: what.to_owned(), reason: error.to_string() }
}
