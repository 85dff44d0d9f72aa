//! Sources of the inputs of an execution.

mod evolution;
mod random;
mod source;
mod traced;

pub use evolution::Evolution;
pub use random::Randomly;
pub use source::{Oracle, Script, Zero};
pub use traced::Traced;
