//! Answers, traces, invariants and statistics as text, JSON and pages, for people and for programs.
//!
//! A [`Document`](document::Document) is the answer to a check; modules of [`report`] write it in
//! formats of other tools.  This makes text only; writing it somewhere is up to others.
//!
//! ```
//! use hardbop_report::document::{Invariant, invariant_text};
//!
//! let invariant = Invariant {
//!     function: "main".to_owned(),
//!     place: "line 3".to_owned(),
//!     file: None,
//!     line: Some(3),
//!     location: None,
//!     calls: vec![],
//!     formula: Some("i <= n".to_owned()),
//! };
//! assert_eq!(invariant_text(&[invariant]), "invariant at line 3 in main: i <= n\n");
//! ```

pub mod contents;
pub mod diagnostic;
pub mod document;
pub mod findings;
pub mod formula;
pub mod kept;
pub mod markup;
pub mod properties;
pub mod report;
pub mod statistics;
pub mod trace;
pub mod units;
#[cfg(feature = "c")]
pub mod witness;
