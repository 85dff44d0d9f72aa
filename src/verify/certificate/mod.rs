//! Certificates of C programs: evidence for a verdict as a JSON document, and whether it proves the verdict, which no
//! analysis is asked about.
//!
//! `docs/certificates.md` describes the format, with the schema `docs/c-certificate.schema.json`.

mod document;
mod form;
mod judge;
mod make;

pub use document::{
    CCertificate, Deeper, Evidence, InputRecord, Model, Proof, Property, StatesAt, fingerprint,
};
pub use judge::{Demand, Judgement, Opinion, Rejection, judge};
pub use make::{Inexpressible, certificate};
