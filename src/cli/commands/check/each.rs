//! `hardbop check --each`: a verdict for each property, each found by a process of its own, so that
//! limits are for each and none takes another one's memory.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::Value;

use super::ending::{refuse_reports, write_reports};
#[cfg(feature = "c")]
use super::findings;
use super::kept::{self, Kept};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::boolean::load;
#[cfg(feature = "c")]
use crate::cli::input::c::{Program, with_large_stack};
#[cfg(feature = "c")]
use crate::cli::input::task::Job;
use crate::cli::input::{mistakes, read};
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::{self, interrupt};
use hardbop_base::errors::Check;
#[cfg(feature = "c")]
use hardbop_c::read_for_check;
use hardbop_report::contents::{Contents, Listed};
use hardbop_report::document::{Language, Verdict};
use hardbop_report::properties::{Kind, Properties, Property};
use hardbop_session::contents;
#[cfg(feature = "c")]
use hardbop_task::is_task;

/// The width of the column of kinds, where none is longer: that of `assertion`.
const KINDS: usize = 9;

/// A place that no property has.
const NOWHERE: &str = "nowhere";

/// Checks each property, and prints a line for each.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    if arguments.files.iter().any(|file| output::is_stream(file)) {
        let why = "'--each' reads the program several times; standard input can be read once";
        return Err(CliError::Usage(why.to_owned()));
    }
    #[cfg(feature = "c")]
    if is_task(arguments.file()) {
        let why = "'--each' is for properties that options name; a task definition has its own";
        return Err(CliError::Usage(why.to_owned()));
    }
    refuse_reports(arguments)?;
    let start = Instant::now();
    let words = Words::of_process(arguments.output.verbose);
    refuse_mistakes(arguments)?;
    let mut properties = properties(arguments, true)?;
    refuse_nothing(arguments, &properties)?;
    let kept = Kept::read(arguments, &mut properties)?;
    let cancel = Arc::new(AtomicBool::new(false));
    interrupt::install(Arc::clone(&cancel), || {});
    let longest = |of: fn(&Property) -> String| {
        properties.iter().map(|p| of(p).chars().count()).max().unwrap_or(0)
    };
    let kinds = longest(|p| p.kind.name().to_owned()).max(KINDS);
    let columns = [kinds, longest(|p| p.name.clone()), longest(Property::place)];
    let mut lines = Lines { arguments, columns, said: BTreeSet::new(), next: 0 };
    decide(&mut properties, &words, &cancel, &mut lines)?;
    let files = arguments.files.iter().map(|file| output::name(file)).collect();
    let all = kept.compared(Properties::new(files, properties));
    kept.tell_idle(arguments, &all.properties);
    write_reports(arguments, &all, start)?;
    kept::end(arguments, (&all, &all), &cancel)
}

/// Refuses a Boolean program with mistakes; to list properties, it need only be parsed. C is read as a whole for that.
fn refuse_mistakes(arguments: &CheckArguments) -> Result<(), CliError> {
    #[cfg(feature = "c")]
    if arguments.c.language.is_c(arguments.file()) {
        return Ok(());
    }
    load(arguments.file(), arguments).map(drop)
}

/// Refuses a program in which nothing is an error, unless a property file says what is to be shown.
fn refuse_nothing(arguments: &CheckArguments, properties: &[Property]) -> Result<(), CliError> {
    let missing = properties.iter().find(|p| p.kind == Kind::Label && p.places.is_empty());
    if let Some(Property { name, .. }) = missing {
        return Err(CliError::Usage(format!("no statement has the label '{name}'")));
    }
    // Where executions start in a function of a user's choice, it need not lead to anything that can be an error.
    #[cfg(feature = "c")]
    let is_said = arguments.c.spec.is_some()
        || arguments.entry.is_some() && arguments.c.language.is_c(arguments.file());
    #[cfg(not(feature = "c"))]
    let is_said = false;
    if properties.is_empty() && !is_said {
        let why = "there is no assertion and no error label to check; '--error' names other labels";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(())
}

/// The properties of the program to be checked, all of them undecided; what is checked of operations for each place where
/// there is one, or for all of them.
///
/// # Errors
/// It cannot be read.
pub(in crate::cli::commands) fn properties(
    arguments: &CheckArguments,
    by_place: bool,
) -> Result<Vec<Property>, CliError> {
    #[cfg(feature = "c")]
    if arguments.c.language.is_c(arguments.file()) {
        return with_large_stack(arguments.file(), || of_c(arguments, by_place));
    }
    let source = read(arguments.file())?;
    let contents = contents::of_boolean(&source, arguments.boolean.dialect)
        .map_err(|found| mistakes(&source, &found, arguments.output.color.when))?;
    let labels = arguments.resolve_options().error_labels;
    Ok(listed(&contents, &labels, arguments))
}

#[cfg(feature = "c")]
fn of_c(arguments: &CheckArguments, by_place: bool) -> Result<Vec<Property>, CliError> {
    let mut job = Job::new(arguments)?;
    let color = arguments.output.color.when;
    let program = Program::read(&job.files, &arguments.c.preprocessor, &job.options)?;
    let mut flow = read_for_check(&mut job.options, |options| program.parse(options, color))?;
    if arguments.entry.is_some() {
        flow.keep_reached();
    }
    let property = &job.options.property;
    let contents = contents::errors_of_c(&flow, vec![], property);
    let mut all = listed(&contents, &property.error_labels, arguments);
    let is_elsewhere = |p: &Property| p.places.is_empty() && flow.error_labels.contains(&p.name);
    all.retain(|p| p.kind != Kind::Label || !is_elsewhere(p));
    for row in property.checks.rows() {
        let kind = Kind::Operations(row.check);
        let places = if by_place { findings::operations(&flow, row.check) } else { vec![] };
        if places.is_empty() && !property.checks.comes_along(row.check) {
            all.push(Property::open(kind, row.holds, vec![]));
        }
        all.extend(places);
    }
    Ok(all)
}

/// The properties for these labels, and all assertions.
fn listed(contents: &Contents, labels: &[String], arguments: &CheckArguments) -> Vec<Property> {
    let mut all: Vec<Property> = Vec::new();
    for label in labels {
        let there = contents.labels.iter().filter(|l| l.name == *label);
        let places: Vec<String> = there.map(Listed::place).collect();
        let is_asked = arguments.error.contains(label);
        if (is_asked || !places.is_empty()) && !all.iter().any(|p| p.name == *label) {
            all.push(Property::open(Kind::Label, label, places));
        }
    }
    // Those of C that are left are calls of functions that must not be called.
    let counts = !arguments.ignore_asserts || contents.language != Language::BooleanProgram;
    for assertion in contents.assertions.iter().filter(|_| counts) {
        let place = assertion.place();
        // Several that a macro makes are at one place, and one property.
        let same = |p: &&mut Property| p.kind == Kind::Assertion && p.places.contains(&place);
        match all.iter_mut().find(same) {
            Some(p) if p.name.split("; ").any(|name| name == assertion.name) => {}
            Some(p) => p.name = format!("{}; {}", p.name, assertion.name),
            None => {
                let property = Property::open(Kind::Assertion, &assertion.name, vec![place]);
                all.push(Property { function: assertion.function.clone(), ..property });
            }
        }
    }
    all
}

/// Prints the lines of properties, in order.
struct Lines<'a> {
    arguments: &'a CheckArguments,
    columns: [usize; 3],
    /// Warnings that have been told.
    said: BTreeSet<String>,
    /// The property whose line comes next.
    next: usize,
}

impl Lines<'_> {
    /// Prints the lines of those that are decided, or given up, from the next one on.
    fn print(&mut self, properties: &[Property]) -> Result<(), CliError> {
        let is_done = |p: &Property| p.verdict != Verdict::Unknown || p.reason.is_some();
        while let Some(property) = properties.get(self.next).filter(|p| is_done(p)) {
            self.next += 1;
            if self.arguments.output.json {
                continue;
            }
            let warnings = property.warnings().into_iter().map(|w| format!("warning: {w}"));
            let assumed = property.assumptions().into_iter().map(|a| format!("assumed: {a}"));
            for warning in warnings.chain(assumed) {
                if !self.arguments.output.quiet && self.said.insert(warning.clone()) {
                    output::complain(&warning);
                }
            }
            output::print(&property.line(self.columns))?;
        }
        Ok(())
    }
}

/// Whether there is an error that counts, where the first one is enough: none that is known or silenced.
pub(super) fn is_enough(properties: &[Property]) -> bool {
    properties.iter().any(|p| p.verdict == Verdict::Unsafe && p.is_new())
}

/// Lets other processes decide them.
fn decide(
    properties: &mut [Property],
    words: &Words,
    cancel: &AtomicBool,
    lines: &mut Lines<'_>,
) -> Result<(), CliError> {
    #[cfg(not(feature = "c"))]
    let except = vec![];
    #[cfg(feature = "c")]
    let except = match lines.arguments.c.language.is_c(lines.arguments.file()) {
        true => {
            let is_enough = lines.arguments.first;
            findings::together(properties, words, (cancel, is_enough), |all| lines.print(all))?
        }
        false => vec![],
    };
    for at in 0..properties.len() {
        if properties[at].verdict != Verdict::Unknown {
            continue;
        }
        if cancel.load(Ordering::Relaxed) {
            properties[at].reason = Some("interrupted".to_owned());
        } else if lines.arguments.first && is_enough(properties) {
            properties[at].reason = Some("not asked for behind the first error".to_owned());
        } else {
            let options = asked(properties, About::One(&properties[at]));
            words.ask(&options, &except)?.decides(&mut properties[at]);
        }
        lines.print(properties)?;
    }
    Ok(())
}

/// What a process has answered.
#[derive(Clone)]
pub(super) struct Answer {
    pub verdict: Verdict,
    /// Why it is UNKNOWN.
    reason: Option<String>,
    pub seconds: f64,
    pub document: Option<Value>,
}

impl Answer {
    pub(super) fn decides(self, property: &mut Property) {
        let Self { verdict, reason, seconds, document } = self;
        (property.verdict, property.reason) = (verdict, reason);
        (property.seconds, property.answer) = (seconds, document);
    }
}

/// Which of some properties a run is about.
#[derive(Clone, Copy)]
pub(in crate::cli::commands) enum About<'a> {
    All,
    /// These, and no operation is looked into for another kind of error.
    Alone(&'a [&'a Property]),
    /// This one, and errors in operations elsewhere do not occur: more is known then, and more has to be kept.
    One(&'a Property),
}

/// The options of a run that checks these properties and no others, or only some of them.
pub(in crate::cli::commands) fn asked(properties: &[Property], about: About) -> Vec<String> {
    let only: Option<Vec<&Property>> = match about {
        About::All => None,
        About::Alone(these) => Some(these.to_vec()),
        About::One(this) => Some(vec![this]),
    };
    let is_alone = matches!(about, About::Alone(_));
    let (mut words, mut checks) = (vec![], BTreeSet::new());
    for property in properties {
        match property.kind {
            Kind::Label if only.is_none() => words.push(format!("--error={}", property.name)),
            Kind::Label | Kind::Assertion | Kind::Function | Kind::Program => {}
            Kind::Operations(check) => {
                let of_kind = |p: &&&Property| p.kind == property.kind;
                let mut these = only.iter().flatten().filter(of_kind);
                if is_alone && these.clone().next().is_none() {
                    continue;
                }
                checks.insert(check);
                if only.is_some() && !these.any(|p| p.places.is_empty()) {
                    words.push(format!("--only-at={}", name(property.kind, NOWHERE)));
                }
            }
        }
    }
    // Of several, all operations are meant.
    let named: Vec<&Property> = match only {
        Some(only) => {
            let labels = only.iter().filter(|p| p.kind == Kind::Label);
            words.extend(labels.map(|label| format!("--error={}", label.name)));
            only
        }
        None => properties.iter().filter(|p| !matches!(p.kind, Kind::Operations(_))).collect(),
    };
    for property in named {
        let at = property.places.iter().map(|place| name(property.kind, place));
        words.extend(at.map(|place| format!("--only-at={place}")));
    }
    if !words.iter().any(|word| word.starts_with("--only-at=")) {
        words.push(format!("--only-at={NOWHERE}"));
    }
    words.sort();
    words.dedup();
    if !checks.is_empty() {
        let names: Vec<&str> = checks.into_iter().map(|check| check.row().name).collect();
        words.insert(0, format!("--check={}", names.join(",")));
    }
    words
}

/// Options with a value that name properties, or say where reports of all go.
const OF_ALL: [&str; 8] =
    ["--error", "--check", "--sarif", "--junit", "--html", "--baseline", "--fail-on", "--mistakes"];

/// The words of a command line without those that name properties, or are about all of them.
pub(in crate::cli::commands) fn without_properties(
    words: impl IntoIterator<Item = OsString>,
) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => {
                kept.push(word);
                kept.extend(words.by_ref());
            }
            Some("--each" | "--first" | "--json" | "--github") => {}
            Some(word) if word.strip_prefix("--").and_then(Check::of_option).is_some() => {}
            Some(word) if OF_ALL.contains(&word) => drop(words.next()),
            Some(word) if word.split_once('=').is_some_and(|(o, _)| OF_ALL.contains(&o)) => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// An error as `--except-at` and `--only-at` name it: the place, behind the check of an operation.
pub(super) fn name(kind: Kind, place: &str) -> String {
    let check = match kind {
        Kind::Operations(check) => Some(check),
        Kind::Label | Kind::Assertion | Kind::Function | Kind::Program => None,
    };
    contents::named(check, place)
}

/// The words of the command line that a run of some properties takes over.
pub(super) struct Words {
    words: Vec<OsString>,
    verbose: bool,
}

impl Words {
    /// The words of this process after the program and `check`.
    fn of_process(verbose: bool) -> Self {
        Self::new(without_properties(env::args_os().skip(2)), verbose)
    }

    pub(super) fn new(words: Vec<OsString>, verbose: bool) -> Self {
        Self { words, verbose }
    }

    /// Asks another process, with these options, where these errors do not occur.
    pub(super) fn ask(&self, options: &[String], except: &[String]) -> Result<Answer, CliError> {
        let start = Instant::now();
        let program = env::current_exe().map_err(|e| CliError::read("hardbop itself", &e))?;
        let mut command = Command::new(program);
        command.args(["check", "--json"]).args(options);
        command.args(except.iter().map(|name| format!("--except-at={name}"))).args(&self.words);
        let output = command.stdin(Stdio::null()).output();
        let Output { status, stdout, stderr } =
            output.map_err(|e| CliError::read("hardbop itself", &e))?;
        let seconds = start.elapsed().as_secs_f64();
        let errors = String::from_utf8_lossy(&stderr);
        if self.verbose && !errors.is_empty() {
            output::complain(&errors);
        }
        let document: Option<Value> = serde_json::from_slice(&stdout).ok();
        // Both have to say so.
        let said = document.as_ref().and_then(|a| a["verdict"].as_str());
        let verdict = match (said, status.code()) {
            (Some("SAFE"), Some(0)) => Verdict::Safe,
            (Some("UNSAFE"), Some(10)) => Verdict::Unsafe,
            _ => Verdict::Unknown,
        };
        let reason = (verdict == Verdict::Unknown).then(|| {
            let said = document.as_ref().and_then(|a| a["reason"]["message"].as_str());
            let error = errors.lines().find_map(|line| line.strip_prefix("error: "));
            said.or(error)
                .or(errors.lines().last())
                .map_or_else(|| format!("it ended by {status}"), str::to_owned)
        });
        Ok(Answer { verdict, reason, seconds, document })
    }
}
