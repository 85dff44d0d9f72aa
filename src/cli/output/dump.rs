//! The numbered files of `--dump-qbf` and `--dump-smt`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::CliError;
use super::file::write;

/// Where queries go.
pub(crate) struct Dump {
    directory: PathBuf,
    /// How the names end.
    extension: &'static str,
    number: u64,
    /// The first failure; nothing is written after it.
    failure: Option<CliError>,
    /// Raised at the failure: a run whose files are incomplete is not to go on.
    cancel: Arc<AtomicBool>,
}

impl Dump {
    /// Into `directory`, which is created.
    pub fn new(
        directory: &Path,
        extension: &'static str,
        cancel: Arc<AtomicBool>,
    ) -> Result<Self, CliError> {
        fs::create_dir_all(directory).map_err(|e| CliError::write(directory, &e))?;
        let directory = directory.to_owned();
        Ok(Self { directory, extension, number: 0, failure: None, cancel })
    }

    /// Writes the next file.
    pub fn write(&mut self, text: impl FnOnce() -> io::Result<Vec<u8>>) {
        if self.failure.is_some() {
            return;
        }
        self.number += 1;
        let path = self.directory.join(format!("query-{:06}.{}", self.number, self.extension));
        let text = text().map_err(|e| CliError::write(&path, &e));
        if let Err(e) = text.and_then(|text| write(&path, &text)) {
            self.failure = Some(e);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// What went wrong, told once.
    pub fn finish(&mut self) -> Result<(), CliError> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

#[cfg(feature = "c")]
impl crate::solve::smt::QuerySink for Dump {
    fn query(&mut self, script: &str) {
        self.write(|| Ok(script.as_bytes().to_vec()));
    }
}
