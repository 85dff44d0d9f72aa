//! Why there is no library of Z3.

use std::fmt::Write;

use thiserror::Error;

/// Z3's library, which is loaded when it is first needed, cannot be: where it was looked for, and
/// what is wrong there.
///
/// ```
/// use hardbop_smt::{SmtError, SolverKind};
///
/// match SolverKind::Z3.solver() {
///     Ok(_) => {}
///     Err(SmtError::Library(missing)) => {
///         for attempt in &missing.attempts {
///             eprintln!("{}: {}", attempt.place, attempt.flaw);
///         }
///     }
///     Err(other) => panic!("{other}"),
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Z3 is needed, and its library cannot be loaded{}\n{ADVICE}", listed(.attempts))]
#[non_exhaustive]
pub struct LoadError {
    /// The attempts in the order in which they were made.
    pub attempts: Vec<Attempt>,
}

/// An attempt to load Z3's library.
///
/// ```
/// use hardbop_smt::loading::{Attempt, Flaw};
///
/// let shown = |a: &Attempt| format!("{}: {}", a.place, a.flaw);
/// # let _ = |a: &Attempt| assert!(a.flaw != Flaw::Absent || shown(a).ends_with("not there"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// A file, a name that the system knows, or words for what the program carries.
    pub place: String,
    pub flaw: Flaw,
}

/// Why a library is of no use.
///
/// ```
/// use hardbop_smt::loading::Flaw;
///
/// assert_eq!(Flaw::Absent.to_string(), "not there");
/// let old = Flaw::Old { found: (4, 8, 7), needed: (4, 8, 12) };
/// assert_eq!(old.to_string(), "version 4.8.7, older than 4.8.12");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Flaw {
    #[error("not there")]
    Absent,
    /// The system does not load it, for the reason in its own words.
    #[error("{0}")]
    Refused(String),
    /// A function is missing.
    #[error("has no function '{0}'")]
    Incomplete(&'static str),
    #[error("version {}, older than {}", dotted(.found), dotted(.needed))]
    Old { found: (u32, u32, u32), needed: (u32, u32, u32) },
    /// The library that the program carries cannot be made a file.
    #[error("cannot be unpacked: {0}")]
    Packed(String),
}

const ADVICE: &str = "install Z3 4.8.12 or later (Debian: libz3-4), or let the environment variable HARDBOP_Z3 name its \
                      library or the folder of it";

fn listed(attempts: &[Attempt]) -> String {
    attempts.iter().fold(String::new(), |mut text, attempt| {
        let _ = write!(text, "\n  {}: {}", attempt.place, attempt.flaw);
        text
    })
}

fn dotted(&(major, minor, build): &(u32, u32, u32)) -> String {
    format!("{major}.{minor}.{build}")
}
