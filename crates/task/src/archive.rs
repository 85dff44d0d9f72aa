//! Archives of C programs: which of their files are read.
//!
//! The contents of an archive are not trusted: names must stay inside of it, and there are limits
//! to how large it may become.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;
use thiserror::Error;

/// Bytes that an archive may have once it is unpacked.
const MOST_BYTES: u64 = 256 << 20;
/// Files and folders that an archive may have.
const MOST_MEMBERS: usize = 20_000;

/// Why an archive is not read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArchiveError {
    #[error("{0}")]
    Unreadable(String),
    #[error("its file '{0}' would be outside of it")]
    Outside(String),
    #[error("it is larger than {} MiB, once unpacked", MOST_BYTES >> 20)]
    TooLarge,
    #[error("it has more than {MOST_MEMBERS} files")]
    TooMany,
    #[error("its file '{0}' is a link, which is not followed")]
    Link(String),
    #[error("it has two files '{0}'")]
    Twice(String),
    #[error("it has no file of C (.c, .i)")]
    NoProgram,
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// Files by their names in the archive.
pub type Members = BTreeMap<String, Vec<u8>>;

/// The format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archive {
    Tar,
    TarGz,
    Zip,
}

impl Archive {
    /// The format of a file with this name, if it is an archive by its name.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let ends = |with: &str| name.ends_with(with);
        match () {
            () if ends(".tar") => Some(Self::Tar),
            () if ends(".tar.gz") || ends(".tgz") => Some(Self::TarGz),
            () if ends(".zip") => Some(Self::Zip),
            () => None,
        }
    }

    /// The files of C in it, and those that they may include.
    ///
    /// # Errors
    /// It is no such archive, or one that is refused.
    pub fn members(self, from: impl Read + Seek) -> Result<Members, ArchiveError> {
        match self {
            Self::Tar => of_tar(from),
            Self::TarGz => of_tar(GzDecoder::new(from)),
            Self::Zip => of_zip(from),
        }
    }
}

/// Is it a file of C, or one that such a file may include?
fn counts(name: &str) -> bool {
    let end = name.rsplit(['/', '.']).next().unwrap_or_default();
    is_program(name) || matches!(end, "h" | "H" | "inc" | "def")
}

/// Is a file with this name one of C?
#[must_use]
pub fn is_program(name: &str) -> bool {
    name.ends_with(".c") || name.ends_with(".C") || name.ends_with(".i")
}

/// The members of an archive that have been read so far.
#[derive(Default)]
struct Reading {
    members: Members,
    seen: usize,
    bytes: u64,
}

impl Reading {
    /// Comes to the next file or folder: its name, if it counts.
    fn next(
        &mut self,
        name: &str,
        is_file: bool,
        is_link: bool,
    ) -> Result<Option<String>, ArchiveError> {
        self.seen += 1;
        if self.seen > MOST_MEMBERS {
            return Err(ArchiveError::TooMany);
        }
        let mut plain = PathBuf::new();
        for part in Path::new(name).components() {
            match part {
                Component::Normal(part) => plain.push(part),
                Component::CurDir => {}
                _ => return Err(ArchiveError::Outside(name.to_owned())),
            }
        }
        let plain = plain.to_string_lossy().into_owned();
        // Archives of other systems; and names that would be several files on disk.
        if name.contains(['\\', '\0', '\n', '\r']) {
            return Err(ArchiveError::Outside(name.escape_default().to_string()));
        }
        match counts(&plain) {
            true if is_link => Err(ArchiveError::Link(plain)),
            true if is_file && self.members.contains_key(&plain) => Err(ArchiveError::Twice(plain)),
            true if is_file => Ok(Some(plain)),
            _ => Ok(None),
        }
    }

    fn keep(&mut self, name: String, from: impl Read) -> Result<(), ArchiveError> {
        let mut content = Vec::new();
        from.take(MOST_BYTES - self.bytes + 1).read_to_end(&mut content)?;
        self.bytes += content.len() as u64;
        if self.bytes > MOST_BYTES {
            return Err(ArchiveError::TooLarge);
        }
        self.members.insert(name, content);
        Ok(())
    }
}

fn of_tar(from: impl Read) -> Result<Members, ArchiveError> {
    let mut reading = Reading::default();
    // What is skipped is unpacked as well.
    let mut limited = from.take(MOST_BYTES + 1);
    let mut archive = tar::Archive::new(&mut limited);
    let mut read = || -> Result<(), ArchiveError> {
        for entry in archive.entries()? {
            let entry = entry?;
            let kind = entry.header().entry_type();
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let is_link = kind.is_symlink() || kind.is_hard_link();
            if let Some(name) = reading.next(&name, kind.is_file(), is_link)? {
                reading.keep(name, entry)?;
            }
        }
        Ok(())
    };
    let result = read();
    match result {
        _ if limited.limit() == 0 => Err(ArchiveError::TooLarge),
        Ok(()) => Ok(reading.members),
        Err(error) => Err(error),
    }
}

fn of_zip(from: impl Read + Seek) -> Result<Members, ArchiveError> {
    let unreadable = |e: zip::result::ZipError| ArchiveError::Unreadable(e.to_string());
    let mut archive = zip::ZipArchive::new(from).map_err(unreadable)?;
    let mut reading = Reading::default();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(unreadable)?;
        let name = entry.name().map_err(unreadable)?.into_owned();
        if let Some(name) = reading.next(&name, entry.is_file(), entry.is_symlink())? {
            reading.keep(name, entry)?;
        }
    }
    Ok(reading.members)
}
