//! The package as others get it: the Rust version that it asks for, what its library shows, and
//! where its program finds Z3.

#[cfg(target_os = "linux")]
mod wheel;
#[cfg(target_os = "linux")]
mod z3;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex_lite::Regex;
use serde_json::Value;

/// `1.91` and `1.91.0` as numbers.
fn version(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text.split('.').map(|n| n.parse().expect("a number")).collect();
    numbers.resize(3, 0);
    numbers
}

/// Cargo refuses an older compiler where a dependency asks for a newer one than we do; so ours has
/// to be the newest.
#[test]
fn no_dependency_asks_for_a_newer_rust() {
    // What only other systems need may not have been downloaded.
    let system = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", &system])
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

const FACADE: &str = include_str!("../../src/lib.rs");

/// What the library shows: the module of the sources where it comes from, and its name there.
fn shown() -> Vec<(String, &'static str)> {
    let mut all = vec![];
    for statement in FACADE.split(';').filter(|s| s.contains("pub use ")) {
        let (_, paths) = statement.split_once("pub use ").expect("it has one");
        let paths = paths.trim_start_matches("crate::");
        let (module, names) = match paths.split_once("::{") {
            Some((module, names)) => (module, names.trim_end_matches('}')),
            None => paths.rsplit_once("::").expect("a module"),
        };
        let names = names.split(',').filter_map(|n| n.split_whitespace().next());
        let path = module.replace("::", "/").replacen("hardbop_", "crates/", 1);
        let path = match path.strip_prefix("crates/").map(|p| p.split_once('/').unwrap_or((p, "")))
        {
            Some((name, within)) => format!("crates/{name}/src/{within}"),
            None => format!("src/{path}"),
        };
        all.extend(names.map(|name| (path.trim_end_matches('/').to_owned(), name)));
    }
    all
}

/// The source texts of a module: its file, and all below its folder.
fn texts(module: &Path) -> Vec<String> {
    let file = std::fs::read_to_string(module.with_extension("rs"));
    let below = std::fs::read_dir(module).into_iter().flatten();
    let below = below.map(|e| e.expect("an entry").path());
    let below = below.filter(|p| p.extension().is_none_or(|e| e == "rs"));
    let below: BTreeSet<PathBuf> = below.map(|p| p.with_extension("")).collect();
    file.into_iter().chain(below.iter().flat_map(|path| texts(path))).collect()
}

/// Each name of the library has an example, which `cargo test --doc` runs; what may grow says so.
#[test]
fn each_name_of_the_library_has_an_example() {
    // There are no further verdicts, answers of solvers or data models; terms are taken apart in
    // each crate that works on them.
    const CLOSED: [&str; 9] = [
        "Verdict",
        "SmtAnswer",
        "Validity",
        "DataModel",
        "BitOp",
        "Comparison",
        "Sort",
        "Unknown",
        "Value",
    ];
    let mut wrong = vec![];
    for (module, name) in shown() {
        let all = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join(&module));
        let head =
            format!(r"\n\n((?:(?:///|#\[|\)\]|    ).*\n)*)pub (struct|enum|trait|fn) {name}\b");
        let head = Regex::new(&head).expect("a regular expression");
        let found: Vec<_> = all.iter().flat_map(|text| head.captures_iter(text)).collect();
        let [found] = &found[..] else {
            wrong.push(format!("{module}: {name} is in {} places", found.len()));
            continue;
        };
        if !found[1].contains("/// ```\n") {
            wrong.push(format!("{module}: {name} has no example"));
        }
        let grows = &found[2] == "enum" && !CLOSED.contains(&name);
        if grows && !found[1].contains("non_exhaustive") {
            wrong.push(format!("{module}: {name} is not #[non_exhaustive]"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The library shows the names of a facade, no modules of its own.
#[test]
fn the_library_is_a_facade() {
    let names = shown().len();
    assert!((30..=90).contains(&names), "{names} names");
    assert!(!FACADE.lines().any(|l| l.starts_with("pub mod ") && l.ends_with(';')));
}
