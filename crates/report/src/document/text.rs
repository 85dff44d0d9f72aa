//! An answer as text, for people.

use super::answer::Document;
use super::invariant::invariant_text;
#[cfg(feature = "c")]
use super::options::Settings;

/// The parts of an answer that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// The way into the error.
    pub trace: bool,
    /// The invariants, the data model of C, what a task definition expects, and what has become of
    /// a witness.
    pub evidence: bool,
    pub statistics: bool,
}

impl Document {
    /// The text, whose last line is the verdict.  `wall_seconds` is for the statistics.
    #[must_use]
    pub fn text(&self, parts: Parts, wall_seconds: f64) -> String {
        let mut text = String::new();
        if let (Some(trace), true) = (&self.trace, parts.trace) {
            text.push_str(&trace.text());
        }
        if parts.evidence {
            text.push_str(&invariant_text(&self.invariants));
        }
        if let (Some(statistics), true) = (&self.statistics, parts.statistics) {
            text.push_str(&statistics.text(wall_seconds));
            if let Some(phase) = &self.phase {
                text.push_str(&format!("  ended during: {phase}\n"));
            }
            #[cfg(feature = "c")]
            text.push_str(&statistics.size_text());
        }
        #[cfg(feature = "c")]
        if let (Settings::C(options), true) = (&self.options, parts.evidence)
            && let Some(model) = options.data_model
        {
            text.push_str(&format!("data model: {model}\n"));
        }
        #[cfg(feature = "c")]
        if let (Some(expected), true) = (&self.expected, parts.evidence) {
            text.push_str(&(expected.line() + "\n"));
        }
        #[cfg(feature = "c")]
        if let (Some(witness), true) = (&self.witness, parts.evidence) {
            text.push_str(&(witness.line() + "\n"));
        }
        text + &self.verdict_line + "\n"
    }
}
