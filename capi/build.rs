//! The shared library finds Z3's library where hardbop's build found it, without LD_LIBRARY_PATH.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set by the build script of hardbop.
    let Some(folder) = env::var_os("DEP_HARDBOP_Z3_FOLDER") else { return };
    let folder = folder.to_string_lossy();
    // In target/debug or target/release, so that a tree can be moved.
    if folder.ends_with("vendor/z3/lib") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN/../../vendor/z3/lib");
    }
    println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,{folder}");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libhardbop_c.so");
    }
}
