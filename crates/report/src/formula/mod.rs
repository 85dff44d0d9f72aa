//! Formulas in the language of the program: what is proved, and what is tracked.

pub mod boolean;
#[cfg(feature = "c")]
pub mod c;
#[cfg(feature = "c")]
mod names;
