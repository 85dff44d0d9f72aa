//! Errors of the generators.

use thiserror::Error;

use super::driver::MINIMUM_VARIABLES;
use super::family::Family;

/// Why nothing was generated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    #[error("a driver has at least {minimum} variables, not {0}", minimum = MINIMUM_VARIABLES)]
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
