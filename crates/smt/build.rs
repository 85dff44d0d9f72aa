//! Remembers where Z3's library is, which is loaded at run time: the folder `Z3_LIBRARY_PATH_OVERRIDE`, else what
//! `vendor/z3/fetch.sh` has brought, is one of the places where it is looked for.

use std::env;
use std::path::{Path, PathBuf};

/// Where `vendor/z3/fetch.sh` puts the library, from this package.
const FETCHED: &str = "../../vendor/z3/lib";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    println!("cargo:rerun-if-changed={FETCHED}");
    let chosen = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from);
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let folders = chosen.into_iter().chain([package.join(FETCHED)]);
    match folders.filter_map(|f| f.canonicalize().ok()).find(|f| holds(f)) {
        Some(folder) => {
            // Read by src/z3/library.rs.
            println!("cargo:rustc-env=HARDBOP_Z3_FOLDER={}", folder.display());
            // Read by the build script of the program, which may carry the library.
            println!("cargo:folder={}", folder.display());
        }
        None => println!(
            "cargo:warning=Z3's library was not fetched (vendor/z3/fetch.sh): C programs will need an installed one"
        ),
    }
}

fn holds(folder: &Path) -> bool {
    ["libz3.so", "libz3.dylib"].iter().any(|name| folder.join(name).is_file())
}
