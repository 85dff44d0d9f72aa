//! Everything that prints.

pub mod diagnostic;
