//! What every layer may use: limits of a run and of engines, random numbers, other programs' processes, source texts,
//! and what an answer is.
//!
//! Knows nothing of the rest of hardbop.

pub mod budget;
pub mod limits;
pub mod process;
pub mod random;
pub mod rejected;
pub mod source;
pub mod verdict;
