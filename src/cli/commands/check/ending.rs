//! How a run begins and ends, whatever the language of the program.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::output::{OutputArguments, ReportArguments};
use crate::cli::input::listing;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::format::TraceFormat;
use crate::cli::output::guard::{self, Farewell};
use crate::cli::output::progress::Progress;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_report::document::{Document, Language, Parts};
use hardbop_report::properties::Properties;
use hardbop_report::units::count;

/// A program to be checked; its methods differ by its language.
pub(super) trait Subject: Clone + Send + 'static {
    /// The state of a run that goes on.
    type SoFar: Clone + Default + Send + 'static;

    /// The line of progress.
    fn line(so_far: &Self::SoFar, elapsed: Duration, memory: Option<u64>) -> String;

    /// The answer of a run that had to be ended.
    fn unknown(&self, file: String, reason: Exhausted, so_far: Self::SoFar) -> Document;
}

/// A run that has begun: with its limits, and a guard that ends it where it does not do so itself.
pub(super) struct Run<S: Subject> {
    pub ending: Ending<S>,
    pub progress: Progress<S::SoFar>,
    pub budget: Budget,
}

impl<S: Subject> Run<S> {
    /// Begins at `start` to check the program in `file`.
    ///
    /// # Errors
    /// A report cannot be written where it should go.
    pub fn begin(
        subject: S,
        file: &Path,
        arguments: &CheckArguments,
        start: Instant,
    ) -> Result<Self, CliError> {
        let show = !arguments.output.quiet && io::stderr().is_terminal();
        let progress = Progress::new(start, show.then_some(S::line));
        let file = output::name(file);
        let reports = arguments.reports.clone();
        let ending = Ending { subject, file, start, shown: arguments.output, reports };
        refuse_reports(arguments)?;
        let farewell = ending.clone().farewell(progress.so_far(), show);
        let budget = guard::guarded(arguments.limits.budget(), farewell);
        Ok(Self { ending, progress, budget })
    }
}

/// The end of a run: the answer to be printed.
#[derive(Debug, Clone)]
pub(super) struct Ending<S> {
    subject: S,
    file: String,
    start: Instant,
    shown: OutputArguments,
    reports: ReportArguments,
}

/// A function that makes a report of an answer, and of the seconds that it took.
type Maker<A> = fn(&A, f64) -> String;

/// The reports that are asked for, and what makes them: SARIF, JUnit's XML, and a page.
fn asked<A>(
    reports: &ReportArguments,
    [sarif, junit, html]: [Maker<A>; 3],
) -> impl Iterator<Item = (&Path, Maker<A>)> {
    let all = [(&reports.sarif, sarif), (&reports.junit, junit), (&reports.html, html)];
    all.into_iter().filter_map(|(path, maker)| Some((path.as_deref()?, maker)))
}

/// Finds out whether the reports can be written, before a long run.
///
/// # Errors
/// One cannot be written where it should go.
pub(super) fn refuse_reports(arguments: &CheckArguments) -> Result<(), CliError> {
    let nothing: Maker<()> = |_, _| String::new();
    for (path, _) in asked(&arguments.reports, [nothing; 3]) {
        if !output::is_stream(path) {
            output::Atomic::apart(path, &arguments.files)?;
        }
    }
    Ok(())
}

/// Writes the reports of findings that are asked for, of a run that began at `start`.
///
/// # Errors
/// One cannot be written.
pub(super) fn write_reports(
    arguments: &CheckArguments,
    findings: &Properties,
    start: Instant,
) -> Result<(), CliError> {
    let sarif: Maker<Properties> = |all, _| all.sarif();
    let makers = [sarif, Properties::junit, |all, _| all.html(listing)];
    for (path, report) in asked(&arguments.reports, makers) {
        output::write(path, report(findings, start.elapsed().as_secs_f64()).as_bytes())?;
    }
    Ok(())
}

/// Says what was looked at, and what of that is proved.
pub(super) fn tell_checked(answer: &Document) {
    answer.checked.iter().for_each(|checked| output::complain(&checked.line()));
    if !answer.proved.is_empty() {
        let proved = count(answer.proved.len() as u64);
        output::complain(&format!("proved: {proved} of these; '--each' lists them"));
    }
}

/// The texts that are left to write once the run has ended.
#[must_use]
pub(super) struct Last {
    reports: Vec<(PathBuf, String)>,
    text: String,
}

impl Last {
    /// Writes the reports, then what is for standard output.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn write(self) -> Result<(), CliError> {
        for (path, report) in &self.reports {
            output::write(path, report.as_bytes())?;
        }
        output::print(&self.text)
    }
}

impl<S: Subject> Ending<S> {
    /// The reports that are asked for.
    fn asked(&self) -> impl Iterator<Item = (&Path, Maker<Document>)> {
        let sarif: Maker<Document> = |answer, _| answer.sarif();
        asked(&self.reports, [sarif, Document::junit, |answer, _| answer.html(listing)])
    }

    /// The texts to be written of this answer.
    ///
    /// # Errors
    /// The answer cannot be written as JSON.
    pub fn last(&self, answer: Document) -> Result<Last, CliError> {
        let wall_seconds = self.start.elapsed().as_secs_f64();
        let answer = answer.of_process(wall_seconds);
        let report = |(path, maker): (&Path, Maker<Document>)| {
            (path.to_owned(), maker(&answer, wall_seconds))
        };
        let reports = self.asked().map(report).collect();
        Ok(Last { reports, text: self.text(answer, wall_seconds)? })
    }

    /// The text for standard output.
    fn text(&self, mut answer: Document, wall_seconds: f64) -> Result<String, CliError> {
        let shown = self.shown;
        if shown.json {
            return output::json(&answer.only(shown.trace != TraceFormat::None, true));
        }
        let mut text = String::new();
        if answer.language == Language::BooleanProgram {
            // Too long for a terminal.
            answer.invariants.clear();
        }
        if let (Some(trace), TraceFormat::Json, false) = (&answer.trace, shown.trace, shown.quiet) {
            text.push_str(&output::json(trace)?);
        }
        let parts = Parts {
            trace: shown.trace == TraceFormat::Text && !shown.quiet,
            evidence: !shown.quiet,
            // An interrupted run shows how far it came.
            statistics: shown.stats || (answer.is_interrupted() && !shown.quiet),
        };
        // The verdict stays the last line.
        let told = answer.text(parts, wall_seconds);
        let (before, last) = told.split_at(told.trim_end().rfind('\n').map_or(0, |end| end + 1));
        let annotation = if shown.github { answer.github() } else { String::new() };
        Ok(text + before + &annotation + last)
    }

    /// The text that the guard prints in place of the run, which may show a line of progress.
    fn farewell(
        self,
        so_far: Arc<Mutex<S::SoFar>>,
        show: bool,
    ) -> impl Fn(Exhausted) -> Farewell + Send + 'static {
        move |reason| {
            let so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let answer = self.subject.unknown(self.file.clone(), reason, so_far);
            let (line, exit) = (answer.verdict_line.clone(), Exit::of(&answer));
            if show {
                output::clear_line();
            }
            if !self.shown.json && !self.shown.quiet {
                tell_checked(&answer);
                let assumed = answer.assumptions.iter();
                assumed.for_each(|a| output::complain(&format!("assumed: {a}")));
            }
            let Ok(last) = self.last(answer) else { return (line + "\n", exit) };
            // Nobody is left to fail.
            let told = |e: &CliError| output::complain(&e.to_string());
            let written = last.reports.iter().map(|(path, r)| output::write(path, r.as_bytes()));
            written.filter_map(Result::err).for_each(|e| told(&e));
            (last.text, exit)
        }
    }
}
