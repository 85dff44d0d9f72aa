//! Rules of interfaces: what programs owe the functions that they call.
//!
//! A rule is translated to a C file, which is linked with the program: variables are its state, and its events are [`hooks`],
//! which the parser calls before and after each direct call of the functions that they are about.  Behind the parser
//! they are code like any other; threads do not interrupt them, and traces call them by the words of the rule.

mod grammar;
mod hooks;
mod known;
mod translate;

pub use hooks::RuleFunction;
pub(crate) use hooks::{Hooks, is_of_rule, moment_of};
pub use known::{KnownRule, RULES};
pub use translate::Rule;
