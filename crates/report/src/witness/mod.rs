//! Witnesses: the evidence for a verdict about a C program in the exchange format of verification
//! witnesses, which validators of other people read: version 2.0 (Ayaziová, Beyer,
//! Lingsch-Rosenfeld, Spiessl, Strejček: Software Verification Witnesses 2.0, SPIN 2024), or 1.0
//! (Beyer, Dangl, Dietsch, Heizmann, Lemberger, Tautschnig: Verification Witnesses, TOSEM 2022).
//!
//! In version 2.0 a violation witness is a sequence of what calls return, then the place of the
//! error; a correctness witness a set of loop invariants.  In version 1.0 both are automata, with
//! branches and calls as well.

mod automaton;
mod constant;
mod expression;
mod graphml;
mod head;
mod loops;
mod path;
mod scope;
mod target;
mod text;
mod violation;
mod yaml;

use std::path::Path;

use sha2::{Digest, Sha256};

use self::head::{Head, Kind};
use self::text::Texts;
use crate::document::{Document, Settings};
use hardbop_c::flow::Flow;
use hardbop_verify::{Outcome, Report};

/// How a witness is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Version 2.0.
    Yaml,
    /// Version 1.0.
    GraphMl,
}

impl Format {
    /// The format of a file with this name.
    #[must_use]
    pub fn of(file: &Path) -> Self {
        match file.extension().is_some_and(|e| e.eq_ignore_ascii_case("graphml")) {
            true => Self::GraphMl,
            false => Self::Yaml,
        }
    }
}

/// The setting of a witness: what it says of itself besides its content.
#[derive(Debug, Clone)]
pub struct Setting<'a> {
    pub format: Format,
    /// The files of the program, as the user named them, and what is in them: before the
    /// preprocessor.
    pub files: &'a [(String, Vec<u8>)],
    /// Now, in seconds since 1970 (UTC).
    pub time: u64,
}

/// The witness of a verdict; none where the verdict is UNKNOWN.
///
/// Statements on places in the text that the preprocessor moved are left out: a witness says less
/// then, but nothing wrong.
#[must_use]
pub fn witness(
    flow: &Flow,
    report: &Report,
    document: &Document,
    setting: &Setting,
) -> Option<String> {
    let texts = Texts::new(flow, setting.files);
    let Settings::C(options) = &document.options else { return None };
    let kind = match &report.outcome {
        Outcome::Unsafe(_) => Kind::Violation,
        Outcome::Safe(_) => Kind::Correctness,
        Outcome::Unknown(_) => return None,
    };
    let hash = |bytes: &[u8]| head::hex(&Sha256::digest(bytes));
    let files: Vec<(&str, String)> =
        setting.files.iter().map(|(name, bytes)| (name.as_str(), hash(bytes))).collect();
    let specification = target::specification(flow, document);
    let head = Head {
        kind,
        time: setting.time,
        version: document.version,
        files: &files,
        specification: &specification,
        data_model: options.data_model.unwrap_or_default(),
    };
    let invariants = |proof| loops::content(flow, report, proof, &texts);
    match (setting.format, &report.outcome) {
        (_, Outcome::Unknown(_)) => None,
        (Format::Yaml, Outcome::Unsafe(execution)) => {
            Some(yaml::written(&head, &violation::content(flow, execution, &texts)))
        }
        (Format::Yaml, Outcome::Safe(proof)) => Some(yaml::written(&head, &invariants(proof))),
        (Format::GraphMl, Outcome::Unsafe(execution)) => {
            let steps = path::steps(flow, execution, &texts);
            Some(graphml::written(&head, &automaton::of_path(&steps, &texts)))
        }
        (Format::GraphMl, Outcome::Safe(proof)) => {
            Some(graphml::written(&head, &automaton::of_invariants(&invariants(proof), &texts)))
        }
    }
}
