//! Boolean programs: their language, the engines that decide them, the evidence of verdicts, and
//! exports for other tools.
//!
//! ```
//! use hardbop_base::{budget::Budget, source::Source};
//! use hardbop_bp::engine::{Options, Silent, check};
//! use hardbop_bp::language::{interpret::replay, parser::parse, resolve::resolve};
//! use hardbop_bp::proof::Outcome;
//!
//! let text = "decl held; void main() begin held := *; assert(!held); end";
//! let tree = parse(text, Default::default()).expect("a program");
//! let program = resolve(Source::new("lock.bp", text), &tree, &Default::default()).expect("names");
//! let report = check(&program, &Options::default(), &Budget::unlimited(), &mut Silent)?;
//! let Outcome::Unsafe(trace) = report.outcome else { panic!("held may be T") };
//! assert!(replay(&program, &trace).is_ok()); // an interpreter executes it
//! # Ok::<(), hardbop_bp::engine::EngineError>(())
//! ```

pub mod engine;
pub mod export;
pub mod language;
pub mod proof;
pub mod threads;
