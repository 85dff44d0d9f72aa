//! The document of `--json` for C programs.

use serde::Serialize;

use super::c_trace::CTraceReport;
use super::json::Verdict;
use crate::cpa::Statistics;
use crate::verify::{Options, Phases};

/// A formula at a place.
#[derive(Debug, Clone, Serialize)]
pub struct CInvariant {
    pub function: String,
    pub line: usize,
    /// In C.
    pub formula: String,
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
    pub exit_code: u8,
    pub wall_seconds: f64,
    pub peak_memory_bytes: u64,
    pub options: Options,
    pub statistics: Statistics,
    pub phases: Phases,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// What holds at loop heads, where the verdict is SAFE.
    pub invariants: Vec<CInvariant>,
    /// The way into the error, where the verdict is UNSAFE.
    pub trace: Option<CTraceReport>,
    pub warnings: Vec<String>,
}
