//! The numbered files of `--dump-qbf`, `--dump-smt` and `--proofs`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::CliError;
use super::file::write;

/// The folder to which queries go.
pub(crate) struct Dump {
    directory: PathBuf,
    /// The number of the query.
    number: u64,
    /// The first failure; nothing is written after it.
    failure: Option<CliError>,
    /// Raised at the failure: a run whose files are incomplete is not to go on.
    cancel: Arc<AtomicBool>,
}

impl Dump {
    /// A dump into `directory`, which is created.
    ///
    /// # Errors
    /// That cannot be done.
    pub fn new(directory: &Path, cancel: Arc<AtomicBool>) -> Result<Self, CliError> {
        fs::create_dir_all(directory).map_err(|e| CliError::write(directory, &e))?;
        let directory = directory.to_owned();
        Ok(Self { directory, number: 0, failure: None, cancel })
    }

    /// Comes to the next query: it may have several files.
    pub fn next_query(&mut self) {
        self.number += 1;
    }

    /// Writes a file about the query, whose name ends like that.
    pub fn write(&mut self, extension: &str, text: impl FnOnce() -> io::Result<Vec<u8>>) {
        if self.failure.is_some() {
            return;
        }
        let path = self.directory.join(format!("query-{:06}.{extension}", self.number));
        let text = text().map_err(|e| CliError::write(&path, &e));
        if let Err(e) = text.and_then(|text| write(&path, &text)) {
            self.failure = Some(e);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// The first error, told once.
    pub fn finish(&mut self) -> Result<(), CliError> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

#[cfg(feature = "c")]
impl hardbop_smt::QuerySink for Dump {
    fn query(&mut self, script: &str) {
        self.next_query();
        self.write("smt2", || Ok(script.as_bytes().to_vec()));
    }
}
