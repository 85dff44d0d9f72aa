//! The validation of a witness of another tool.

use serde::Serialize;

/// Whether a witness holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WitnessResult {
    /// The verdict is the witness's, and what it says was proved, or executed.
    Confirmed,
    /// A statement of the witness is wrong.
    Rejected,
    /// Neither is known.
    Undecided,
}

/// The result of validating a witness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Validation {
    /// The file of the witness.
    pub file: String,
    pub result: WitnessResult,
    /// Why it is not confirmed.
    pub reason: Option<String>,
}

impl Validation {
    /// `witness: confirmed`, `witness: rejected (why)` or `witness: not confirmed (why)`.
    #[must_use]
    pub fn line(&self) -> String {
        let result = match self.result {
            WitnessResult::Confirmed => "confirmed",
            WitnessResult::Rejected => "rejected",
            WitnessResult::Undecided => "not confirmed",
        };
        match &self.reason {
            Some(reason) => format!("witness: {result} ({reason})"),
            None => format!("witness: {result}"),
        }
    }
}
