//! Evidence that its check rejects, which is a mistake in hardbop: what rests on it is dropped, and
//! the run goes on without.

use std::sync::OnceLock;

use thiserror::Error;

/// The variable of the environment that makes rejected evidence end a run: `1` where a mistake is
/// to be noticed, as in hardbop's own tests.
pub const STRICT: &str = "HARDBOP_STRICT";

/// A proof, or an execution, that its check rejects.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}: {why}")]
pub struct Rejected {
    /// The claim that the evidence should have shown.
    pub what: String,
    /// The reason for which the check rejects the evidence.
    pub why: String,
}

impl Rejected {
    /// Evidence that should have shown `what`, which it does not, since `why`.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into() }
    }

    /// The warning that the user gets beside the answer.
    #[must_use]
    pub fn warning(&self) -> String {
        format!(
            "{self}; the run went on without this. It is a bug in hardbop {}: please report it",
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// Does rejected evidence end the run?  Asked of the environment, once for a process.
#[must_use]
pub fn is_strict() -> bool {
    static IS_STRICT: OnceLock<bool> = OnceLock::new();
    *IS_STRICT.get_or_init(|| std::env::var_os(STRICT).is_some_and(|value| value == "1"))
}
