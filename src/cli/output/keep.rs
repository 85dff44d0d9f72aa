//! The files that a run through Boolean programs leaves in directories: the programs, and
//! abstractions of blocks for other runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::error::CliError;
use super::file::write;
use hardbop_refine::model::{Cache, Update};

/// The directories where things are kept, if anywhere.
pub(crate) struct Keep {
    programs: Option<PathBuf>,
    cache: Option<PathBuf>,
    /// The first program that could not be written.
    failed: Option<CliError>,
}

impl Keep {
    /// Programs and abstractions go into these directories, which are made.
    ///
    /// # Errors
    /// A directory cannot be made.
    pub fn new(programs: Option<&Path>, cache: Option<&Path>) -> Result<Self, CliError> {
        for directory in [programs, cache].into_iter().flatten() {
            make(directory)?;
        }
        let (programs, cache) = (programs.map(Path::to_owned), cache.map(Path::to_owned));
        Ok(Self { programs, cache, failed: None })
    }

    pub fn cache(&self) -> Option<Rc<dyn Cache>> {
        let directory = self.cache.clone()?;
        Some(Rc::new(Directory(directory)))
    }

    /// Writes the program of a round.
    pub fn round(&mut self, number: u64, text: &str) {
        let Some(directory) = &self.programs else { return };
        let file = directory.join(format!("round-{number:03}.bp"));
        if let Err(e) = write(&file, text.as_bytes()) {
            self.failed.get_or_insert(e);
        }
    }

    /// # Errors
    /// A program could not be written.
    pub fn finish(self) -> Result<(), CliError> {
        self.failed.map_or(Ok(()), Err)
    }
}

/// Makes a directory, if it is not there.
fn make(directory: &Path) -> Result<(), CliError> {
    fs::create_dir_all(directory).map_err(|e| CliError::Write {
        what: directory.display().to_string(),
        reason: e.to_string(),
    })
}

/// A cache as one file per update.
pub(crate) struct Directory(PathBuf);

impl Directory {
    /// # Errors
    /// The directory cannot be made.
    pub fn new(directory: &Path) -> Result<Self, CliError> {
        make(directory)?;
        Ok(Self(directory.to_owned()))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.json"))
    }
}

impl Cache for Directory {
    fn get(&self, key: &str) -> Option<Update> {
        let text = fs::read(self.file(key)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// A file that cannot be written is one that is not there later.
    fn put(&self, key: &str, update: &Update) {
        let written = tempfile::NamedTempFile::new_in(&self.0).ok().and_then(|mut file| {
            serde_json::to_writer(&mut file, update).ok()?;
            file.persist(self.file(key)).ok()
        });
        // Nothing depends on it.
        drop(written);
    }
}
