//! Witnesses: the evidence for a verdict about a C program in the exchange format of verification witnesses, version 2.0
//! (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček: Software Verification Witnesses 2.0, SPIN 2024), which
//! validators of other people read.
//!
//! A violation witness is a sequence of what calls return, then the place of the error; a correctness witness a set of
//! loop invariants.

mod constant;
mod expression;
mod loops;
mod scope;
mod target;
mod text;
mod violation;
mod yaml;

use sha2::{Digest, Sha256};

use self::text::Texts;
use crate::present::document::{Document, Settings};
use crate::program::c::flow::Flow;
use crate::program::c::types::DataModel;
use crate::verify::{Outcome, Report};

/// What a witness says of itself besides its content.
#[derive(Debug, Clone)]
pub struct Setting<'a> {
    /// The files of the program, as the user named them, and what is in them: before the preprocessor.
    pub files: &'a [(String, Vec<u8>)],
    /// Now, in seconds since 1970 (UTC).
    pub time: u64,
}

/// The witness of a verdict, as YAML; none where the verdict is UNKNOWN.
///
/// What is said of places in the text that the preprocessor moved is left out: a witness says less then, but nothing
/// wrong.
#[must_use]
pub fn witness(
    flow: &Flow,
    report: &Report,
    document: &Document,
    setting: &Setting,
) -> Option<String> {
    let texts = Texts::new(flow, setting.files);
    let (kind, content) = match &report.outcome {
        Outcome::Unsafe(execution) => {
            ("violation_sequence", violation::content(flow, execution, &texts))
        }
        Outcome::Safe(invariant) => {
            ("invariant_set", loops::content(flow, report, invariant, &texts))
        }
        Outcome::Unknown(_) => return None,
    };
    let Settings::C(options) = &document.options else { return None };
    let hash = |bytes: &[u8]| yaml::hex(&Sha256::digest(bytes));
    let files: Vec<(&str, String)> =
        setting.files.iter().map(|(name, bytes)| (name.as_str(), hash(bytes))).collect();
    let specification = target::specification(flow, document);
    let head = yaml::Head {
        kind,
        time: setting.time,
        version: document.version,
        files: &files,
        specification: &specification,
        data_model: match options.data_model.unwrap_or_default() {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        },
    };
    Some(yaml::written(&head, &content))
}
