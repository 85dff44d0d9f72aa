//! The answers as documents: [`Document`] of a check, whatever the program; [`certificate`] of
//! `certify`.
//!
//! A further format of an answer, such as a witness of SV-COMP, is a module here: from a
//! [`Document`] to text.  The doors only choose the format and write the file.
//!
//! All JSON of hardbop has one convention: keys and values of enumerations in kebab-case, durations
//! as numbers of seconds whose keys end in `seconds`, sizes as numbers of bytes whose keys end in
//! `bytes`.

mod answer;
pub mod certificate;
#[cfg(feature = "c")]
mod checked;
#[cfg(feature = "c")]
mod expected;
mod invariant;
mod options;
mod outline;
mod overlay;
mod text;
#[cfg(feature = "c")]
mod validation;
mod verdict;

pub use answer::{AnsweredBy, Document, SCHEMA, Subject, Undecided};
#[cfg(feature = "c")]
pub use checked::Checked;
#[cfg(feature = "c")]
pub use expected::Expected;
pub use invariant::{Invariant, OpenCall, invariant_text};
#[cfg(feature = "c")]
pub use options::{AutomataOptions, COptions};
pub use options::{Language, LimitOptions, RunOptions, Settings};
pub use outline::{Outline, OutlineKind, OutlineNode};
pub use overlay::{OverlayError, overlay};
pub use text::Parts;
#[cfg(feature = "c")]
pub use validation::{Validation, WitnessResult};
pub use verdict::{Reason, Verdict, verdict_line};

/// Any value as indented JSON with a line end.
///
/// # Errors
/// Never for the types of this crate, whose keys are all strings.
pub fn pretty(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value).map(|text| text + "\n")
}
