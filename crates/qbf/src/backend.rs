//! The choice of a 2QBF solver at run time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(feature = "depqbf")]
use super::depqbf::DepQbf;
use super::embedded::Embedded;
use super::limits::Limits;
use super::process::Process;
use super::solver::QbfSolver;
use hardbop_base::process::{CommandLine, CommandLineError};
use hardbop_logic::factory::Factory;
use hardbop_logic::sat;

/// A choice of 2QBF solver.  As text: `embedded`, `depqbf`, or `cmd:` and a command line.  A solver provided by the
/// user of the library is written as `own:` and its name, which cannot be read back.
///
/// ```
/// use hardbop_qbf::Backend;
///
/// assert_eq!(Backend::default(), Backend::Embedded);
/// let caqe: Backend = "cmd:caqe {}".parse()?; // {} is the file of the query, in QDIMACS
/// assert_eq!(caqe.to_string(), "cmd:caqe {}");
/// assert!("quabs".parse::<Backend>().is_err());
/// # Ok::<(), hardbop_qbf::BackendError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Backend {
    /// hardbop's own solver.
    #[default]
    Embedded,
    /// DepQBF's library; only with the cargo feature `depqbf`, because of its licence.
    #[cfg(feature = "depqbf")]
    DepQbf,
    /// Any program that reads QDIMACS.
    Process(CommandLine),
    /// A solver that the user of the library provides.
    ///
    /// It must be right when it answers "valid": SAFE relies on that, unless the invariant is checked
    /// (`hardbop_bp::proof::check`, which uses other solvers).  UNSAFE does not: every trace is found by SAT on the
    /// program itself, and `hardbop_bp::language::interpret::replay` executes it.
    Own(Factory<Box<dyn QbfSolver>>),
}

/// Why a text is not a [`Backend`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BackendError {
    #[error("no such solver (known: embedded, depqbf, cmd:<command line>)")]
    Unknown,
    #[error("hardbop was built without the feature 'depqbf'; 'cmd:depqbf {{}}' runs the program")]
    NotBuilt,
    #[error("a solver provided through the library cannot be selected by name")]
    Own,
    #[error("after 'cmd:': {0}")]
    Command(#[from] CommandLineError),
}

impl Backend {
    /// A solver independent of the embedded one, if one is built in; otherwise the embedded one.
    pub fn foreign() -> Self {
        #[cfg(feature = "depqbf")]
        return Self::DepQbf;
        #[cfg(not(feature = "depqbf"))]
        Self::Embedded
    }

    /// Makes a solver.  `seed`, the SAT solver and the limits only concern the embedded one.
    pub fn solver(&self, seed: u64, sat: sat::Backend, limits: Limits) -> Box<dyn QbfSolver> {
        match self {
            Self::Embedded => Box::new(Embedded::new(seed).with_sat(sat).with_limits(limits)),
            #[cfg(feature = "depqbf")]
            Self::DepQbf => Box::new(DepQbf::new()),
            Self::Process(command) => Box::new(Process::new(command.clone())),
            Self::Own(factory) => factory.make(),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded => f.write_str("embedded"),
            #[cfg(feature = "depqbf")]
            Self::DepQbf => f.write_str("depqbf"),
            Self::Process(command) => write!(f, "cmd:{command}"),
            Self::Own(factory) => write!(f, "own:{}", factory.name()),
        }
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(text: &str) -> Result<Self, BackendError> {
        match text {
            "embedded" => Ok(Self::Embedded),
            #[cfg(feature = "depqbf")]
            "depqbf" => Ok(Self::DepQbf),
            #[cfg(not(feature = "depqbf"))]
            "depqbf" => Err(BackendError::NotBuilt),
            _ if text.starts_with("own:") => Err(BackendError::Own),
            _ => match text.strip_prefix("cmd:") {
                Some(command) => Ok(Self::Process(command.parse()?)),
                None => Err(BackendError::Unknown),
            },
        }
    }
}

impl TryFrom<String> for Backend {
    type Error = BackendError;

    fn try_from(text: String) -> Result<Self, BackendError> {
        text.parse()
    }
}

impl From<Backend> for String {
    fn from(backend: Backend) -> Self {
        backend.to_string()
    }
}
