//! The definitions of the command line, and their translation to the options of the library.
//!
//! The definitions are the only place where an option is declared: help texts, the tables of
//! docs/cli.md and the manual page are made from them.  Values are those of the library's own
//! types.  Nothing here knows a command.

pub(crate) mod boolean;
#[cfg(feature = "c")]
pub(crate) mod c;
#[cfg(feature = "campaign")]
pub(crate) mod campaign;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod command;
pub(crate) mod compare;
pub(crate) mod formula;
pub(crate) mod generate;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod output;
pub(crate) mod serve;
pub(crate) mod solver;
pub(crate) mod suits;
pub(crate) mod translate;
