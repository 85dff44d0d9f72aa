//! Findings from run to run: fingerprints that tell them apart, what an earlier run had, how many are new, and those of several
//! answers as one list.

mod baseline;
mod counts;
mod fingerprint;
mod merged;

pub use baseline::{Baseline, BaselineError};
pub use fingerprint::{Line, set_fingerprints};
pub use merged::{merged, read_property};
