//! A library of Z3 that the program carries, packed: it becomes a file, for only files can be
//! loaded.
//!
//! The file lies in the user's cache, once for all runs, under a name that has its SHA-256.  What
//! is found there is loaded only if it is the user's own: nobody else may have written it.  Where
//! there is no such folder, each run unpacks the library into memory.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use crate::loading::Flaw;

/// A library, as gzip packs it.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    pub packed: &'static [u8],
    /// The size of the library itself, in bytes.
    pub size: u64,
    /// The SHA-256 of the library itself, in hexadecimal digits.
    pub sha256: &'static str,
}

static CARRIED: OnceLock<Carried> = OnceLock::new();

/// The program carries a library.  To be said before Z3 is needed; what is said first stands.
pub fn carry(library: Carried) {
    CARRIED.get_or_init(|| library);
}

pub(super) fn carried() -> Option<&'static Carried> {
    CARRIED.get()
}

/// The folder of this program in the user's cache.
pub(super) fn cache_folder() -> Option<PathBuf> {
    let folder = |variable| env::var_os(variable).map(PathBuf::from).filter(|f| f.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(cache.join("hardbop"))
}

impl Carried {
    /// The result of `load` for the library as a file: in the cache if that is possible.
    pub(super) fn unpacked<T>(
        &self,
        cache: Option<&Path>,
        load: impl Fn(&Path) -> Result<T, Flaw>,
    ) -> Result<T, Flaw> {
        let cached = cache.and_then(|folder| self.cached(folder).ok());
        if let Some(loaded) = cached.and_then(|file| load(&file).ok()) {
            return Ok(loaded);
        }
        // The file is needed only until it has been loaded.
        let (_file, path) = self.passing().map_err(|e| Flaw::Packed(e.to_string()))?;
        load(&path)
    }

    /// The file in the cache, made if it is not there.
    fn cached(&self, folder: &Path) -> io::Result<PathBuf> {
        own_folder(folder)?;
        let file = folder.join(format!("libz3-{}.so", self.sha256));
        let is_whole = |m: fs::Metadata| m.is_file() && m.len() == self.size && is_own(&m);
        if fs::symlink_metadata(&file).is_ok_and(is_whole) {
            return Ok(file);
        }
        // Other runs may do the same: each renames a file that is complete.
        let mut new = tempfile::Builder::new().prefix(".libz3-").tempfile_in(folder)?;
        self.write(new.as_file_mut())?;
        new.as_file().sync_all()?;
        new.persist(&file)?;
        Ok(file)
    }

    /// A file that goes with the process.
    #[cfg(target_os = "linux")]
    fn passing(&self) -> io::Result<(File, PathBuf)> {
        use std::os::fd::AsRawFd;
        let memory = rustix::fs::memfd_create("libz3.so", rustix::fs::MemfdFlags::CLOEXEC)?;
        let mut file = File::from(memory);
        self.write(&mut file)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        Ok((file, path))
    }

    /// A file that is removed once it has been loaded.
    #[cfg(not(target_os = "linux"))]
    fn passing(&self) -> io::Result<(tempfile::NamedTempFile, PathBuf)> {
        let mut file = tempfile::NamedTempFile::new()?;
        self.write(file.as_file_mut())?;
        let path = file.path().to_owned();
        Ok((file, path))
    }

    fn write(&self, file: &mut File) -> io::Result<()> {
        let mut library = Vec::with_capacity(usize::try_from(self.size).unwrap_or(0));
        GzDecoder::new(self.packed).read_to_end(&mut library)?;
        let sum: String = Sha256::digest(&library).iter().map(|b| format!("{b:02x}")).collect();
        if sum != self.sha256 {
            return Err(io::Error::other(format!("its SHA-256 is {sum}, not {}", self.sha256)));
        }
        file.write_all(&library)
    }
}

/// Sees to it that the folder is there, and the user's own.
fn own_folder(folder: &Path) -> io::Result<()> {
    let others = || io::Error::other(format!("'{}' is not only ours", folder.display()));
    if !folder.exists() {
        // Root with the home of another user leaves nothing there that the user could not change.
        let above = folder.ancestors().find(|f| f.exists()).ok_or_else(others)?;
        if !is_mine(&fs::metadata(above)?) {
            return Err(others());
        }
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(folder)?;
    }
    let found = fs::symlink_metadata(folder)?;
    if found.is_dir() && is_own(&found) { Ok(()) } else { Err(others()) }
}

/// Does it belong to the user that the process works for?
#[cfg(unix)]
fn is_mine(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.uid() == rustix::process::geteuid().as_raw()
}

/// Whether it is this user's, and nobody else can write to it.
#[cfg(unix)]
fn is_own(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    is_mine(found) && found.permissions().mode() & 0o022 == 0
}

/// The folders of users are theirs.
#[cfg(not(unix))]
fn is_mine(_: &fs::Metadata) -> bool {
    true
}

#[cfg(not(unix))]
fn is_own(_: &fs::Metadata) -> bool {
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    const TEXT: &[u8] = b"not much of a library, but one can see what becomes of it";

    fn carried() -> Carried {
        let mut packed = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        packed.write_all(TEXT).expect("a vector");
        let packed = packed.finish().expect("a vector").leak();
        let sha256: String = Sha256::digest(TEXT).iter().map(|b| format!("{b:02x}")).collect();
        Carried { packed, size: TEXT.len() as u64, sha256: sha256.leak() }
    }

    /// The place from which the text is loaded.
    fn place(carried: &Carried, cache: Option<&Path>) -> Result<PathBuf, Flaw> {
        carried.unpacked(cache, |file| {
            assert_eq!(fs::read(file).expect("a file"), TEXT);
            Ok(file.to_owned())
        })
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("my own");
    }

    #[test]
    fn it_is_unpacked_once() {
        let home = tempfile::tempdir().expect("a folder");
        let (carried, cache) = (carried(), home.path().join(".cache/hardbop"));
        let file = place(&carried, Some(&cache)).expect("unpacked");
        assert_eq!(file.parent(), Some(&*cache));
        let written = |file: &Path| fs::metadata(file).expect("a file").modified().expect("a time");
        let first = written(&file);
        assert_eq!(place(&carried, Some(&cache)), Ok(file.clone()));
        assert_eq!(written(&file), first);
        let found = fs::metadata(&cache).expect("a folder").permissions().mode();
        assert_eq!(found & 0o777, 0o700);
        assert_eq!(fs::read_dir(&cache).expect("a folder").count(), 1, "nothing else is left");
    }

    #[test]
    fn what_others_may_have_written_is_not_loaded() {
        let home = tempfile::tempdir().expect("a folder");
        let (carried, cache) = (carried(), home.path().join("hardbop"));
        let file = place(&carried, Some(&cache)).expect("unpacked");
        // A file that others may write to, one that is too short, and one that is elsewhere.
        let other = home.path().join("other");
        let forged = vec![b'x'; TEXT.len()];
        fs::write(&other, &forged).expect("written");
        fs::write(&file, &forged).expect("written");
        mode(&file, 0o666);
        assert_eq!(place(&carried, Some(&cache)), Ok(file.clone()));
        fs::write(&file, &forged[1..]).expect("written");
        assert_eq!(place(&carried, Some(&cache)), Ok(file.clone()));
        fs::remove_file(&file).expect("removed");
        symlink(&other, &file).expect("a link");
        assert_eq!(place(&carried, Some(&cache)), Ok(file.clone()));
        assert_eq!(fs::read(&other).expect("a file"), forged, "it is not written through the link");
        // A folder that others may write to, and one that is elsewhere.
        let in_memory = |found: Result<PathBuf, Flaw>| {
            assert!(found.expect("unpacked").starts_with("/proc/self/fd"));
        };
        mode(&cache, 0o777);
        in_memory(place(&carried, Some(&cache)));
        mode(&cache, 0o700);
        let link = home.path().join("link");
        symlink(&cache, &link).expect("a link");
        in_memory(place(&carried, Some(&link)));
        in_memory(place(&carried, None));
    }

    #[test]
    fn a_cache_from_which_nothing_is_loaded_does_not_matter() {
        let home = tempfile::tempdir().expect("a folder");
        let loaded = carried().unpacked(Some(&home.path().join("hardbop")), |file| {
            if file.starts_with(home.path()) {
                return Err(Flaw::Refused("mounted 'noexec'".to_owned()));
            }
            Ok(())
        });
        assert_eq!(loaded, Ok(()));
    }

    #[test]
    fn what_is_broken_is_an_error() {
        let torn = Carried { packed: &carried().packed[..20], ..carried() };
        assert!(matches!(place(&torn, None), Err(Flaw::Packed(_))));
        let other = Carried { sha256: "00", ..carried() };
        assert!(matches!(place(&other, None), Err(Flaw::Packed(_))));
    }
}
