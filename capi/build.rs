//! The shared library has a name with a version, and finds a library of Z3 that lies beside it, or where `make install`
//! puts it.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let soname = format!("libhardbop_c.so.{}", variable("CARGO_PKG_VERSION_MAJOR"));
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{soname}");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN:$ORIGIN/hardbop");
        #[cfg(unix)]
        name_in_build(&soname);
    }
}

/// Programs that are linked with the library where Cargo puts it find it there by its own name, too.
#[cfg(unix)]
fn name_in_build(soname: &str) {
    // target/release/build/hardbop-capi-HASH/out
    let out = variable("OUT_DIR");
    let folder =
        Path::new(&out).ancestors().nth(3).expect("OUT_DIR is below the folder of a profile");
    let link = folder.join(soname);
    if std::fs::symlink_metadata(&link).is_err() {
        std::os::unix::fs::symlink("libhardbop_c.so", &link).expect("a link can be made");
    }
}

fn variable(name: &str) -> String {
    env::var(name).expect("Cargo sets it")
}
