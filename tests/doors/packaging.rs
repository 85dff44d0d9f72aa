//! The package as others get it: the Rust version that it asks for, and what its library shows.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// `1.91` and `1.91.0` as numbers.
fn version(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text.split('.').map(|n| n.parse().expect("a number")).collect();
    numbers.resize(3, 0);
    numbers
}

/// Cargo refuses an older compiler where a dependency asks for a newer one than we do; so ours has to be the newest.
#[test]
fn no_dependency_asks_for_a_newer_rust() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let asked = |p: &Value| p["rust_version"].as_str().map(version);
    let own = packages.iter().find(|p| p["name"] == "hardbop").and_then(asked).expect("a version");
    let newer: Vec<&Value> =
        packages.iter().filter(|p| asked(p).is_some_and(|v| v > own)).map(|p| &p["name"]).collect();
    assert!(newer.is_empty(), "Cargo.toml says {own:?}, but these ask for a newer one: {newer:?}");
    for page in ["README.md", "docs/install.md"] {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page));
        let words = format!("Rust ({}.{} or later)", own[0], own[1]);
        assert!(text.expect("a page").contains(&words), "{page} does not say: {words}");
    }
}

/// The names that the library shows are those of a facade; layers come with the feature `internals` only.
#[test]
fn the_library_is_a_facade() {
    let text = include_str!("../../src/lib.rs");
    let mut names = 0;
    for statement in text.split(';').filter(|s| s.contains("pub use ")) {
        let (_, paths) = statement.split_once("pub use ").expect("it has one");
        names += paths
            .split(['{', ',', '}'])
            .skip(usize::from(paths.contains('{')))
            .filter(|n| !n.trim().is_empty())
            .count();
    }
    assert!((30..=80).contains(&names), "{names} names");
    let mut before = "";
    for line in text.lines() {
        if line.starts_with("pub mod ") && line.ends_with(';') {
            assert!(before.contains("feature = \"internals\""), "{line} is shown to all");
        }
        before = line;
    }
}
