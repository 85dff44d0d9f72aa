//! Certificates: evidence for a verdict as a JSON document.
//!
//! `docs/certificates.md` describes the format, with the schema `docs/certificate.schema.json`.
//! Reading is strict: unknown fields, other versions and evidence that does not fit the verdict are
//! errors.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::Invariant;
use crate::language::parser::Dialect;
use crate::language::resolve::ResolveOptions;
use crate::language::trace::Trace;
use hardbop_base::source::{Object, from_json, object, some_object};

/// The value of the field `format`.
pub const FORMAT: &str = "hardbop-certificate";
/// The version of the format, for writing and reading.
pub const VERSION: u32 = 1;
/// Largest document that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 29;

/// The property that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Property {
    /// The procedure that the program starts with.
    pub entry: String,
    /// Labels that must not be reached.
    pub error_labels: Vec<String>,
    /// Whether `assert` and `abortif` are checked.
    pub check_asserts: bool,
    /// How operators bind.
    pub dialect: Dialect,
}

impl Property {
    pub fn new(resolve: &ResolveOptions, dialect: Dialect) -> Self {
        let ResolveOptions { entry, error_labels, check_asserts } = resolve.clone();
        Self { entry, error_labels, check_asserts, dialect }
    }

    /// The options of the resolver for this property.
    pub fn resolve_options(&self) -> ResolveOptions {
        let Self { entry, error_labels, check_asserts, .. } = self.clone();
        ResolveOptions { entry, error_labels, check_asserts }
    }
}

/// The value of an option: never nested, so its size is bounded by that of its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    Flag(bool),
    Number(serde_json::Number),
    Text(String),
    Null,
}

/// The options of an engine, for the record; the checker reads only which SAT solver was used.
pub type Settings = BTreeMap<String, Setting>;

/// The evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    Safe(Invariant),
    Unsafe(Trace),
}

/// A certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Object<Document>", into = "Document")]
pub struct Certificate {
    /// The version of hardbop that made it.
    pub hardbop: String,
    /// The [`fingerprint`] of the program text.
    pub program_sha256: String,
    pub property: Property,
    pub options: Settings,
    pub evidence: Evidence,
}

/// SHA-256 of a program text in UTF-8, in hexadecimal.
pub fn fingerprint(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Whether a text may be a [`fingerprint`].
pub fn is_fingerprint(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Why a document is not a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CertificateError {
    #[error("larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// Line and column are part of the message.
    #[error("not a certificate: {0}")]
    Ill(String),
    #[error("it cannot be written as JSON: {0}")]
    Unwritable(String),
}

/// Why the fields of a document do not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum Misfit {
    #[error("its format is '{0}', not '{FORMAT}'")]
    Format(String),
    #[error("its format has version {0}; this hardbop reads version {VERSION}")]
    Version(u32),
    #[error("SAFE needs an invariant and no trace")]
    Safe,
    #[error("UNSAFE needs a trace and no invariant")]
    Unsafe,
    #[error("'program-sha256' has 64 hexadecimal digits")]
    Hash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Verdict {
    Safe,
    Unsafe,
}

/// A certificate in its serialised form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    hardbop: String,
    program_sha256: String,
    #[serde(deserialize_with = "object")]
    property: Property,
    options: Settings,
    verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_object")]
    trace: Option<Trace>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_object")]
    invariant: Option<Invariant>,
}

impl TryFrom<Object<Document>> for Certificate {
    type Error = Misfit;

    fn try_from(Object(d): Object<Document>) -> Result<Self, Misfit> {
        if d.format != FORMAT {
            return Err(Misfit::Format(d.format.chars().take(40).collect()));
        }
        if d.version != VERSION {
            return Err(Misfit::Version(d.version));
        }
        if !is_fingerprint(&d.program_sha256) {
            return Err(Misfit::Hash);
        }
        let evidence = match (d.verdict, d.invariant, d.trace) {
            (Verdict::Safe, Some(invariant), None) => Evidence::Safe(invariant),
            (Verdict::Unsafe, None, Some(trace)) => Evidence::Unsafe(trace),
            (Verdict::Safe, ..) => return Err(Misfit::Safe),
            (Verdict::Unsafe, ..) => return Err(Misfit::Unsafe),
        };
        let Document { hardbop, program_sha256, property, options, .. } = d;
        Ok(Self { hardbop, program_sha256, property, options, evidence })
    }
}

impl From<Certificate> for Document {
    fn from(c: Certificate) -> Self {
        let (verdict, invariant, trace) = match c.evidence {
            Evidence::Safe(invariant) => (Verdict::Safe, Some(invariant), None),
            Evidence::Unsafe(trace) => (Verdict::Unsafe, None, Some(trace)),
        };
        let Certificate { hardbop, program_sha256, property, options, .. } = c;
        let (format, version) = (FORMAT.to_owned(), VERSION);
        Self {
            format,
            version,
            hardbop,
            program_sha256,
            property,
            options,
            verdict,
            trace,
            invariant,
        }
    }
}

impl Certificate {
    /// Makes a certificate of this version of hardbop.  `options` is serialised; settings that are
    /// not plain values are omitted.
    ///
    /// # Errors
    /// [`CertificateError::Unwritable`] if `options` is not a structure with named fields.
    pub fn new(
        text: &str,
        property: Property,
        options: &impl Serialize,
        evidence: Evidence,
    ) -> Result<Self, CertificateError> {
        let unwritable = |e: serde_json::Error| CertificateError::Unwritable(e.to_string());
        let all: BTreeMap<String, serde_json::Value> =
            serde_json::to_value(options).and_then(serde_json::from_value).map_err(unwritable)?;
        let plain = all.into_iter().filter(|(_, v)| !v.is_object() && !v.is_array());
        let settings = plain.map(|(name, v)| Ok((name, serde_json::from_value(v)?)));
        Ok(Self {
            hardbop: env!("CARGO_PKG_VERSION").to_owned(),
            program_sha256: fingerprint(text),
            property,
            options: settings.collect::<Result<_, _>>().map_err(unwritable)?,
            evidence,
        })
    }

    /// The document, as one line with a line end.
    ///
    /// # Errors
    /// [`CertificateError::Unwritable`]; never for certificates that were read or made by
    /// [`Certificate::new`].
    pub fn to_json(&self) -> Result<String, CertificateError> {
        serde_json::to_string(self)
            .map(|text| text + "\n")
            .map_err(|e| CertificateError::Unwritable(e.to_string()))
    }

    /// Reads a document.
    ///
    /// # Errors
    /// The mistake in the document, and its place.
    pub fn from_json(bytes: &[u8]) -> Result<Self, CertificateError> {
        if bytes.len() > MAX_BYTES {
            return Err(CertificateError::TooLarge);
        }
        from_json(bytes).map_err(CertificateError::Ill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that rounds differently from the writer changes the last digit.
    #[test]
    fn numbers_read_as_they_are_written() {
        let digits = format!("4000{}", "5".repeat(79));
        let number: serde_json::Number = serde_json::from_str(&digits).expect("a number");
        let setting = Setting::Number(number);
        let text = serde_json::to_string(&setting).expect("it can be written");
        let again: Setting = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(serde_json::to_string(&again).expect("it can be written"), text);
    }
}
