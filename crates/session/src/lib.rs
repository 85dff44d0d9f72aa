//! Checks of Boolean programs, C programs and control-flow automata, from a text to the document of
//! its verdict: what the command line, the server and the libraries of hardbop have in common.
//!
//! ```
//! use hardbop_base::{budget::Budget, source::Source};
//! use hardbop_report::document::{RunOptions, Verdict};
//! use hardbop_session::check::check_bp;
//!
//! let source = Source::new("lock.bp", "decl held; void main() begin held := F; assert(!held); end");
//! let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
//! assert_eq!(answer.verdict, Verdict::Safe);
//! # Ok::<(), hardbop_session::check::CheckError>(())
//! ```
//!
//! Knows no files and no streams.

#[cfg(feature = "c")]
pub mod abstraction;
#[cfg(feature = "c")]
pub mod automata;
pub mod boolean;
#[cfg(feature = "c")]
pub mod c;
pub mod check;
pub mod contents;
pub mod nothing;
pub mod silence;
pub mod threads;
#[cfg(feature = "c")]
pub mod witness;
