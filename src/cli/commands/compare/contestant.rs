//! A contestant of a comparison: its command line, and how its answer is read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::ValueEnum;
use regex_lite::{Regex, RegexBuilder};
use serde_json::Value;

use super::preset::Known;
use crate::cli::arguments::compare::{CompareArguments, Peer};
use crate::cli::arguments::solver;
use crate::cli::commands::measure::{Bounds, End, Measured, measure};
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::process::CommandLine;
use hardbop_lab::compare::{self, Run};
use hardbop_report::document::{Reason, Verdict};

/// Lines that mean SAFE or UNSAFE in outputs of tools in use.  Not Z3's `sat`, which means one or
/// the other.
const SAFE: &str =
    r"^\s*(verdict:\s*|result:\s*)?(safe|true|verification successful|not reachable)\b";
const UNSAFE: &str = r"^\s*(verdict:\s*|result:\s*)?(unsafe|false|verification failed|reachable)\b";
/// Longest reason that is taken from an output.
const REASON: usize = 200;

/// An engine or a peer.
pub(super) struct Contestant {
    pub name: String,
    pub time_limit: Duration,
    pub memory_limit: Option<u64>,
    kind: Kind,
}

enum Kind {
    /// This program, with these words before the file.
    Engine {
        program: PathBuf,
        words: Vec<OsString>,
    },
    Peer {
        what: Peered,
        safe: Vec<Regex>,
        r#unsafe: Vec<Regex>,
    },
}

/// The command of a peer.
enum Peered {
    Given(CommandLine),
    Known(Box<Known>),
}

/// The engines, then the known peers, then those that were given.
pub(super) fn contestants(
    arguments: &CompareArguments,
    options: &[String],
    known: Vec<Known>,
) -> Result<Vec<Contestant>, CliError> {
    let (time_limit, memory_limit) = (arguments.time_limit, arguments.memory_limit);
    let contestant = |name: String, kind| Contestant { name, time_limit, memory_limit, kind };
    let program = std::env::current_exe().map_err(|e| CliError::read("hardbop itself", &e))?;
    let mut all = Vec::new();
    for engine in arguments.engines() {
        let Some(value) = engine.to_possible_value() else { continue };
        let name = value.get_name().to_owned();
        let mut words: Vec<OsString> = ["check", "--json", "--trace", "none", "--quiet"]
            .into_iter()
            .chain(options.iter().map(String::as_str))
            .chain(["--engine", &name, "--time-limit"])
            .map(OsString::from)
            .collect();
        words.push(format!("{}ms", time_limit.as_millis().max(1)).into());
        if let Some(bytes) = memory_limit {
            words.extend(["--memory-limit".into(), bytes.to_string().into()]);
        }
        words.push("--".into());
        all.push(contestant(name, Kind::Engine { program: program.clone(), words }));
    }
    for known in known {
        let (name, recipe) = (known.recipe.name.to_owned(), &known.recipe);
        let safe = vec![expression(recipe.safe, false)?];
        let r#unsafe = vec![expression(recipe.r#unsafe, false)?];
        let what = Peered::Known(Box::new(known));
        all.push(contestant(name, Kind::Peer { what, safe, r#unsafe }));
    }
    for Peer { name, command } in &arguments.peer {
        solver::program_there(command)?;
        let kind = Kind::Peer {
            what: Peered::Given(command.clone()),
            safe: expressions(&arguments.peer_safe, SAFE, name, arguments)?,
            r#unsafe: expressions(&arguments.peer_unsafe, UNSAFE, name, arguments)?,
        };
        all.push(contestant(name.clone(), kind));
    }
    for (i, c) in all.iter().enumerate() {
        if all[..i].iter().any(|other| other.name == c.name) {
            return Err(CliError::Usage(format!("two contestants are called '{}'", c.name)));
        }
    }
    Ok(all)
}

/// The expressions for a peer: its own, else those for all, else the usual one.
fn expressions(
    given: &[String],
    usual: &str,
    name: &str,
    arguments: &CompareArguments,
) -> Result<Vec<Regex>, CliError> {
    let known = |word: &str| arguments.peer.iter().any(|p| p.name == word);
    let (mut own, mut common) = (Vec::new(), Vec::new());
    for text in given {
        match text.split_once('=').filter(|(peer, _)| known(peer)) {
            Some((peer, rest)) if peer == name => own.push(rest),
            Some(_) => {}
            None => common.push(text.as_str()),
        }
    }
    let chosen = [own, common, vec![usual]].into_iter().find(|e| !e.is_empty());
    // The usual ones, and only they, are for any case.
    let compile = |text| expression(text, std::ptr::eq(text, usual));
    chosen.unwrap_or_default().into_iter().map(compile).collect()
}

/// An expression for lines.
fn expression(text: &str, any_case: bool) -> Result<Regex, CliError> {
    RegexBuilder::new(text)
        .multi_line(true)
        .case_insensitive(any_case)
        .build()
        .map_err(|e| CliError::Usage(format!("'{text}': {e}")))
}

impl Contestant {
    /// The contestant as reports show it.
    pub fn shown(&self) -> compare::Contestant {
        let command = match &self.kind {
            Kind::Engine { words, .. } => {
                let words: Vec<_> = words.iter().map(|w| w.to_string_lossy()).collect();
                format!("hardbop {} {{}}", words.join(" "))
            }
            Kind::Peer { what: Peered::Given(command), .. } => command.to_string(),
            Kind::Peer { what: Peered::Known(known), .. } => known.shown(),
        };
        compare::Contestant { name: self.name.clone(), command }
    }

    /// The commands to run on a file, one after the other as long as nothing fails, and whether the
    /// file is to be its standard input; the folder is for this run.
    fn commands(&self, file: &Path, folder: &Path) -> Vec<(Command, bool)> {
        match &self.kind {
            Kind::Engine { program, words } => {
                let mut command = Command::new(program);
                command.args(words).arg(file);
                vec![(command, false)]
            }
            Kind::Peer { what: Peered::Given(command), .. } => {
                vec![(command.on(file), !command.names_file())]
            }
            Kind::Peer { what: Peered::Known(known), .. } => known.commands(file, folder),
        }
    }

    /// Runs it on a file; nothing where the budget ends before.
    pub fn measure(&self, file: &Path, budget: &Budget) -> Option<Measured> {
        // An engine keeps its limits itself, and gets some time to put down its pen.
        let (is_watched, patience) = match self.kind {
            Kind::Engine { .. } => (false, Duration::from_secs(1) + self.time_limit / 10),
            Kind::Peer { .. } => (true, Duration::ZERO),
        };
        let bounds =
            Bounds { time: self.time_limit + patience, memory: self.memory_limit, is_watched };
        measure(&|folder| self.commands(file, folder), file, bounds, budget)
    }

    /// The run that the process has made; with the statistics of an engine.
    pub fn read(&self, measured: Measured) -> (Run, Option<Value>) {
        let mut run = Run {
            verdict: Verdict::Unknown,
            reason: None,
            seconds: measured.seconds,
            memory_bytes: measured.memory_bytes,
            defect: false,
        };
        let mut statistics = None;
        match (measured.end, &self.kind) {
            (End::Time, _) => run.reason = Some(Exhausted::Time.into()),
            (End::Memory, _) => run.reason = Some(Exhausted::Memory.into()),
            (End::NoInput(reason), _) => run.reason = Some(Reason::new("no-input", &reason)),
            (End::Failed(reason), _) => run.reason = Some(none(&reason)),
            (End::Exit(_), Kind::Peer { safe, r#unsafe, .. }) => {
                let output = measured.output + &measured.errors;
                (run.verdict, run.reason) = by_expressions(&output, safe, r#unsafe);
            }
            (End::Exit(code), Kind::Engine { .. }) => {
                run.defect = code.is_none_or(|c| c == i32::from(Exit::Internal.code()));
                match serde_json::from_str::<Value>(&measured.output) {
                    Ok(document) => statistics = by_document(&document, &mut run),
                    Err(_) => run.reason = Some(none(&last_line(&measured.errors))),
                }
            }
        }
        // An answer that comes late is none.
        if run.seconds > self.time_limit.as_secs_f64() && run.verdict != Verdict::Unknown {
            (run.verdict, run.reason) = (Verdict::Unknown, Some(Exhausted::Time.into()));
        }
        (run, statistics)
    }
}

/// The verdict that the lines of an output tell, or why they do not.
fn by_expressions(output: &str, safe: &[Regex], r#unsafe: &[Regex]) -> (Verdict, Option<Reason>) {
    let says = |expressions: &[Regex]| expressions.iter().any(|e| e.is_match(output));
    match (says(safe), says(r#unsafe)) {
        (true, false) => (Verdict::Safe, None),
        (false, true) => (Verdict::Unsafe, None),
        (true, true) => (Verdict::Unknown, Some(none("its output says both SAFE and UNSAFE"))),
        (false, false) => {
            (Verdict::Unknown, Some(none(&format!("no verdict: {}", last_line(output)))))
        }
    }
}

/// Takes the answer over from a document of `check --json`; returns the statistics.
fn by_document(document: &Value, run: &mut Run) -> Option<Value> {
    run.verdict = match document["verdict"].as_str() {
        Some("SAFE") => Verdict::Safe,
        Some("UNSAFE") => Verdict::Unsafe,
        _ => Verdict::Unknown,
    };
    run.reason = serde_json::from_value(document["reason"].clone()).ok();
    let statistics = document.get("statistics")?;
    run.memory_bytes = statistics["peak-memory-bytes"].as_u64().or(run.memory_bytes);
    Some(statistics.clone())
}

/// Why another program, or one that has failed, has no verdict.
fn none(words: &str) -> Reason {
    Reason::new("no-verdict", words)
}

/// The last line of an output that is not empty, without what makes it long.
fn last_line(output: &str) -> String {
    let line = output.lines().map(str::trim).rfind(|l| !l.is_empty()).unwrap_or("no output");
    line.chars().take(REASON).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_outputs() {
        let compile = |e: &str| {
            vec![
                RegexBuilder::new(e)
                    .multi_line(true)
                    .case_insensitive(true)
                    .build()
                    .expect("it is one"),
            ]
        };
        let (safe, r#unsafe) = (compile(SAFE), compile(UNSAFE));
        let cases = [
            ("VERDICT: SAFE\n", Verdict::Safe),
            ("trace\nVERDICT: UNSAFE\n", Verdict::Unsafe),
            ("VERDICT: UNKNOWN (unsafe things)\n", Verdict::Unknown),
            ("SAFE  total 0.10s", Verdict::Safe),
            ("VERIFICATION FAILED\n", Verdict::Unsafe),
            ("VERIFICATION SUCCESSFUL\n", Verdict::Safe),
            ("RESULT: TRUE\n", Verdict::Safe),
            ("Not reachable", Verdict::Safe),
            ("safe\nunsafe\n", Verdict::Unknown),
            ("", Verdict::Unknown),
        ];
        for (output, verdict) in cases {
            assert_eq!(by_expressions(output, &safe, &r#unsafe).0, verdict, "{output:?}");
        }
    }
}
