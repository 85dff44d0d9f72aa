//! The folder with benchmarks and tools outside the repository.

use std::path::PathBuf;

/// The folder, if it is there.
pub fn shared() -> Option<PathBuf> {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    let folder = std::env::var_os("HARDBOP_SHARED").map_or_else(default, PathBuf::from);
    folder.is_dir().then_some(folder)
}
