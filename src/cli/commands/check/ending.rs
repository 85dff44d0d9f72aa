//! How a run begins and ends, whatever the language of the program.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::base::budget::{Budget, Exhausted};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::output::OutputArguments;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::format::TraceFormat;
use crate::cli::output::guard::{self, Farewell};
use crate::cli::output::progress::Progress;

/// What has to be known of a run, besides its answer, to say how it ended: it differs by the language.
pub(super) trait Subject: Clone + Send + 'static {
    type Answer;
    /// What is known of a run that goes on.
    type SoFar: Clone + Default + Send + 'static;

    /// The answer of a run that had to be ended.
    fn unknown(&self, reason: Exhausted, so_far: Self::SoFar) -> Self::Answer;
    fn exit(answer: &Self::Answer) -> Exit;
    fn verdict_line(answer: &Self::Answer) -> String;
    /// The way into the error, if there is one.
    fn trace(answer: &Self::Answer, is_json: bool) -> Option<Result<String, CliError>>;
    /// Why there is no error, if that is to be shown.
    fn proof(_answer: &Self::Answer) -> String {
        String::new()
    }
    fn statistics(answer: &Self::Answer, wall: Duration) -> String;
    /// What goes before the verdict.
    fn remark(&self, _answer: &Self::Answer) -> String {
        String::new()
    }
    /// The document of `--json`.
    fn document(&self, answer: Self::Answer, form: Form) -> Result<String, CliError>;
}

/// What a document has from the command line.
pub(super) struct Form {
    pub file: String,
    pub exit: Exit,
    pub wall: Duration,
    pub trace: bool,
}

/// A run that has begun: with its limits, and a guard that ends it where it does not do so itself.
pub(super) struct Run<S: Subject> {
    pub ending: Ending<S>,
    pub progress: Progress<S::SoFar>,
    pub budget: Budget,
}

impl<S: Subject> Run<S> {
    /// Begins at `start` to check the program in `file`.
    pub fn begin(subject: S, file: &Path, arguments: &CheckArguments, start: Instant) -> Self {
        let show = !arguments.output.quiet && io::stderr().is_terminal();
        let progress = Progress::new(start, show);
        let file = output::name(file);
        let ending = Ending { subject, file, start, shown: arguments.output };
        let farewell = ending.clone().farewell(progress.so_far(), show);
        let budget = guard::guarded(arguments.limits.budget(), farewell);
        Self { ending, progress, budget }
    }
}

/// What is printed at the end of a run.
#[derive(Debug, Clone)]
pub(super) struct Ending<S> {
    subject: S,
    file: String,
    start: Instant,
    shown: OutputArguments,
}

impl<S: Subject> Ending<S> {
    /// What standard output is given.
    pub fn text(&self, answer: S::Answer) -> Result<String, CliError> {
        let shown = self.shown;
        let exit = S::exit(&answer);
        let wall = self.start.elapsed();
        if shown.json {
            let trace = shown.trace != TraceFormat::None;
            return self
                .subject
                .document(answer, Form { file: self.file.clone(), exit, wall, trace });
        }
        let mut text = String::new();
        if !shown.quiet {
            if shown.trace != TraceFormat::None
                && let Some(trace) = S::trace(&answer, shown.trace == TraceFormat::Json)
            {
                text.push_str(&trace?);
            }
            text.push_str(&S::proof(&answer));
        }
        // An interrupted run shows how far it came.
        if shown.stats || (exit == Exit::Interrupted && !shown.quiet) {
            text.push_str(&S::statistics(&answer, wall));
        }
        if !shown.quiet {
            text.push_str(&self.subject.remark(&answer));
        }
        Ok(text + &S::verdict_line(&answer) + "\n")
    }

    /// What the guard says in place of the run, which may show a line of progress.
    fn farewell(
        self,
        so_far: Arc<Mutex<S::SoFar>>,
        show: bool,
    ) -> impl Fn(Exhausted) -> Farewell + Send + 'static {
        move |reason| {
            let so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let answer = self.subject.unknown(reason, so_far);
            let (line, exit) = (S::verdict_line(&answer), S::exit(&answer));
            if show {
                output::clear_line();
            }
            (self.text(answer).unwrap_or(line + "\n"), exit)
        }
    }
}
