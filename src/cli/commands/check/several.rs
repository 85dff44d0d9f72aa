//! Several answers, one after the other, each by a process of its own: of functions, or of programs.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::Value;

use super::each::Words;
use super::ending::{refuse_reports, write_reports};
use super::kept::{self, Kept};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::{self, interrupt};
use hardbop_report::document::Verdict;
use hardbop_report::findings::merged;
use hardbop_report::properties::{Properties, Property};
use hardbop_report::units::counted;
use hardbop_task::is_task;

/// What is asked.
pub(super) struct Questions {
    pub all: Vec<Property>,
    /// The option that a run for one of them has in place of its like on the command line.
    pub option: &'static str,
    /// Other options of each run.
    pub more: Vec<String>,
    /// What is true of each run, and no answer says.
    pub assumed: Vec<String>,
}

/// Asks them, and prints a line for each.
pub(super) fn run(questions: Questions, arguments: &CheckArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let Questions { mut all, option, more, assumed } = questions;
    refuse_reports(arguments)?;
    // Findings are listed with `--each` alone.
    let kept = arguments.each.then(|| Kept::read(arguments, &mut [])).transpose()?;
    let words = without(env::args_os().skip(2), option);
    let words = Words::new(words, arguments.output.verbose);
    let cancel = Arc::new(AtomicBool::new(false));
    interrupt::install(Arc::clone(&cancel), || {});
    let speaks = !arguments.output.json && !arguments.output.quiet;
    let width = |of: fn(&Property) -> usize| all.iter().map(of).max().unwrap_or(0);
    let widths = [width(|p| p.name.chars().count()), width(|p| p.place().chars().count())];
    let mut said = BTreeSet::new();
    for property in &mut all {
        let mut options = vec![format!("{option}={}", property.name)];
        options.extend_from_slice(&more);
        decide(property, &options, &words, &cancel)?;
        let warnings = property.warnings().into_iter().map(|w| format!("warning: {w}"));
        let assumed = property.assumptions().into_iter().map(|a| format!("assumed: {a}"));
        for note in warnings.chain(assumed).filter(|_| speaks) {
            if said.insert(note.clone()) {
                output::complain(&note);
            }
        }
        if !arguments.output.json {
            output::print(&line(property, widths))?;
        }
    }
    for of_all in assumed.iter().filter(|_| speaks) {
        output::complain(&format!("assumed: {of_all}"));
    }
    let names: Vec<String> = arguments.files.iter().map(|file| output::name(file)).collect();
    let mut all = Properties { assumptions: assumed, ..Properties::new(names.clone(), all) };
    let Some(kept) = kept else { return kept::end(arguments, (&all, &all), &cancel) };
    let findings = kept.compared(Properties::new(names, merged(&all.properties)));
    let findings = Properties { assumptions: all.assumptions(), ..findings };
    write_reports(arguments, &findings, start)?;
    (all.counts, all.gone) = (findings.counts, findings.gone.clone());
    kept::end(arguments, (&all, &findings), &cancel)
}

/// Refuses what is about one run; `what` asks for several, `one` for one of them.
pub(super) fn refuse(arguments: &CheckArguments, what: &str, one: &str) -> Result<(), CliError> {
    let (own, reports) = (&arguments.c, &arguments.reports);
    let why = if arguments.files.iter().any(|file| output::is_stream(file)) {
        "reads the program several times; standard input can be read once".to_owned()
    } else if own.spec.is_some() || is_task(arguments.file()) {
        "is for a property that options name".to_owned()
    } else if [&reports.sarif, &reports.junit, &reports.html]
        .into_iter()
        // Findings are those of all.
        .filter(|_| !arguments.each)
        .chain([&reports.certificate])
        .chain([&own.harness, &own.dump_witness, &own.witness, &own.dump_smt, &own.dump_art])
        .chain([&own.dump_predicates, &own.learned, &own.save_bps])
        .any(Option::is_some)
    {
        format!("has many answers: files of one answer are written for '{one}'")
    } else {
        return Ok(());
    };
    Err(CliError::Usage(format!("{what} {why}")))
}

/// Options with a value that are about all answers together.
const OF_ALL: [&str; 5] = ["--fail-on", "--sarif", "--junit", "--html", "--mistakes"];

/// The words of a command line without this option, and without those that say how the answer is written.
fn without(words: impl Iterator<Item = OsString>, option: &str) -> Vec<OsString> {
    let is_left_out = |word: &str| word == option || OF_ALL.contains(&word);
    let mut kept = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => {
                kept.push(word);
                kept.extend(words.by_ref());
            }
            Some("--json" | "--github") => {}
            Some(word) if is_left_out(word) => drop(words.next()),
            Some(word) if word.split_once('=').is_some_and(|(name, _)| is_left_out(name)) => {}
            _ => kept.push(word),
        }
    }
    kept
}

fn decide(
    property: &mut Property,
    options: &[String],
    words: &Words,
    cancel: &AtomicBool,
) -> Result<(), CliError> {
    if cancel.load(Ordering::Relaxed) {
        property.reason = Some("interrupted".to_owned());
        return Ok(());
    }
    words.ask(options, &[])?.decides(property);
    if let Some(answer) = property.answer.as_mut().and_then(Value::as_object_mut) {
        // Of other functions the earlier run has more.
        answer.remove("gone");
        if let Some(counts) = answer.get_mut("counts") {
            counts["gone"] = 0.into();
        }
    }
    if let (Some([_, _, open]), Verdict::Unknown) = (counts(property), property.verdict) {
        let findings = property.answer.as_ref().and_then(|answer| answer["properties"].as_array());
        let all = findings.map_or(0, Vec::len);
        property.reason = Some(format!("{open} of {all} properties undecided"));
    }
    Ok(())
}

/// How many findings are proved, are errors, and are open, where each has a verdict.
fn counts(property: &Property) -> Option<[usize; 3]> {
    let findings = property.answer.as_ref()?["properties"].as_array()?;
    let of = |verdict: &str| findings.iter().filter(|f| f["verdict"] == *verdict).count();
    Some([of("SAFE"), of("UNSAFE"), of("UNKNOWN")])
}

/// ` (2 known, 1 silenced)`, where some are.
fn kept_words(property: &Property) -> String {
    let counts = property.answer.as_ref().map_or(&Value::Null, |answer| &answer["counts"]);
    let of = |sort: &str| {
        let number = |of: &str| counts[sort][of].as_u64().unwrap_or(0);
        let all = number("errors") + number("undecided");
        (all > 0).then(|| format!("{all} {sort}"))
    };
    let words: Vec<String> = ["known", "silenced"].into_iter().filter_map(of).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

fn line(property: &Property, [names, places]: [usize; 2]) -> String {
    let findings = counts(property).map_or_else(String::new, |[proved, errors, open]| {
        let errors = counted(errors as u64, "error");
        format!("  {proved} proved, {errors}, {open} open{}", kept_words(property))
    });
    let reason = property.reason.as_ref().map_or_else(String::new, |why| format!("  ({why})"));
    format!(
        "{:<names$}  {:<places$}  {:<7}{findings}  {:.2} s{reason}\n",
        property.name,
        property.place(),
        property.verdict.word(),
        property.seconds,
    )
}
