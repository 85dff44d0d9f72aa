//! How a run begins and ends, whatever the language of the program.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::base::budget::{Budget, Exhausted};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::output::OutputArguments;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::format::TraceFormat;
use crate::cli::output::guard::{self, Farewell};
use crate::cli::output::progress::Progress;
use crate::present::document::{Document, Parts};

/// What differs by the language of the program.
pub(super) trait Subject: Clone + Send + 'static {
    /// What is known of a run that goes on.
    type SoFar: Clone + Default + Send + 'static;

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
    /// The text for standard output.
    pub fn text(&self, answer: Document) -> Result<String, CliError> {
        let shown = self.shown;
        let wall_seconds = self.start.elapsed().as_secs_f64();
        if shown.json {
            let answer = answer.of_process(wall_seconds);
            return output::json(&answer.only(shown.trace != TraceFormat::None, true));
        }
        let mut text = String::new();
        if let (Some(trace), TraceFormat::Json, false) = (&answer.trace, shown.trace, shown.quiet) {
            text.push_str(&output::json(trace)?);
        }
        let parts = Parts {
            trace: shown.trace == TraceFormat::Text && !shown.quiet,
            evidence: !shown.quiet,
            // An interrupted run shows how far it came.
            statistics: shown.stats || (answer.is_interrupted() && !shown.quiet),
        };
        Ok(text + &answer.text(parts, wall_seconds))
    }

    /// What the guard prints in place of the run, which may show a line of progress.
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
            (self.text(answer).unwrap_or(line + "\n"), exit)
        }
    }
}
