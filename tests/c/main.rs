//! C: the front end against gcc, memory, lowering, verdicts.

#[cfg(feature = "c")]
mod accesses;
#[cfg(feature = "c")]
mod check;
mod compilers;
#[cfg(feature = "c")]
mod execute;
#[cfg(feature = "c")]
mod harness;
#[cfg(feature = "c")]
mod kinds;
#[cfg(feature = "c")]
mod library;
#[cfg(feature = "c")]
mod lifetime;
#[cfg(feature = "c")]
mod lower;
#[cfg(feature = "c")]
mod malformed;
#[cfg(feature = "c")]
mod overflow;
#[cfg(feature = "c")]
mod parse;
#[cfg(feature = "c")]
mod points_to;
#[cfg(feature = "c")]
mod programs;
#[cfg(feature = "c")]
mod said;
#[cfg(feature = "c")]
mod standard;
#[cfg(feature = "c")]
mod tasks;
#[cfg(feature = "c")]
mod threads;

#[path = "../support/mod.rs"]
mod support;
