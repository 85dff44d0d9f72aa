//! Z3's library is looked for and loaded when it is first needed, once for the process.
//!
//! docs/install.md says where it is looked for; [`Search::run`] is that list.
#![allow(unsafe_code)]

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use super::carried;
use super::ffi::Api;
use crate::SmtError;
use crate::loading::{Attempt, Flaw, LoadError};

/// The library's file, or the folder with it; nothing else is tried then.
const VARIABLE: &str = "HARDBOP_Z3";

/// The folder that build.rs has found.
const OF_BUILD: Option<&str> = option_env!("HARDBOP_Z3_FOLDER");

/// Names of the library, the first of which stands for all in messages.
const NAMES: &[&str] = if cfg!(target_vendor = "apple") {
    &["libz3.dylib"]
} else if cfg!(windows) {
    &["libz3.dll"]
} else {
    &["libz3.so", "libz3.so.4"]
};

/// Z3's functions.
pub(super) fn api() -> Result<&'static Api, SmtError> {
    static LOADED: OnceLock<Result<Api, LoadError>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        let mut search = Search::default();
        let found = search.run(env::var_os(VARIABLE).filter(|v| !v.is_empty()).as_deref());
        found.ok_or(LoadError { attempts: search.attempts })
    });
    loaded.as_ref().map_err(|e| SmtError::Library(e.clone()))
}

/// The places that have been tried in vain.
#[derive(Debug, Default)]
struct Search {
    attempts: Vec<Attempt>,
}

impl Search {
    fn run(&mut self, chosen: Option<&OsStr>) -> Option<Api> {
        if let Some(chosen) = chosen {
            // Without a folder the system would look for a file of that name elsewhere.
            let chosen = std::path::absolute(chosen).unwrap_or_else(|_| chosen.into());
            return if chosen.is_dir() { self.folder(&chosen) } else { self.file(&chosen) };
        }
        let program = env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let above = beside.and_then(Path::parent).map(|f| f.join("lib"));
        let installed = beside.map(Path::to_owned).into_iter();
        let installed = installed.chain(above.iter().flat_map(|f| [f.join("hardbop"), f.clone()]));
        for folder in installed {
            if let found @ Some(_) = self.folder(&folder) {
                return found;
            }
        }
        if let found @ Some(_) = self.carried() {
            return found;
        }
        if let found @ Some(_) = OF_BUILD.and_then(|folder| self.folder(Path::new(folder))) {
            return found;
        }
        NAMES.iter().find_map(|name| self.open(name.as_ref(), format!("the system's {name}")))
    }

    /// The first library in a folder that can be used.
    fn folder(&mut self, folder: &Path) -> Option<Api> {
        let files = libraries(folder);
        if files.is_empty() {
            self.failed(folder.join(NAMES[0]).display().to_string(), Flaw::Absent);
        }
        files.iter().find_map(|file| self.file(file))
    }

    fn file(&mut self, file: &Path) -> Option<Api> {
        let place = file.display().to_string();
        if file.exists() {
            self.open(file.as_os_str(), place)
        } else {
            self.failed(place, Flaw::Absent)
        }
    }

    /// The library that the program brings along.
    fn carried(&mut self) -> Option<Api> {
        let carried = carried::carried()?;
        let cache = carried::cache_folder();
        match carried.unpacked(cache.as_deref(), |file| open(file.as_os_str())) {
            Ok(api) => Some(api),
            Err(flaw) => self.failed("the library in the program".to_owned(), flaw),
        }
    }

    fn open(&mut self, name: &OsStr, place: String) -> Option<Api> {
        match open(name) {
            Ok(api) => Some(api),
            Err(flaw) => self.failed(place, flaw),
        }
    }

    fn failed(&mut self, place: String, flaw: Flaw) -> Option<Api> {
        self.attempts.push(Attempt { place, flaw });
        None
    }
}

/// The files of a folder that are Z3's library by their name, the usual names first.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let is_one = |n: &String| {
        let usual = NAMES[0];
        n == usual || n.strip_prefix(usual).is_some_and(|version| version.starts_with('.'))
    };
    let mut names: Vec<String> = names.filter(is_one).collect();
    names.sort_unstable();
    names.into_iter().map(|name| folder.join(name)).collect()
}

fn open(name: &OsStr) -> Result<Api, Flaw> {
    // SAFETY: what runs when the library is loaded is Z3's own initialisation: the file has its
    // name, and lies where the user, the system or whoever has built this program has put it.
    let library = unsafe { Library::new(name) }.map_err(|e| Flaw::Refused(e.to_string()))?;
    Api::of(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempts(chosen: &Path) -> Vec<Attempt> {
        let mut search = Search::default();
        assert!(search.run(Some(chosen.as_os_str())).is_none());
        search.attempts
    }

    #[test]
    fn a_chosen_place_is_the_only_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(NAMES[0]);
        let place = file.display().to_string();
        let absent = vec![Attempt { place: place.clone(), flaw: Flaw::Absent }];
        assert_eq!(attempts(folder.path()), absent);
        assert_eq!(attempts(&file), absent);
        fs::write(&file, "no library").expect("written");
        for chosen in [folder.path(), &file] {
            let tried = attempts(chosen);
            let [Attempt { place: tried, flaw: Flaw::Refused(_) }] = &tried[..] else {
                panic!("{tried:?}");
            };
            assert_eq!(*tried, place);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn another_library_lacks_functions() {
        let mut search = Search::default();
        assert!(search.open("libc.so.6".as_ref(), "here".to_owned()).is_none());
        let flaw = Flaw::Incomplete("Z3_get_version");
        assert_eq!(search.attempts, [Attempt { place: "here".to_owned(), flaw }]);
    }
}
