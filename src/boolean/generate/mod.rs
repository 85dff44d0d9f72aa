//! Generators of Boolean programs: benchmarks whose verdict is known by construction.
//!
//! Everything here is deterministic: the same options give the same text, on every machine.

pub mod driver;
pub mod family;

use thiserror::Error;

use crate::boolean::language::parser::{Dialect, parse};
use crate::boolean::language::print::print;

pub use driver::{DriverOptions, driver};
pub use family::{Family, FamilyOptions, family};

/// Options that no program fits.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    #[error("a driver has at least {minimum} variables, not {0}", minimum = driver::MINIMUM_VARIABLES)]
    TooFewVariables(usize),
    #[error("a driver has at least one procedure")]
    NoProcedure,
    #[error("more than {limit} {what} are not supported")]
    TooMany { what: &'static str, limit: usize },
    #[error("the size of '{family}' is from {low} to {high}, not {size}")]
    Size { family: Family, size: usize, low: usize, high: usize },
    /// A defect of the generator.
    #[error("internal error: the generated program does not parse: {0}")]
    Ill(String),
}

/// The program in canonical form, after a comment that says how it was made and what its verdict is.
fn document(command: &str, bug: bool, text: &str) -> Result<String, GenerateError> {
    let tree = parse(text, Dialect::default()).map_err(|d| {
        GenerateError::Ill(d.first().map_or_else(String::new, |d| d.message.clone()))
    })?;
    let (option, verdict) =
        if bug { (" --bug", "an error is reachable") } else { ("", "no error is reachable") };
    Ok(format!(
        "// hardbop gen {command}{option}\n// By construction, {verdict}.\n\n{}",
        print(&tree)
    ))
}
