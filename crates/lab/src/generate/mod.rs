//! Generators of Boolean programs: benchmarks with verdicts known by construction.
//!
//! Everything here is deterministic: the same options give the same text on every machine.

mod document;
pub mod driver;
mod error;
pub mod family;

pub use driver::{DriverOptions, driver};
pub use error::GenerateError;
pub use family::{Family, FamilyOptions, family};
