//! Measuring model checkers: generators of Boolean programs with known verdicts, comparisons of
//! engines and of other programs, and campaigns over many tasks with what they come to.
//!
//! ```
//! use hardbop_lab::generate::{Family, FamilyOptions, family};
//!
//! let text = family(&FamilyOptions { family: Family::Counter, size: 4, seed: 0, bug: true })?;
//! assert!(text.contains("By construction, an error is reachable."));
//! # Ok::<(), hardbop_lab::generate::GenerateError>(())
//! ```
//!
//! How a program is checked is not known here.

#[cfg(feature = "campaign")]
pub mod campaign;
pub mod compare;
pub mod generate;
#[cfg(feature = "campaign")]
pub mod results;
