//! The document of `--json` for C programs.

use serde::Serialize;

use super::c_trace::CTraceReport;
use super::json::Verdict;
use crate::program::c::types::DataModel;
use crate::refine::model;
use crate::refine::tree::Statistics;
use crate::verify::{Options, Phases, Reduction};

/// A formula at a place.
#[derive(Debug, Clone, Serialize)]
pub struct CInvariant {
    pub function: String,
    pub line: usize,
    /// In C.
    pub formula: String,
}

/// What a task definition says of the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CExpected {
    /// Whether the property holds: `expected_verdict`.
    pub holds: bool,
    pub file: String,
    pub line: usize,
    /// Whether the verdict is that; nothing where it is UNKNOWN.
    pub agrees: Option<bool>,
}

impl CExpected {
    /// The same, compared with a verdict.
    #[must_use]
    pub fn against(self, verdict: Verdict) -> Self {
        let agrees = match verdict {
            Verdict::Safe => Some(self.holds),
            Verdict::Unsafe => Some(!self.holds),
            Verdict::Unknown => None,
        };
        Self { agrees, ..self }
    }

    /// `expected: false (UNSAFE)`
    #[must_use]
    pub fn line(&self) -> String {
        format!("expected: {} ({})", self.holds, self.verdict())
    }

    /// What is wrong, where the verdict is not the expected one.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        (self.agrees == Some(false)).then(|| {
            let (file, line, expected) = (&self.file, self.line, self.verdict());
            format!("{file}:{line}: the verdict is not the expected one, {expected}")
        })
    }

    fn verdict(&self) -> &'static str {
        if self.holds { "SAFE" } else { "UNSAFE" }
    }
}

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CDocument {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    pub options: Options,
    pub data_model: DataModel,
    /// The function that executions start with.
    pub entry: String,
    /// What must hold, as property files write it.
    pub property: Vec<String>,
    /// What the task definition expects.
    pub expected: Option<CExpected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Of the route through Boolean programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boolean_statistics: Option<model::Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<Phases>,
    /// By how much the program shrank before it was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<Reduction>,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// What holds at loop heads, where the verdict is SAFE.
    pub invariants: Vec<CInvariant>,
    /// The way into the error, where the verdict is UNSAFE.
    pub trace: Option<CTraceReport>,
    pub warnings: Vec<String>,
}
