//! What is shown to people and programs: answers, traces, statistics, comparisons, as text, JSON and pages.
//!
//! Makes text; writing it somewhere is up to [`crate::cli`].

#[cfg(feature = "campaign")]
pub mod campaign;
pub mod compare;
pub mod contents;
pub mod diagnostic;
pub mod document;
pub mod formula;
pub mod markup;
pub mod properties;
pub mod report;
pub mod statistics;
pub mod trace;
pub mod units;
#[cfg(feature = "c")]
pub mod witness;
