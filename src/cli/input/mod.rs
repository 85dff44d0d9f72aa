//! The inputs of a run: programs in both languages, tasks and property files, predicates.
//!
//! Nothing here knows a command.

#[cfg(feature = "c")]
pub(crate) mod archive;
pub(crate) mod boolean;
#[cfg(feature = "c")]
pub(crate) mod c;
#[cfg(feature = "c")]
pub(crate) mod database;
pub(crate) mod expected;
pub(crate) mod host;
#[cfg(feature = "c")]
pub(crate) mod learned;
#[cfg(feature = "c")]
pub(crate) mod predicates;
#[cfg(feature = "c")]
mod preprocess;
#[cfg(feature = "c")]
pub(crate) mod programs;
pub(crate) mod strategy;
#[cfg(feature = "c")]
pub(crate) mod task;
mod text;
#[cfg(feature = "c")]
pub(crate) mod witness;

pub(crate) use text::{listed, listing, mistakes, parsed, read, read_bytes, read_bytes_up_to};
