//! The house: `docs/architecture.md` says which crate is for what; this test reads manifests and
//! sources.  That crates do not use each other in circles is Cargo's business.

mod imports;
mod picture;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates below `crates`, from the ground up, with the rooms in them whose order counts: each
/// room uses only those before it.
const CRATES: [(&str, &[&str]); 13] = [
    ("base", &["budget", "random", "process", "source", "limits", "rejected", "verdict"]),
    ("logic", &["factory", "aig", "sat", "bdd"]),
    ("qbf", &[]),
    ("smt", &[]),
    ("bp", &["language", "proof", "engine", "threads", "export"]),
    ("cfa", &[]),
    ("c", &[]),
    ("task", &[]),
    (
        "refine",
        &[
            "limits",
            "interpolate",
            "predicate",
            "block",
            "proof",
            "values",
            "affine",
            "select",
            "cegar",
            "tree",
            "model",
        ],
    ),
    ("verify", &[]),
    ("report", &[]),
    ("session", &[]),
    ("lab", &["generate", "compare", "results", "campaign"]),
];

/// The rooms of the package at the root.
const ROOMS: [&str; 5] = ["serve", "cli::output", "cli::arguments", "cli::input", "cli::commands"];

/// Longest file, in lines.
const LINES: usize = 500;

/// Most files directly in one folder.
const FILES: usize = 15;

/// Most files of one folder that import each other, directly or by way of others of the folder.
const CIRCLE: usize = 3;

/// Files of several folders that import each other, where they are more than that: the largest
/// circle of a unit.  None may grow, none is to be added.
const CIRCLES: [(&str, usize); 5] = [
    ("crates/bp/src", 11),
    ("crates/c/src", 19),
    ("crates/lab/src", 11),
    ("crates/refine/src", 10),
    ("crates/smt/src", 10),
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src is a folder") {
        let path = entry.expect("an entry of src").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// All files below a folder, as (path below it, text), in order.
fn files_below(folder: &str) -> Vec<(String, String)> {
    let root = root().join(folder);
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|p| {
            let text = fs::read_to_string(&p).expect("a source file is UTF-8");
            let name = p.strip_prefix(&root).expect("below src").to_string_lossy().into_owned();
            (name, text)
        })
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The crates that another one uses, by its manifest.
fn uses(name: &str) -> Vec<String> {
    let manifest = root().join("crates").join(name).join("Cargo.toml");
    let text = fs::read_to_string(manifest).expect("a crate has a manifest");
    let (_, rest) = text.split_once("[dependencies]").expect("a crate has dependencies");
    let own = rest.split("\n[").next().unwrap_or("").lines();
    let own = own.filter_map(|l| l.strip_prefix("hardbop-"));
    own.filter_map(|l| l.split(['.', ' ']).next()).map(str::to_owned).collect()
}

#[test]
fn crates_use_what_their_manifests_name() {
    let mut wrong = Vec::new();
    let folders = fs::read_dir(root().join("crates")).expect("a folder");
    let found: BTreeSet<String> =
        folders.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    let listed: BTreeSet<String> = CRATES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, listed, "the table is about all crates");
    for (position, (name, _)) in CRATES.iter().enumerate() {
        let all: String =
            files_below(&format!("crates/{name}/src")).into_iter().map(|f| f.1).collect();
        for target in uses(name) {
            if !CRATES[..position].iter().any(|(below, _)| *below == target) {
                wrong.push(format!("'{name}' is not above '{target}' in the table"));
            }
            let name = format!("hardbop_{target}");
            let is_end = |c: char| !c.is_alphanumeric() && c != '_';
            if !all.match_indices(&name).any(|(at, _)| all[at + name.len()..].starts_with(is_end)) {
                wrong.push(format!("'{name}' does not use '{target}': take it off its manifest"));
            }
        }
    }
    assert!(wrong.is_empty(), "see docs/architecture.md\n{}", wrong.join("\n"));
}

#[test]
fn rooms_use_those_before_them() {
    let mut wrong = Vec::new();
    let root_rooms = ROOMS.map(|room| room.replace("::", "/"));
    let of_crates = CRATES.iter().map(|(name, rooms)| {
        let rooms = rooms.iter().map(|&r| r.to_owned()).collect::<Vec<_>>();
        (format!("crates/{name}/src"), rooms)
    });
    for (folder, rooms) in of_crates.chain([("src".to_owned(), root_rooms.to_vec())]) {
        let files = files_below(&folder);
        let imports = imports::Imports::new(&files);
        let at = |file: &str| {
            let within = |room: &String| {
                file.strip_prefix(room.as_str()).is_some_and(|rest| rest.starts_with(['/', '.']))
            };
            rooms.iter().position(within)
        };
        for (file, targets) in &imports.of {
            for target in targets {
                if let (Some(here), Some(there)) = (at(file), at(target))
                    && there > here
                {
                    wrong.push(format!("{folder}/{file} must not use {target}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "see docs/architecture.md\n{}", wrong.join("\n"));
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut wrong = Vec::new();
    for (file, text) in packages().iter().flat_map(|folder| named(folder)) {
        let lines = text.lines().count();
        if lines > LINES {
            wrong.push(format!("{file}: {lines} lines, more than {LINES}"));
        }
        if !text.starts_with("//!") {
            wrong.push(format!("{file}: does not begin with a module comment"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_does_input_and_output() {
    let mut wrong = Vec::new();
    for (file, text) in packages().iter().flat_map(|folder| named(folder)) {
        // Resident sets are read from /proc; a solver that is a program gets its query as a file,
        // in the midst of a run; Z3's library is a file that is looked for, and may have to be
        // made.
        let stated = [
            "crates/base/src/budget.rs",
            "src/main.rs",
            "crates/base/src/process.rs",
            "crates/base/src/process/remains.rs",
            "crates/qbf/src/process.rs",
            "crates/smt/src/z3/library.rs",
            "crates/smt/src/z3/carried.rs",
        ];
        let is_door = ["src/cli/", "capi/", "python/"].iter().any(|door| file.starts_with(door));
        if is_door || stated.contains(&file.as_str()) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for word in ["println!", "eprintln!", "std::fs", "File::", "stdout()", "stderr()"] {
            if code.lines().any(|l| l.split("//").next().unwrap_or("").contains(word)) {
                wrong.push(format!("{file}: {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "only `cli` does I/O\n{}", wrong.join("\n"));
}

/// The sources of all packages.
fn packages() -> Vec<String> {
    let crates = CRATES.iter().map(|(name, _)| format!("crates/{name}/src"));
    crates.chain(["src", "capi/src", "python/src"].map(str::to_owned)).collect()
}

/// The files below a folder, with their paths from the root.
fn named(folder: &str) -> Vec<(String, String)> {
    files_below(folder).into_iter().map(|(f, t)| (format!("{folder}/{f}"), t)).collect()
}

/// The units that the compiler sees: the packages, and each binary of tests with its helpers.
fn units() -> Vec<String> {
    let tests = fs::read_dir(root().join("tests")).expect("a folder");
    let folders = tests.map(|e| e.expect("an entry").path()).filter(|p| p.is_dir());
    let name = |p: PathBuf| p.file_name().expect("a name").to_string_lossy().into_owned();
    let mut units: Vec<String> = folders.map(|p| format!("tests/{}", name(p))).collect();
    units.extend(packages());
    units.sort();
    units
}

#[test]
fn folders_are_small_and_without_circles() {
    let mut wrong = Vec::new();
    for of_crate in units() {
        let files = files_below(&of_crate);
        let imports = imports::Imports::new(&files);
        let all: Vec<String> = files.iter().map(|(file, _)| file.clone()).collect();
        let largest = imports.circles(&all).iter().map(Vec::len).max().unwrap_or(0);
        let known = CIRCLES.iter().find(|(unit, _)| *unit == of_crate).map(|(_, n)| *n);
        if known.map_or(largest > CIRCLE, |known| known != largest) {
            let known = known.unwrap_or(CIRCLE);
            wrong.push(format!("{of_crate}: {largest} files import each other, not {known}"));
        }
        let mut folders: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (file, _) in &files {
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            folders.entry(folder).or_default().push(file.clone());
        }
        for (folder, files) in folders {
            let place = format!("{of_crate}/{folder}");
            if files.len() > FILES {
                wrong.push(format!("{place}: {} files, more than {FILES}", files.len()));
            }
            for circle in imports.circles(&files) {
                let names: Vec<&str> = circle.iter().filter_map(|f| f.rsplit('/').next()).collect();
                if circle.len() > CIRCLE {
                    wrong.push(format!("{place}: {} import each other", names.join(", ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// In the crate for C, one file reads what C hands over; the other ones only give their functions
/// names.
#[test]
fn the_border_to_c_is_one_file() {
    for (file, text) in files_below("capi/src") {
        let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
        let is_unsafe = |l: &&str| l.contains("unsafe ") || l.contains("unsafe_code");
        let lines: Vec<&str> = code.filter(is_unsafe).collect();
        assert!(file == "border.rs" || lines.is_empty(), "{file}: {lines:?}");
        let explained = text.matches("// SAFETY:").count();
        assert_eq!(explained, lines.len(), "{file}: each 'unsafe' has its reason");
    }
}
