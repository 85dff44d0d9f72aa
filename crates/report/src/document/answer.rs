//! The document of an answer: of `check --json`, of the server's checks, of the C library.

use serde::Serialize;

#[cfg(feature = "c")]
use super::checked::Checked;
#[cfg(feature = "c")]
use super::expected::Expected;
use super::invariant::Invariant;
use super::options::{Language, Settings};
use super::outline::Outline;
#[cfg(feature = "c")]
use super::validation::Validation;
use super::verdict::{Reason, Verdict};
use crate::statistics::Table;
use crate::trace::Trace;
use hardbop_bp::engine::Engine;

/// The format of [`Document`], with its version: it increases with changes that are no additions.
/// docs/answer.schema.json describes it.
pub const SCHEMA: &str = "hardbop-answer-1";

/// The method that found the answer, or was the last to look for it.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::engine::Engine;
/// use hardbop_report::document::{AnsweredBy, RunOptions};
/// use hardbop_session::check::check_bp;
///
/// let mut options = RunOptions::default();
/// options.engine.engine = Engine::Qbf;
/// let source = Source::new("lock.bp", "decl held; void main() begin held := F; assert(!held); end");
/// let answer = check_bp(&source, &options, &Budget::unlimited(), &mut ())?;
/// let by = match answer.answered_by {
///     AnsweredBy::Engine(engine) => format!("the engine {engine:?}"),
///     other => format!("{other:?}"),
/// };
/// assert_eq!(by, "the engine Qbf");
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AnsweredBy {
    /// Executions of the program, before anything is proved.
    Executions,
    /// The abstract reachability tree.
    Tree,
    /// The route through Boolean programs.
    Bp,
    /// An engine for Boolean programs, under its own name.
    #[serde(untagged)]
    Engine(Engine),
}

impl From<Engine> for AnsweredBy {
    fn from(engine: Engine) -> Self {
        Self::Engine(engine)
    }
}

/// The question: the program and its property.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The program; described automata have no file.
    pub file: Option<String>,
    /// The property that must hold, as property files write it.
    pub property: Vec<String>,
    pub options: Settings,
}

/// The answer to a check.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{Document, RunOptions};
/// use hardbop_session::check::check_bp;
///
/// let source = Source::new("lock.bp", "decl held; void main() begin assert(!held); end");
/// let answer: Document = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict_line, "VERDICT: UNSAFE");
/// assert!(answer.trace.is_some() && answer.warnings.is_empty());
/// let json = serde_json::to_value(&answer)?; // as `check --json` prints it
/// assert_eq!(json["schema"], "hardbop-answer-1");
/// assert_eq!(json["trace"]["steps"][0]["kind"], "assertion-fails");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Document {
    /// The format, with its version: `hardbop-answer-1`.
    pub schema: &'static str,
    /// Version of hardbop.
    pub version: &'static str,
    pub language: Language,
    pub file: Option<String>,
    /// All files of a program of several, which `file` is the first of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    pub verdict: Verdict,
    /// The line that is printed without `--json`.
    pub verdict_line: String,
    /// Why the verdict is UNKNOWN.
    pub reason: Option<Reason>,
    /// The phase of a run that ended at a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The exit code of the process, where the answer ends one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
    /// The method that has answered; in a race, the winner.
    pub answered_by: AnsweredBy,
    pub property: Vec<String>,
    /// What was looked for, where the program was read.
    #[cfg(feature = "c")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    /// What is proved of the program where the verdict is UNKNOWN: the operations and assertions that are no errors, with
    /// nothing said of what comes behind another error.
    #[cfg(feature = "c")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<String>,
    /// The verdict that the task definition expects.
    #[cfg(feature = "c")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// The result for the witness that was to be validated.
    #[cfg(feature = "c")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Validation>,
    pub options: Settings,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Table>,
    /// The assumptions of the verdict.
    pub assumptions: Vec<String>,
    /// The invariants that hold at places of the program, where the verdict is SAFE and that is
    /// known.
    pub invariants: Vec<Invariant>,
    /// The predicates that were tracked at the end, in SMT-LIB, where Boolean programs have decided
    /// automata.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
    /// The evidence as a tree, where a page is to show that.
    #[serde(skip)]
    pub outline: Option<Outline>,
    /// The way into the error, where the verdict is UNSAFE.
    pub trace: Option<Trace>,
    pub warnings: Vec<String>,
}

impl Document {
    /// Whether there is no verdict since a limit of the run was reached.
    pub fn is_ended_by_limit(&self) -> bool {
        let is_limit = |code: &str| ["time", "memory", "interrupted"].contains(&code);
        self.verdict == Verdict::Unknown && self.reason.as_ref().is_some_and(|r| is_limit(&r.code))
    }

    /// Notes what a run was doing that one of its limits has ended.
    pub fn ended_during(&mut self, phase: &str) {
        if self.is_ended_by_limit()
            && let Some(reason) = &self.reason
        {
            let words = reason.message.as_str();
            self.verdict_line = format!("VERDICT: UNKNOWN ({words} during: {phase})");
        }
        self.phase = Some(phase.to_owned());
    }

    /// An answer without its evidence.
    #[must_use]
    pub fn new(
        subject: Subject,
        (verdict, reason): (Verdict, Option<Reason>),
        answered_by: AnsweredBy,
        statistics: Table,
    ) -> Self {
        Self {
            schema: SCHEMA,
            version: hardbop_base::VERSION,
            language: subject.options.language(),
            file: subject.file,
            files: vec![],
            verdict,
            verdict_line: verdict.line(reason.as_ref()),
            reason,
            phase: None,
            exit_code: None,
            wall_seconds: None,
            answered_by,
            property: subject.property,
            #[cfg(feature = "c")]
            checked: None,
            #[cfg(feature = "c")]
            proved: vec![],
            #[cfg(feature = "c")]
            expected: None,
            #[cfg(feature = "c")]
            witness: None,
            options: subject.options,
            statistics: Some(statistics),
            assumptions: vec![],
            invariants: vec![],
            predicates: vec![],
            outline: None,
            trace: None,
            warnings: vec![],
        }
    }

    /// Adds what is known when the process ends: its exit code and wall time.
    #[must_use]
    pub fn of_process(self, wall_seconds: f64) -> Self {
        let exit_code = self.verdict.exit_code(self.reason.as_ref());
        Self { exit_code: Some(exit_code), wall_seconds: Some(wall_seconds), ..self }
    }

    /// Whether the run was interrupted.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.reason.as_ref().is_some_and(Reason::is_interruption)
    }

    /// The document without the trace or the statistics where these are not wanted.
    #[must_use]
    pub fn only(self, trace: bool, statistics: bool) -> Self {
        Self {
            trace: self.trace.filter(|_| trace),
            statistics: self.statistics.filter(|_| statistics),
            ..self
        }
    }
}

/// The answer to a request that was given up before there was a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Undecided {
    pub schema: &'static str,
    pub version: &'static str,
    pub verdict: Verdict,
    pub verdict_line: String,
    pub reason: Reason,
}

impl From<Reason> for Undecided {
    fn from(reason: Reason) -> Self {
        let verdict = Verdict::Unknown;
        let verdict_line = verdict.line(Some(&reason));
        Self { schema: SCHEMA, version: hardbop_base::VERSION, verdict, verdict_line, reason }
    }
}
