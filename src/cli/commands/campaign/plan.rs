//! The tasks of a campaign, from its description.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;

use super::question::{Reader, Words, learns};
use crate::cli::arguments::campaign::CampaignArguments;
use crate::cli::arguments::limits;
use crate::cli::input::expected::Expected;
use crate::cli::input::mistakes;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};
use hardbop_lab::campaign::spec::{OptionSet, Programs, Property, Spec, place};
use hardbop_lab::campaign::split::{Part, Share};
use hardbop_lab::campaign::task::{Fingerprint, Limits, Task};
use hardbop_lab::results::{Campaign, Row};
use hardbop_report::document::Verdict;

/// The limits of a task where the description does not say.
const TIME: Duration = Duration::from_secs(60);
const MEMORY: u64 = 2 << 30;

/// The name of the property, and of the options, where the description has none.
const DEFAULT: &str = "default";

/// The name of a task that is not divided, among its parts.
const WHOLE: &str = "whole";

/// The tasks of a campaign.
pub(super) struct Plan {
    pub tasks: Vec<Task>,
    /// The words of each task.
    pub words: Vec<Words>,
    pub limits: Limits,
    /// Is a page kept of each task?
    pub reports: bool,
    /// Is what tasks learn kept for later campaigns?
    pub warm: bool,
    /// Are tasks divided?
    pub splits: bool,
    certificates: bool,
}

/// A program of a group.
struct Program {
    name: String,
    files: Vec<String>,
    expected: Option<Verdict>,
}

/// A property, or the one that there is without any.
struct Asked<'a> {
    name: &'a str,
    words: Vec<String>,
    rule: Option<&'a str>,
    property: Option<&'a Property>,
}

impl Plan {
    /// The tasks, in the order of programs, properties, options.
    ///
    /// # Errors
    /// The description names what is not there, or options that are none.  A program that cannot be
    /// read is no mistake of the description, but a task that is refused.
    pub fn new(
        spec: &Spec,
        source: &Source,
        arguments: &CampaignArguments,
    ) -> Result<Self, CliError> {
        let mut own = Self {
            tasks: vec![],
            words: vec![],
            limits: self::limits(spec, source)?,
            reports: spec.reports,
            warm: spec.warm,
            splits: spec.split || arguments.split,
            certificates: spec.certificates,
        };
        let (asked, options) = (asked(spec, source)?, options(spec));
        let mut reader = Reader::default();
        for group in &spec.programs {
            let base = Words {
                plain: group.arguments.clone(),
                preprocessing: group.preprocessor.clone(),
                files: vec![],
            };
            let base = with_database(base, group);
            for program in programs(group, source, &base)? {
                for property in asked.iter().filter(|p| p.is_for(group)) {
                    for set in &options {
                        let words = base.of(&program, property, set);
                        let names = (&program, property.name, set.0.as_str());
                        let added = own.add(&words, names, &mut reader);
                        added.map_err(|e| placed(source, &words, e))?;
                        own.words.push(words);
                    }
                }
            }
        }
        Ok(own)
    }

    fn add(
        &mut self,
        words: &Words,
        (program, property, options): (&Program, &str, &str),
        reader: &mut Reader,
    ) -> Result<(), CliError> {
        let arguments = words.arguments()?;
        let (question, asked, expected, refused) = match reader.question(words, &arguments) {
            Ok(question) => (question.fingerprint, question.asked, question.expected, None),
            Err(e) => {
                let mut print = Fingerprint::default();
                words.all().iter().for_each(|word| print.add("refused", word.as_bytes()));
                (print.finish(), String::new(), None, Some(one_line(&e)))
            }
        };
        self.tasks.push(Task {
            hash: Fingerprint::of_task(&question),
            question,
            asked,
            learns: (self.warm || self.splits) && learns(&arguments),
            certifies: self.certificates && Words::certifies(&arguments),
            program: program.name.clone(),
            property: property.to_owned(),
            options: options.to_owned(),
            words: words.all(),
            limits: self.limits,
            expected: expected.or(program.expected),
            refused,
        });
        Ok(())
    }

    /// A task as it was asked.
    pub fn whole(&self, task: usize) -> Part {
        let (words, task) = (&self.words[task], &self.tasks[task]);
        Part {
            name: WHOLE.to_owned(),
            options: words.plain.clone(),
            share: Share::Whole,
            learns: task.learns,
            certifies: task.certifies,
        }
    }

    /// The words of a part of a task.
    pub fn words(&self, task: usize, part: &Part) -> Words {
        Words { plain: part.options.clone(), ..self.words[task].clone() }
    }

    /// The campaign to be shown.
    pub fn campaign(
        &self,
        rows: Vec<Row>,
        spec: &Spec,
        arguments: &CampaignArguments,
        interrupted: bool,
    ) -> Campaign {
        let stem = arguments.file.file_stem().unwrap_or_default().to_string_lossy();
        Campaign {
            name: spec.name.clone().unwrap_or_else(|| stem.into_owned()),
            version: hardbop_base::VERSION,
            time_limit_seconds: self.limits.seconds,
            memory_limit_bytes: self.limits.memory_bytes,
            interrupted,
            rows,
        }
    }
}

impl Words {
    /// The words for a program, for a property, with options.
    fn of(&self, program: &Program, property: &Asked<'_>, set: &(String, Vec<String>)) -> Self {
        let plain = [&self.plain[..], &property.words, &set.1].concat();
        let rule = property.rule.map(str::to_owned);
        let files = program.files.iter().cloned().chain(rule).collect();
        Self { plain, preprocessing: self.preprocessing.clone(), files }
    }
}

impl Asked<'_> {
    fn is_for(&self, group: &Programs) -> bool {
        let Some(groups) = self.property.and_then(|p| p.programs.as_ref()) else { return true };
        groups.iter().any(|name| group.name.as_ref() == Some(name.get_ref()))
    }
}

/// The message on one line: what is wrong, and where.
fn one_line(error: &CliError) -> String {
    let text = error.to_string();
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().find(|l| l.starts_with("error")).or_else(|| lines().next()).unwrap_or("");
    let place = lines().find_map(|line| line.strip_prefix("--> "));
    let words = first.trim_start_matches("error").trim_start_matches(": ");
    place.map_or_else(|| words.to_owned(), |place| format!("{place}: {words}"))
}

/// A mistake in the options of `check`, at the place of the word that it is about, where that is
/// known.
fn placed(source: &Source, words: &Words, error: CliError) -> CliError {
    let CliError::Usage(text) = &error else { return error };
    let quoted = |word: &String| {
        let at = ['"', '\''].iter().find_map(|q| source.text.find(&format!("{q}{word}{q}")))?;
        text.contains(word.as_str()).then(|| Span::new(at, at + word.len() + 2))
    };
    let all = words.plain.iter().chain(&words.preprocessing);
    let Some(span) = all.filter(|word| !word.is_empty()).find_map(quoted) else { return error };
    let message = text.lines().next().unwrap_or("");
    let mut d = Diagnostic::new(DiagnosticKind::Misplaced, span, message);
    if let Some(tip) = text.lines().find_map(|line| line.trim().strip_prefix("tip: ")) {
        d = d.with_hint(tip);
    }
    mistakes(source, &[d], Color::Auto)
}

/// A mistake in the description.
fn mistake<T>(source: &Source, at: &Spanned<T>, message: String, hint: &str) -> CliError {
    let mut d = Diagnostic::new(DiagnosticKind::Undeclared, place(at), message);
    if !hint.is_empty() {
        d = d.with_hint(hint);
    }
    mistakes(source, &[d], Color::Auto)
}

fn limits(spec: &Spec, source: &Source) -> Result<Limits, CliError> {
    let wrong = |at: &Spanned<String>, why: String| {
        mistake(source, at, format!("'{}' is no limit: {why}", at.get_ref()), "")
    };
    let time = match &spec.limits.time {
        Some(text) => limits::duration(text.get_ref()).map_err(|why| wrong(text, why))?,
        None => TIME,
    };
    let memory_bytes = match &spec.limits.memory {
        Some(text) => limits::bytes(text.get_ref()).map_err(|why| wrong(text, why))?,
        None => MEMORY,
    };
    Ok(Limits { seconds: time.as_secs_f64(), memory_bytes })
}

fn options(spec: &Spec) -> Vec<(String, Vec<String>)> {
    let of = |set: &OptionSet| (set.name.get_ref().clone(), set.arguments.clone());
    match &spec.options[..] {
        [] => vec![(DEFAULT.to_owned(), vec![])],
        sets => sets.iter().map(of).collect(),
    }
}

fn asked<'a>(spec: &'a Spec, source: &Source) -> Result<Vec<Asked<'a>>, CliError> {
    let there = |file: &'a Option<Spanned<String>>| match file {
        Some(name) if !Path::new(name.get_ref()).is_file() => {
            let message = format!("there is no file '{}'", name.get_ref());
            Err(mistake(source, name, message, "names are relative to the folder of this file"))
        }
        name => Ok(name.as_ref().map(|n| n.get_ref().as_str())),
    };
    if spec.properties.is_empty() {
        return Ok(vec![Asked { name: DEFAULT, words: vec![], rule: None, property: None }]);
    }
    let of = |property: &'a Property| {
        let mut words = vec![];
        if let Some(file) = there(&property.spec)? {
            words.extend(["--spec".to_owned(), file.to_owned()]);
        }
        words.extend(property.error.iter().map(|label| format!("--error={label}")));
        words.extend(property.arguments.iter().cloned());
        let rule = there(&property.rule)?;
        Ok(Asked { name: property.name.get_ref(), words, rule, property: Some(property) })
    };
    spec.properties.iter().map(of).collect()
}

fn with_database(mut base: Words, group: &Programs) -> Words {
    if let Some(database) = &group.compile_commands {
        let words = ["--compile-commands", database.get_ref()].map(str::to_owned);
        base.preprocessing.extend(words);
    }
    base
}

/// The programs of a group.
fn programs(group: &Programs, source: &Source, base: &Words) -> Result<Vec<Program>, CliError> {
    let mut all: Vec<(String, Vec<String>)> = vec![];
    let mut seen = HashSet::new();
    for pattern in &group.files {
        let files = matches(pattern, source)?;
        all.extend(
            files.into_iter().filter(|f| seen.insert(f.clone())).map(|f| (f.clone(), vec![f])),
        );
    }
    if let Some(first) = group.link.first() {
        let files: Vec<String> = group.link.iter().map(|f| f.get_ref().clone()).collect();
        all.push((group.name.clone().unwrap_or_else(|| first.get_ref().clone()), files));
    }
    if let Some(database) = &group.compile_commands {
        let files = base.arguments()?.files;
        let files = files.iter().map(|f| f.to_string_lossy().into_owned()).collect();
        all.push((group.name.clone().unwrap_or_else(|| database.get_ref().clone()), files));
    }
    let list = group.expected.as_ref().map(|e| PathBuf::from(e.get_ref()));
    let files: Vec<PathBuf> =
        all.iter().filter_map(|(_, f)| f.first()).map(PathBuf::from).collect();
    let expected = Expected::read(&files, list.as_deref())?;
    let of = |(name, files): (String, Vec<String>)| {
        let known = files.first().filter(|_| files.len() == 1);
        let expected = known.and_then(|file| expected.of(Path::new(file)));
        Program { name, files, expected }
    };
    Ok(all.into_iter().map(of).collect())
}

/// The files that fit a pattern.
fn matches(pattern: &Spanned<String>, source: &Source) -> Result<Vec<String>, CliError> {
    let text = pattern.get_ref();
    let wrong = |e: glob::PatternError| {
        mistake(source, pattern, format!("'{text}' is no pattern: {}", e.msg), "")
    };
    let found = glob::glob(text).map_err(wrong)?;
    let mut files = vec![];
    for entry in found {
        let path = entry.map_err(|e| CliError::read(&e.path().display().to_string(), e.error()))?;
        if path.is_file() {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    if files.is_empty() {
        let message = format!("no file fits '{text}'");
        let hint = "patterns are relative to the folder of this file; '**' stands for any folders";
        return Err(mistake(source, pattern, message, hint));
    }
    files.sort_unstable();
    Ok(files)
}
