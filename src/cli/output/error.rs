//! Errors of the command line.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::exit::Exit;
use super::message::complain;
use super::mistakes::Mistakes;
use hardbop_base::limits::LimitError;
use hardbop_bp::engine::EngineError;
use hardbop_bp::proof::certificate::CertificateError;
use hardbop_lab::generate::GenerateError;
use hardbop_session::nothing::NothingToCheck;
#[cfg(feature = "c")]
use hardbop_smt::{LoadError, SmtError};
#[cfg(feature = "c")]
use hardbop_task::ArchiveError;
#[cfg(feature = "c")]
use hardbop_verify::VerifyError;

/// Why a command ends without its result.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    #[error("error: cannot read '{name}': {reason}")]
    Read { name: String, reason: String },
    /// The preprocessor's own words.
    #[cfg(feature = "c")]
    #[error("{said}\nerror: cannot preprocess '{name}': '{program} -E' fails")]
    Preprocess { name: String, program: String, said: String },
    #[cfg(feature = "c")]
    #[error("error: cannot read the archive '{name}': {reason}")]
    Archive { name: String, reason: ArchiveError },
    #[error("error: cannot write {what}: {reason}")]
    Write { what: String, reason: String },
    /// Mistakes in the input text.
    #[error("{0}")]
    Diagnostics(Mistakes),
    /// A mistake in a formula, and its place.
    #[error("error: {name}:{line}: {reason}")]
    Formula { name: String, line: usize, reason: String },
    #[error("error: {name}: {reason}")]
    Certificate { name: String, reason: CertificateError },
    #[error("error: {0}")]
    Usage(String),
    #[error("error: {0}")]
    Nothing(#[from] NothingToCheck),
    /// A known peer is not installed.
    #[error("error: the peer '{peer}' needs the program {program}, which is not there; {origin}")]
    NoPeer { peer: &'static str, program: String, origin: &'static str },
    /// Z3 is needed, and cannot be loaded.
    #[cfg(feature = "c")]
    #[error("error: {0}")]
    Library(#[from] LoadError),
    #[error("error: {0}")]
    Limit(#[from] LimitError),
    #[error("error: {0}")]
    Generate(#[from] GenerateError),
    #[error("{0}\nThis is a bug in hardbop {version}. Please report it, with the program and the command line.", version = env!("CARGO_PKG_VERSION"))]
    Engine(#[from] EngineError),
    #[error("{0}\nThis is a bug in hardbop {version}. Please report it, with the program and the command line.", version = env!("CARGO_PKG_VERSION"))]
    Internal(String),
}

impl CliError {
    /// A failure to read the file of that name.
    pub fn read(name: &str, error: &io::Error) -> Self {
        Self::Read { name: name.to_owned(), reason: reason(error) }
    }

    /// A failure to write the file.
    pub fn write(path: &Path, error: &io::Error) -> Self {
        Self::Write { what: format!("'{}'", path.display()), reason: reason(error) }
    }

    /// Tells the user, and how to exit.
    pub fn tell(&self) -> Exit {
        complain(&self.to_string());
        match self {
            Self::Engine(_) | Self::Internal(_) | Self::Generate(GenerateError::Ill(_)) => {
                Exit::Internal
            }
            _ => Exit::BadInput,
        }
    }
}

#[cfg(feature = "c")]
impl From<VerifyError> for CliError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Solver(SmtError::Library(e)) => Self::Library(e),
            other => Self::Internal(other.to_string()),
        }
    }
}

/// The system's words without its error number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
