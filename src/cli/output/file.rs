//! Writes results to standard output, which may have been closed, and to files.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::CliError;
use super::stream::is_stream;
use hardbop_base::process::remains::{Listed, Thing, listed};
use hardbop_report::document::pretty;

/// Writes to standard output.  A reader who has left (`hardbop .. | head`) is no error.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    print_bytes(text.as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::Write { what: "to standard output".to_owned(), reason: e.to_string() })
        }
        _ => Ok(()),
    }
}

/// A result as JSON text.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, CliError> {
    pretty(value)
        .map_err(|e| CliError::Write { what: "the result as JSON".into(), reason: e.to_string() })
}

/// Writes a file, all at once, or to standard output where the path is `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    if is_stream(path) {
        return print_bytes(bytes);
    }
    Atomic { path }.write(bytes)
}

/// A file that is written all at once: under a temporary name beside it, which is then changed.
/// Where something that is no file has the name (a pipe, a device), it is written to directly.
#[derive(Debug)]
pub(crate) struct Atomic<'p> {
    path: &'p Path,
}

impl<'p> Atomic<'p> {
    /// Finds out at once whether the file can be made, not after a long run.
    pub fn new(path: &'p Path) -> Result<Self, CliError> {
        let atomic = Self { path };
        if fs::metadata(path).is_ok_and(|m| m.is_dir()) {
            return Err(CliError::write(path, &ErrorKind::IsADirectory.into()));
        }
        if !atomic.is_special() {
            let (_file, _listed) = atomic.temporary().map_err(|e| CliError::write(path, &e))?;
        }
        Ok(atomic)
    }

    /// Prepares a file that must not be standard output, nor one of those that are read.
    pub fn apart(path: &'p Path, read: &[PathBuf]) -> Result<Self, CliError> {
        let name = path.display();
        if is_stream(path) {
            return Err(CliError::Usage("'-' is standard output; a file is needed".to_owned()));
        }
        let same = |other: &PathBuf| match (path.canonicalize(), other.canonicalize()) {
            (Ok(path), Ok(other)) => path == other,
            _ => false,
        };
        if read.iter().any(same) {
            let why = format!("'{name}' is read, and would be overwritten; give another name");
            return Err(CliError::Usage(why));
        }
        Self::new(path)
    }

    pub fn write(&self, bytes: &[u8]) -> Result<(), CliError> {
        let done = if self.is_special() {
            File::options().write(true).open(self.path).and_then(|mut f| f.write_all(bytes))
        } else {
            self.temporary().and_then(|(mut file, _listed)| {
                file.write_all(bytes)?;
                // A disk that is full says so here at the latest.
                file.as_file().sync_all()?;
                file.persist(self.path).map_err(|e| e.error)?;
                Ok(())
            })
        };
        done.map_err(|e| CliError::write(self.path, &e))
    }

    fn is_special(&self) -> bool {
        fs::metadata(self.path).is_ok_and(|m| !m.is_file())
    }

    /// Vanishes if it is not persisted.
    fn temporary(&self) -> io::Result<(NamedTempFile, Listed)> {
        let parent = self.path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".hardbop-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The user's mask applies, as to any other file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        listed(|| {
            let file = builder.tempfile_in(parent.unwrap_or(Path::new(".")))?;
            let thing = Thing::File(file.path().to_owned());
            Ok((file, thing))
        })
    }
}
