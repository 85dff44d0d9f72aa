//! The output of a run: text on the standard streams, files, and the exit code.  It also ends runs
//! that do not end by themselves.
//!
//! Nothing here knows a command.

pub(crate) mod dump;
pub(crate) mod error;
pub(crate) mod exit;
mod file;
pub(crate) mod format;
pub(crate) mod guard;
pub(crate) mod interrupt;
#[cfg(feature = "c")]
pub(crate) mod keep;
mod message;
pub(crate) mod mistakes;
pub(crate) mod progress;
mod stream;
pub(crate) mod usage;

pub(crate) use file::{Atomic, json, print, write};
pub(crate) use message::{clear_line, colored, complain, report};
pub(crate) use stream::{is_stream, name};
