//! Finds the libraries of features.
//!
//! `c` loads Z3's at run time.  The folder `Z3_LIBRARY_PATH_OVERRIDE`, else what `vendor/z3/fetch.sh`
//! has brought, is one of the places where it is looked for; the program itself carries a packed one
//! that is there.  `depqbf` links DepQBF's: an installed library comes first (`QDPLL_LIB_DIR`, then
//! the usual folders), then the sources that `vendor/depqbf/fetch.sh` has brought.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "c")]
    z3::remember();
    #[cfg(feature = "depqbf")]
    depqbf::link();
}

#[cfg(feature = "c")]
mod z3 {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Where `vendor/z3/fetch.sh` puts the library, below the package.
    const FETCHED: &str = "vendor/z3/lib";

    /// Nothing is linked: what there is now is remembered for the time when programs run.
    pub fn remember() {
        println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
        println!("cargo:rerun-if-changed={FETCHED}");
        let chosen = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from);
        let fetched = variable("CARGO_MANIFEST_DIR").join(FETCHED);
        let folders = chosen.into_iter().chain([fetched]);
        let folder = folders.filter_map(|f| f.canonicalize().ok()).find(|f| holds(f));
        match &folder {
            // Read by src/solve/smt/z3/library.rs.
            Some(folder) => println!("cargo:rustc-env=HARDBOP_Z3_FOLDER={}", folder.display()),
            None => println!(
                "cargo:warning=Z3's library was not fetched (vendor/z3/fetch.sh): C programs will need an installed one"
            ),
        }
        // A debug build is not passed on, so it carries nothing.
        let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
        let carried = folder.filter(|_| is_release).and_then(|folder| carried(&folder));
        let out = variable("OUT_DIR").join("carried.rs");
        fs::write(out, carried.unwrap_or("None".to_owned())).expect("OUT_DIR can be written to");
    }

    /// What src/main.rs says of the packed library, where `vendor/z3/fetch.sh` has made one.
    fn carried(folder: &Path) -> Option<String> {
        let (packed, library) = (folder.join("packed.gz"), folder.join("libz3.so"));
        let sum = fs::read_to_string(folder.join("packed.sha256")).ok()?;
        let (sum, size) = (sum.trim(), fs::metadata(library).ok()?.len());
        packed.is_file().then(|| format!("Some((include_bytes!({packed:?}), {size}, {sum:?}))"))
    }

    fn variable(name: &str) -> PathBuf {
        PathBuf::from(env::var_os(name).expect("Cargo sets it"))
    }

    fn holds(folder: &Path) -> bool {
        ["libz3.so", "libz3.dylib"].iter().any(|name| folder.join(name).is_file())
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
