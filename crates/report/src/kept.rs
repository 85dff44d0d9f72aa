//! What is kept of findings besides their verdicts: fingerprints that tell them apart from run to run, what an earlier run said of
//! them, and the comments that silence them.
//!
//! None of this changes a verdict: a finding that is known or silenced is an error as before.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::document::Verdict;

/// The name of the fingerprints of `check --each` in SARIF.
pub(crate) const EACH: &str = "hardbop/v2";

/// The fingerprint of what these words tell from others.
pub(crate) fn fingerprint(words: &[&str]) -> String {
    let hash = Sha256::digest(words.join("\0"));
    hash[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The comment in the source that silences a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Silence {
    /// Why, in the words of the comment.
    pub reason: String,
    /// The comment, as FILE:LINE:COLUMN.
    pub place: String,
}

/// What an earlier run says of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Earlier {
    /// No earlier run is asked.
    #[default]
    NotAsked,
    /// It has no such finding.
    Unknown,
    /// It has the finding, with this verdict.
    Known(Verdict),
}

/// How a finding differs from that of an earlier run, as SARIF's `baselineState` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BaselineState {
    /// It was not there, or is worse now: an error that was none, or undecided where it was proved.
    New,
    /// It has the same verdict.
    Unchanged,
    /// It was there, and is better now.
    Updated,
}

impl BaselineState {
    /// The state as a word of SARIF.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
            Self::Updated => "updated",
        }
    }
}

impl Earlier {
    /// How a finding with this verdict differs from it; nothing where no earlier run is asked.
    #[must_use]
    pub fn state(self, verdict: Verdict) -> Option<BaselineState> {
        let before = match self {
            Self::NotAsked => return None,
            Self::Unknown => return Some(BaselineState::New),
            Self::Known(before) => before,
        };
        Some(match verdict.severity().cmp(&before.severity()) {
            Ordering::Less => BaselineState::Updated,
            Ordering::Equal => BaselineState::Unchanged,
            Ordering::Greater => BaselineState::New,
        })
    }
}

/// How many findings there are of one sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Count {
    pub errors: usize,
    pub undecided: usize,
}

impl Count {
    /// `3 known (1 undecided)`.
    pub(crate) fn words(self, what: &str) -> String {
        let all = self.errors + self.undecided;
        match self.undecided {
            0 => format!("{all} {what}"),
            undecided => format!("{all} {what} ({undecided} undecided)"),
        }
    }
}

/// How many errors and undecided findings are new, known from an earlier run, and silenced by a comment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Counts {
    /// Without an earlier run, all that are not silenced.
    pub new: Count,
    pub known: Count,
    pub silenced: Count,
    /// Of the earlier run, those that are proved now, or are not there any more.
    pub gone: usize,
}

/// A finding of an earlier run; where a report lists it, one that is proved now, or not there any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Gone {
    pub fingerprint: String,
    /// The kind of error, as reports name it.
    pub code: String,
    /// The text of the operation or assertion, or the name of the label.
    pub name: String,
    /// Where it was, as URI:LINE:COLUMN.
    pub places: Vec<String>,
    /// What it was.
    pub verdict: Verdict,
    /// What the earlier run says of it.
    #[serde(skip)]
    pub(crate) message: String,
    /// The places as SARIF has them.
    #[serde(skip)]
    pub(crate) locations: Vec<Value>,
}
