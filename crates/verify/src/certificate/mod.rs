//! Certificates of C programs: evidence for a verdict as a JSON document, and whether it proves the
//! verdict, which no analysis is asked about.
//!
//! `docs/certificates.md` describes the format, with the schema `docs/c-certificate.schema.json`.

mod adapt;
mod document;
mod form;
mod formulas;
mod judge;
mod make;
mod outline;
mod rejection;
mod summaries;

pub use adapt::{Adapted, adapted};
pub use document::{
    CCertificate, Deeper, Evidence, FunctionSummary, InputRecord, Model, NamedPlace, Outline,
    Proof, Property, StatesAt, fingerprint,
};
pub use judge::{Demand, Judgement, Opinion, judge};
pub use make::{Inexpressible, certificate};
pub use rejection::Rejection;
