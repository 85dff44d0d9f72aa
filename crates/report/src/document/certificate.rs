//! The document of a certificate's check.

use serde::Serialize;

use super::verdict::Reason;
use crate::units::counted;
use hardbop_bp::proof::certificate::Property;
use hardbop_bp::proof::failure::{Effort, Failure};
use hardbop_bp::proof::judge::{Claim, Judgement, Rejection};
#[cfg(feature = "c")]
use hardbop_verify::certificate as c;

/// The format of [`CertificateDocument`], with its version: it increases with changes that are no
/// additions.
pub const SCHEMA: &str = "hardbop-judgement-1";

/// The three results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum CertificateResult {
    Valid,
    Rejected,
    Undecided,
}

/// The document of `certify --json`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CertificateDocument {
    /// [`SCHEMA`]
    pub schema: &'static str,
    /// Version of hardbop.
    pub version: &'static str,
    pub file: String,
    /// All files of a program of several, which `file` is the first of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    pub certificate: String,
    pub result: CertificateResult,
    /// The line that is printed without `--json`.
    pub result_line: String,
    pub exit_code: u8,
    /// The claim of the certificate, once it has been read; it is true where the result is `VALID`.
    pub verdict: Option<Claim>,
    /// Why it is rejected or undecided.
    pub reason: Option<Reason>,
    /// The obligation that is not proved.
    pub failure: Option<Failure>,
    pub property: Option<Certified>,
    /// The solvers that the queries went to; none where there were none.
    pub sat: Option<String>,
    pub qbf: Option<String>,
    /// The solver that the queries about C programs went to, with their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smt_queries: Option<u64>,
    /// The assumptions of the verdict on a C program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    pub effort: Effort,
    pub wall_seconds: f64,
}

/// The subject of a certificate.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Certified {
    Boolean(Property),
    #[cfg(feature = "c")]
    C {
        #[serde(flatten)]
        property: c::Property,
        model: c::Model,
    },
}

impl From<&Judgement> for CertificateResult {
    fn from(judgement: &Judgement) -> Self {
        match judgement {
            Judgement::Valid => Self::Valid,
            Judgement::Rejected(_) => Self::Rejected,
            Judgement::Undecided(_) => Self::Undecided,
        }
    }
}

/// Why a certificate is not valid.
#[must_use]
pub fn reason(judgement: &Judgement) -> Option<Reason> {
    match judgement {
        Judgement::Valid => None,
        Judgement::Undecided(limit) => Some((*limit).into()),
        Judgement::Rejected(rejection) => {
            let code = match rejection.as_ref() {
                Rejection::OtherProgram(_) => "other-program",
                Rejection::OtherProperty(_) => "other-property",
                Rejection::Trace { .. } => "trace",
                Rejection::Ill(_) => "ill-formed",
                Rejection::Unproved(_) => "unproved",
            };
            Some(Reason::new(code, &rejection.to_string()))
        }
    }
}

/// The failed obligation of a rejection.
pub fn failure(judgement: &Judgement) -> Option<Failure> {
    match judgement {
        Judgement::Rejected(rejection) => match rejection.as_ref() {
            Rejection::Unproved(failure) => Some(failure.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The result line, which scripts read: the last line of standard output, without its line end.
/// Only a certificate that has been read claims something.
pub fn result_line(judgement: &Judgement, claim: Option<Claim>) -> String {
    line(judgement.into(), claim, reason(judgement).as_ref())
}

/// The result line of a result.
#[must_use]
pub fn line(result: CertificateResult, claim: Option<Claim>, reason: Option<&Reason>) -> String {
    let claim = match claim {
        Some(Claim::Safe) => "SAFE",
        Some(Claim::Unsafe) => "UNSAFE",
        None => "",
    };
    let reason = reason.map_or("", |r| r.message.as_str());
    match result {
        CertificateResult::Valid => format!("CERTIFICATE: VALID ({claim})"),
        CertificateResult::Rejected => format!("CERTIFICATE: REJECTED ({reason})"),
        CertificateResult::Undecided => format!("CERTIFICATE: UNDECIDED ({reason})"),
    }
}

/// The property to be proved, and the means of the proof, in lines.
pub fn summary(document: &CertificateDocument) -> String {
    let (entry, error_labels, check_asserts, dialect) = match &document.property {
        None => return String::new(),
        Some(Certified::Boolean(Property { entry, error_labels, check_asserts, dialect })) => {
            (entry, error_labels, check_asserts, dialect)
        }
        #[cfg(feature = "c")]
        Some(Certified::C { property, model }) => {
            let mut text = format!("Property: {}\n", property.words());
            text.push_str(&format!("Model: {}\n", model.words()));
            if let (Some(smt), Some(n)) = (&document.smt, document.smt_queries) {
                text.push_str(&format!("SMT: {} by {smt}\n", queries(n)));
            }
            return text;
        }
    };
    let labels = match error_labels.as_slice() {
        [] => "no labels".to_owned(),
        labels => {
            format!("{} {}", if labels.len() == 1 { "label" } else { "labels" }, labels.join(", "))
        }
    };
    let asserts = if *check_asserts { "assertions" } else { "no assertions" };
    let mut text = format!("Property: entry {entry}, {labels}, {asserts} (dialect {dialect})\n");
    let Effort { sat_queries, qbf_queries, handed_on } = document.effort;
    if let Some(sat) = &document.sat {
        text.push_str(&format!("SAT: {} by {sat}\n", queries(sat_queries)));
    }
    if let Some(qbf) = &document.qbf {
        let by = match handed_on {
            0 => qbf.clone(),
            n => format!("{qbf}, {n} of them left to the embedded solver"),
        };
        text.push_str(&format!("2QBF: {} by {by}\n", queries(qbf_queries)));
    }
    text
}

fn queries(n: u64) -> String {
    if n == 1 { counted(1, "query") } else { format!("{n} queries") }
}
