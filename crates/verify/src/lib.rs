//! The verdict on a program: it becomes automata, an analysis explores them, and the program itself
//! has the last word on every error.
//!
//! A check is about a [`Subject`]: a [C program](CProgram), or [automata](Automata) from a
//! description.  [`check`] chooses the route, by the reachability tree or through Boolean programs;
//! its [`Report`] has the [`Outcome`].
//!
//! SAFE rests on the automata, which do all that the program does under the printed assumptions,
//! and on a proof, which a solver that the analysis did not use has checked.  UNSAFE rests on an
//! execution of the program.  Everything else is UNKNOWN, with its [reason](UnknownReason).
//!
//! ```
//! use hardbop_base::{budget::Budget, source::Source};
//! use hardbop_c::{ParseOptions, parse};
//! use hardbop_verify::{CProgram, Options, Outcome, check};
//!
//! let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
//!     int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x < 5 && x > 7) reach_error(); }";
//! let flow = parse(Source::new("range.c", text), &ParseOptions::default()).expect("it is C");
//! let report = check(CProgram::new(&flow), &Options::default(), &Budget::unlimited(), &mut ())?;
//! assert!(matches!(report.outcome, Outcome::Safe(_)));
//! # Ok::<(), hardbop_verify::VerifyError>(())
//! ```

pub mod certificate;
pub mod learned;
pub mod limits;
pub mod options;
pub mod phase;
mod reduction;
pub mod report;
mod routes;
mod steps;
pub mod strategy;
pub mod subject;
pub mod verdict;
pub mod watcher;

pub use learned::{Learned, Scoped};
pub use options::{Options, Route};
pub use phase::{Phase, Phases};
pub use reduction::{Reduction, Size};
pub use report::{Report, Warm};
pub use routes::check;
pub use steps::automaton;
pub use strategy::Strategy;
pub use subject::{Automata, CProgram, Subject};
pub use verdict::{Outcome, UnknownReason, VerifyError};
pub use watcher::Watcher;
