//! Limits of a run, random numbers, processes of other programs, source texts with their
//! diagnostics, and what an answer is: what every crate of hardbop uses, and which knows nothing of
//! them.
//!
//! ```
//! use hardbop_base::{budget::Budget, verdict::UnknownReason};
//!
//! let budget = Budget::unlimited().trial(1); // of work, which is the same in every run
//! assert!(budget.check().is_ok());
//! let spent = budget.check().unwrap_err();
//! assert_eq!(UnknownReason::from(spent).to_string(), "interrupted");
//! ```

pub mod budget;
pub mod directed;
pub mod errors;
pub mod limits;
pub mod process;
pub mod random;
pub mod rejected;
pub mod source;
pub mod verdict;

/// The version of hardbop, which all its crates have.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
