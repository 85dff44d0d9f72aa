//! With the feature `depqbf`, links DepQBF's library: an installed one comes first (`QDPLL_LIB_DIR`, then the usual
//! folders), then the sources that `vendor/depqbf/fetch.sh` has brought.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "depqbf")]
    depqbf::link();
}

#[cfg(feature = "depqbf")]
mod depqbf {
    use std::env;
    use std::path::{Path, PathBuf};

    /// The sources, from this package.
    const SOURCES: &str = "../../vendor/depqbf/depqbf-version-5.01";
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
