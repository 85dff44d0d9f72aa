//! Finds the libraries of features.
//!
//! `c` needs Z3's: `Z3_LIBRARY_PATH_OVERRIDE`, then what `vendor/z3/fetch.sh` has brought, then the
//! usual folders.  `depqbf` needs DepQBF's: an installed library comes first (`QDPLL_LIB_DIR`, then
//! the usual folders), then the sources that `vendor/depqbf/fetch.sh` has brought.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "c")]
    z3::link();
    #[cfg(feature = "depqbf")]
    depqbf::link();
}

#[cfg(feature = "c")]
mod z3 {
    use std::env;
    use std::path::{Path, PathBuf};

    /// Where `vendor/z3/fetch.sh` puts the library, below the package.
    const FETCHED: &str = "vendor/z3/lib";

    pub fn link() {
        println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
        println!("cargo:rerun-if-changed={FETCHED}");
        let Some(folder) = find() else {
            eprintln!(
                "C programs need Z3's library. Run vendor/z3/fetch.sh, or install it (Debian: \
                 apt-get install libz3-dev), or set Z3_LIBRARY_PATH_OVERRIDE to its folder, or \
                 build with --no-default-features for Boolean programs alone."
            );
            std::process::exit(1);
        };
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=dylib=z3");
        // For dependents, as DEP_HARDBOP_Z3_FOLDER.
        println!("cargo:z3_folder={}", folder.display());
        // Programs find the library without LD_LIBRARY_PATH: relative to themselves, in
        // target/release and target/release/deps, so that a tree can be moved, and where it is now.
        if folder.ends_with(FETCHED) {
            for up in ["../..", "../../.."] {
                println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/{up}/{FETCHED}");
            }
        }
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }

    /// The folder with the library.
    fn find() -> Option<PathBuf> {
        let holds = |f: &PathBuf| {
            ["libz3.so", "libz3.dylib", "libz3.a"].iter().any(|name| f.join(name).is_file())
        };
        let chosen = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from);
        let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        let fetched = Path::new(&package).join(FETCHED);
        let architecture = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
        let usual = ["/usr/local/lib", "/usr/lib", &format!("/usr/lib/{architecture}-linux-gnu")]
            .map(PathBuf::from);
        let native = env::var("HOST").ok() == env::var("TARGET").ok();
        let usual = usual.into_iter().filter(|_| native);
        chosen.into_iter().chain([fetched]).chain(usual).find(holds)
    }
}

#[cfg(feature = "depqbf")]
mod depqbf {
    use std::env;
    use std::path::{Path, PathBuf};

    /// The sources, below the package.
    const SOURCES: &str = "vendor/depqbf/depqbf-version-5.01";
    const FILES: [&str; 4] = ["qdpll.c", "qdpll_mem.c", "qdpll_pqueue.c", "qdpll_dep_man_qdag.c"];

    pub fn link() {
        println!("cargo:rerun-if-env-changed=QDPLL_LIB_DIR");
        println!("cargo:rerun-if-changed={SOURCES}");
        let sources = Path::new(SOURCES);
        if let Some((folder, kind)) = installed() {
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:rustc-link-lib={kind}=qdpll");
        } else if sources.join(FILES[0]).is_file() {
            cc::Build::new()
                .files(FILES.map(|f| sources.join(f)))
                .define("NDEBUG", None)
                .opt_level(3)
                .warnings(false)
                .compile("qdpll");
        } else {
            eprintln!(
                "The feature 'depqbf' needs DepQBF's library. Install it (Debian: apt-get install \
                 depqbf), set QDPLL_LIB_DIR to its folder, or run vendor/depqbf/fetch.sh."
            );
            std::process::exit(1);
        }
    }

    /// The folder of an installed library, and how to link it.
    fn installed() -> Option<(PathBuf, &'static str)> {
        let chosen = env::var_os("QDPLL_LIB_DIR").map(PathBuf::from);
        if chosen.as_deref().is_some_and(|f| f.as_os_str().is_empty()) {
            // Set to nothing: build from the sources.
            return None;
        }
        let architecture = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
        let usual = ["/usr/local/lib", "/usr/lib", &format!("/usr/lib/{architecture}-linux-gnu")]
            .map(PathBuf::from);
        let native = env::var("HOST").ok() == env::var("TARGET").ok();
        let folders = chosen.into_iter().chain(usual.into_iter().filter(|_| native));
        for folder in folders {
            for (file, kind) in [("libqdpll.so", "dylib"), ("libqdpll.a", "static")] {
                if folder.join(file).is_file() {
                    return Some((folder, kind));
                }
            }
        }
        None
    }
}
