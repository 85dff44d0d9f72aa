//! Writing to the standard streams, which somebody may have closed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::args::Color;
use super::error::CliError;

/// Writes to standard output.  A reader who has left (`hardbop .. | head`) is no error.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::Write { what: "to standard output".to_owned(), reason: e.to_string() })
        }
        _ => Ok(()),
    }
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
            atomic.temporary().map_err(|e| CliError::write(path, &e))?;
        }
        Ok(atomic)
    }

    pub fn write(&self, bytes: &[u8]) -> Result<(), CliError> {
        let done = if self.is_special() {
            File::options().write(true).open(self.path).and_then(|mut f| f.write_all(bytes))
        } else {
            self.temporary().and_then(|mut file| {
                file.write_all(bytes)?;
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
    fn temporary(&self) -> io::Result<NamedTempFile> {
        let parent = self.path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".hardbop-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The user's mask applies, as to any other file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(parent.unwrap_or(Path::new(".")))
    }
}

/// Writes a message and a line end to standard error.
pub(crate) fn complain(text: &str) {
    // Where standard error is gone nobody is left to be told.
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// Should messages on standard error be coloured?
pub(crate) fn colored(choice: Color) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
            io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
        }
    }
}
