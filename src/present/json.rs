//! The document of `--json`.

use serde::{Deserialize, Serialize};

use super::trace::TraceReport;
use super::unknown_line;
use crate::boolean::engine::{Engine, Options, Statistics};
use crate::boolean::language::parser::Dialect;
use crate::boolean::language::resolve::ResolveOptions;
use crate::boolean::proof::Outcome;

/// The three answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

impl Verdict {
    /// The line that is printed: see [`verdict_line`](super::verdict_line).
    #[must_use]
    pub fn line(self, reason: Option<&str>) -> String {
        match self {
            Self::Safe => "VERDICT: SAFE".to_owned(),
            Self::Unsafe => "VERDICT: UNSAFE".to_owned(),
            Self::Unknown => unknown_line(reason.unwrap_or_default()),
        }
    }
}

impl<I> From<&Outcome<I>> for Verdict {
    fn from(outcome: &Outcome<I>) -> Self {
        match outcome {
            Outcome::Safe(_) => Self::Safe,
            Outcome::Unsafe(_) => Self::Unsafe,
            Outcome::Unknown(_) => Self::Unknown,
        }
    }
}

/// How a run was to be done.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunOptions {
    #[serde(flatten)]
    pub engine: Options,
    #[serde(flatten)]
    pub resolve: ResolveOptions,
    pub dialect: Dialect,
    pub time_limit_seconds: Option<f64>,
    pub memory_limit_bytes: Option<u64>,
}

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Document {
    /// Version of hardbop.
    pub version: &'static str,
    pub file: String,
    pub verdict: Verdict,
    /// Why the verdict is UNKNOWN.
    pub reason: Option<String>,
    /// The line that is printed without `--json`.
    pub verdict_line: String,
    /// Of a process that ends with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
    /// The engine that answered: with several threads, the winner of the race.
    pub answered_by: Engine,
    pub options: RunOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// The way into the error, where the verdict is UNSAFE.
    pub trace: Option<TraceReport>,
    pub warnings: Vec<String>,
}

/// Any value as indented JSON with a line end.
///
/// # Errors
/// Never for the types of this crate, whose keys are all strings.
pub fn pretty(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value).map(|text| text + "\n")
}
