//! Archives of C programs: their files are read under the names `archive.tar.gz/folder/file.c`.

use std::fs::{File, metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::output::error::CliError;
use crate::cli::output::name;
use hardbop_base::process::Folder;
use hardbop_task::{Archive, ArchiveError, Members, is_program};

/// Puts the C files of archives in the place of the archives, in the order of their names.
///
/// # Errors
/// An archive cannot be read, or has no such files.
pub(crate) fn expand(files: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let mut all = Vec::with_capacity(files.len());
    for file in files.drain(..) {
        let is_archive = match Archive::of(&file) {
            Some(_) => metadata(&file).map_err(|e| CliError::read(&name(&file), &e))?.is_file(),
            None => false,
        };
        if !is_archive {
            all.push(file);
            continue;
        }
        let fail = |reason| CliError::Archive { name: name(&file), reason };
        let members = members(&file).map_err(fail)?;
        let before = all.len();
        all.extend(members.keys().filter(|name| is_program(name)).map(|name| file.join(name)));
        if all.len() == before {
            return Err(fail(ArchiveError::NoProgram));
        }
    }
    *files = all;
    Ok(())
}

/// The content of a file in an archive; none where the path leads into no archive.
///
/// # Errors
/// The archive cannot be read.
pub(crate) fn read(path: &Path) -> Option<Result<Vec<u8>, CliError>> {
    let (archive, inner) = split(path)?;
    let found = members(&archive).map(|all| all.get(&inner).cloned());
    Some(match found {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(CliError::Read {
            name: name(path),
            reason: format!("'{}' has no such file", name(&archive)),
        }),
        Err(reason) => Err(CliError::Archive { name: name(&archive), reason }),
    })
}

/// An archive's files on disk, for a preprocessor that looks for headers.
#[derive(Debug)]
pub(crate) struct Unpacked {
    folder: Folder,
    archive: PathBuf,
    /// The folder of the file that was asked for.
    beside: PathBuf,
}

impl Unpacked {
    /// Unpacks the archive that a path leads into; none where it leads into none.
    ///
    /// # Errors
    /// The archive cannot be read, or its files cannot be written.
    pub fn around(path: &Path) -> Option<Result<Self, CliError>> {
        let (archive, inner) = split(path)?;
        let unpacked = || -> Result<Self, ArchiveError> {
            let folder = Folder::new()?;
            for (name, bytes) in members(&archive)?.iter() {
                let to = folder.path().join(name);
                to.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                std::fs::write(to, bytes)?;
            }
            let beside = folder.path().join(inner);
            let beside = beside.parent().map_or_else(|| folder.path().to_owned(), Path::to_owned);
            Ok(Self { folder, archive: archive.clone(), beside })
        };
        Some(unpacked().map_err(|reason| CliError::Archive { name: name(&archive), reason }))
    }

    /// The folder that the file is in.
    pub fn folder(&self) -> &Path {
        &self.beside
    }

    /// A text with the names that the files have in the archive.
    pub fn renamed(&self, text: &str) -> String {
        text.replace(&*self.folder.path().to_string_lossy(), &self.archive.to_string_lossy())
    }
}

/// The archive that a path leads into, and the name there.
fn split(path: &Path) -> Option<(PathBuf, String)> {
    let archive = path.ancestors().skip(1).find(|p| Archive::of(p).is_some() && p.is_file())?;
    let inner = path.strip_prefix(archive).ok()?.to_str()?.to_owned();
    Some((archive.to_owned(), inner))
}

/// The archive that was read last: its files are asked for one after the other.
static LAST: Mutex<Option<(PathBuf, Arc<Members>)>> = Mutex::new(None);

fn members(archive: &Path) -> Result<Arc<Members>, ArchiveError> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, members)) = last.as_ref().filter(|(path, _)| path == archive) {
        return Ok(Arc::clone(members));
    }
    let kind = Archive::of(archive).unwrap_or(Archive::Tar);
    let members = kind.members(File::open(archive)?)?;
    let members = Arc::new(members);
    *last = Some((archive.to_owned(), Arc::clone(&members)));
    Ok(members)
}
