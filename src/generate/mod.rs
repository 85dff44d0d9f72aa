//! Generators of Boolean programs: benchmarks whose verdict is known by construction.
//!
//! Everything here is deterministic: the same options give the same text, on every machine.

pub mod driver;

pub use driver::{DriverOptions, GenerateError, driver};
