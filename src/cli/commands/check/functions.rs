//! `hardbop check --entry '*'`: each function that has a body by itself, by a process of its own, as `--entry NAME` does.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::each::{self, Words};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::c::{files, with_large_stack};
use crate::cli::input::mistakes;
use crate::cli::input::task::Job;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::{self, interrupt};
use hardbop_report::contents::Listed;
use hardbop_report::document::Verdict;
use hardbop_report::properties::{Kind, Properties, Property};
use hardbop_report::units::counted;
use hardbop_session::contents;
use hardbop_task::is_task;

/// The entry that stands for all functions.
pub(super) const ALL: &str = "*";

/// What is true of each run, and no answer says.
const GLOBALS: &str = "where a function is called, global variables have their initial values";

/// Checks each function, and prints a line for each.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    refuse(arguments)?;
    let words = Words::new(without_entry(env::args_os().skip(2)), arguments.output.verbose);
    let functions = functions(arguments)?;
    let mut all: Vec<Property> = functions
        .iter()
        .map(|function| Property::open(Kind::Function, &function.name, vec![function.place()]))
        .collect();
    let cancel = Arc::new(AtomicBool::new(false));
    interrupt::install(Arc::clone(&cancel), || {});
    let speaks = !arguments.output.json && !arguments.output.quiet;
    let width = |of: fn(&Property) -> usize| all.iter().map(of).max().unwrap_or(0);
    let widths = [width(|p| p.name.chars().count()), width(|p| p.place().chars().count())];
    let mut said = BTreeSet::new();
    for function in &mut all {
        decide(function, arguments, &words, &cancel)?;
        let warnings = function.warnings().into_iter().map(|w| format!("warning: {w}"));
        let assumed = function.assumptions().into_iter().map(|a| format!("assumed: {a}"));
        for note in warnings.chain(assumed).filter(|_| speaks) {
            if said.insert(note.clone()) {
                output::complain(&note);
            }
        }
        if !arguments.output.json {
            output::print(&line(function, widths))?;
        }
    }
    if speaks {
        output::complain(&format!("assumed: {GLOBALS}"));
    }
    let names = arguments.files.iter().map(|file| output::name(file)).collect();
    let all = Properties { assumptions: vec![GLOBALS.to_owned()], ..Properties::new(names, all) };
    output::print(&if arguments.output.json { output::json(&all)? } else { all.verdict_line() })?;
    Ok(each::exit(all.verdict, &cancel))
}

/// Refuses what is about one run, or one start.
fn refuse(arguments: &CheckArguments) -> Result<(), CliError> {
    let (own, reports) = (&arguments.c, &arguments.reports);
    let why = if arguments.files.iter().any(|file| output::is_stream(file)) {
        "reads the program several times; standard input can be read once"
    } else if own.spec.is_some() || is_task(arguments.file()) {
        "is for a property that options name"
    } else if [&reports.sarif, &reports.junit, &reports.html, &reports.certificate]
        .into_iter()
        .chain([&own.harness, &own.dump_witness, &own.witness, &own.dump_smt, &own.dump_art])
        .chain([&own.dump_predicates, &own.learned, &own.save_bps])
        .any(Option::is_some)
    {
        "has many answers: files of one answer are written for '--entry NAME'"
    } else {
        return Ok(());
    };
    Err(CliError::Usage(format!("'--entry *' {why}")))
}

/// The functions with bodies, in the order of the text.
fn functions(arguments: &CheckArguments) -> Result<Vec<Listed>, CliError> {
    let job = Job::new(arguments)?;
    let mut all = with_large_stack(arguments.file(), || {
        let files = files(&job.files, &arguments.c.preprocessor, &job.options)?;
        let found = contents::of_c(&files, &job.options);
        found.map_err(|found| mistakes(files.source(), &found, arguments.output.color.when))
    })?;
    if all.functions.is_empty() {
        return Err(CliError::Usage("no function has a body".to_owned()));
    }
    let file = |name: &str| all.files.iter().position(|file| file == name);
    all.functions.sort_by_key(|f| (file(&f.file), f.file.clone(), f.line, f.column));
    Ok(all.functions)
}

/// The words of a command line without those that say where executions start, or how the answer is written.
fn without_entry(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => {
                kept.push(word);
                kept.extend(words.by_ref());
            }
            Some("--json") => {}
            Some("--entry") => drop(words.next()),
            Some(word) if word.starts_with("--entry=") => {}
            _ => kept.push(word),
        }
    }
    kept
}

fn decide(
    function: &mut Property,
    arguments: &CheckArguments,
    words: &Words,
    cancel: &AtomicBool,
) -> Result<(), CliError> {
    if cancel.load(Ordering::Relaxed) {
        function.reason = Some("interrupted".to_owned());
        return Ok(());
    }
    let mut options = vec![format!("--entry={}", function.name)];
    if arguments.c.pointers.is_none() {
        options.push("--pointers=valid".to_owned());
    }
    words.ask(&options, &[])?.decides(function);
    if let (Some([_, _, open]), Verdict::Unknown) = (counts(function), function.verdict) {
        let findings = function.answer.as_ref().and_then(|answer| answer["properties"].as_array());
        let all = findings.map_or(0, Vec::len);
        function.reason = Some(format!("{open} of {all} properties undecided"));
    }
    Ok(())
}

/// How many findings are proved, are errors, and are open, where each has a verdict.
fn counts(function: &Property) -> Option<[usize; 3]> {
    let findings = function.answer.as_ref()?["properties"].as_array()?;
    let of = |verdict: &str| findings.iter().filter(|f| f["verdict"] == *verdict).count();
    Some([of("SAFE"), of("UNSAFE"), of("UNKNOWN")])
}

fn line(function: &Property, [names, places]: [usize; 2]) -> String {
    let findings = counts(function).map_or_else(String::new, |[proved, errors, open]| {
        let errors = counted(errors as u64, "error");
        format!("  {proved} proved, {errors}, {open} open")
    });
    let reason = function.reason.as_ref().map_or_else(String::new, |why| format!("  ({why})"));
    format!(
        "{:<names$}  {:<places$}  {:<7}{findings}  {:.2} s{reason}\n",
        function.name,
        function.place(),
        function.verdict.word(),
        function.seconds,
    )
}
