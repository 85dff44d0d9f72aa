//! Packs Z3's library into the program, where `vendor/z3/fetch.sh` has brought it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "c")]
    z3::pack();
}

#[cfg(feature = "c")]
mod z3 {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    pub fn pack() {
        // From the build script of hardbop-smt.
        let folder = env::var_os("DEP_HARDBOP_Z3_FOLDER").map(PathBuf::from);
        if let Some(folder) = &folder {
            println!("cargo:rerun-if-changed={}", folder.display());
        }
        // A debug build is not passed on, so it carries nothing.
        let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
        let carried = folder.filter(|_| is_release).and_then(|folder| carried(&folder));
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("carried.rs");
        fs::write(out, carried.unwrap_or("None".to_owned())).expect("OUT_DIR can be written to");
    }

    /// What src/main.rs says of the packed library, where `vendor/z3/fetch.sh` has made one.
    fn carried(folder: &Path) -> Option<String> {
        let (packed, library) = (folder.join("packed.gz"), folder.join("libz3.so"));
        let sum = fs::read_to_string(folder.join("packed.sha256")).ok()?;
        let (sum, size) = (sum.trim(), fs::metadata(library).ok()?.len());
        packed.is_file().then(|| format!("Some((include_bytes!({packed:?}), {size}, {sum:?}))"))
    }
}
