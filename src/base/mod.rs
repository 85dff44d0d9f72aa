//! What every layer may use: limits of a run, random numbers, other programs' processes, source texts.
//!
//! Knows nothing of the rest of hardbop.

pub mod budget;
pub mod process;
pub mod random;
pub mod source;
