//! The strategy of a check: lists of steps, as data, and what each step took and gave.
//!
//! [`Strategy::default`] is `built-in.json` of this folder: what `hardbop check` does with a C
//! program.  `hardbop check --strategy FILE` replaces some of its lists, or all.  One executor
//! takes the steps: `run` those on the whole program, `tree` those on the automaton into which its
//! calls were expanded.

mod list;
mod read;
mod taken;

pub use list::{Action, Condition, Step, Strategy};
pub use read::StrategyError;
pub(crate) use taken::{Begun, Log};
pub use taken::{Gave, Taken};
