//! The layers: `docs/architecture.md` says which may import which; this test reads the sources.

mod imports;
mod picture;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up, each with the floors that it uses: no more and no fewer.
const FLOORS: [(&str, &[&str]); 11] = [
    ("base", &[]),
    ("solve", &["base"]),
    ("boolean", &["base", "solve"]),
    ("program", &["base", "solve"]),
    ("refine", &["base", "solve", "boolean", "program"]),
    ("verify", &["base", "solve", "boolean", "program", "refine"]),
    ("present", &["base", "solve", "boolean", "program", "refine", "verify"]),
    ("session", &["base", "solve", "boolean", "program", "refine", "verify", "present"]),
    ("serve", &["base", "solve", "boolean", "program", "refine", "verify", "present", "session"]),
    ("campaign", &["base", "present"]),
    (
        "cli",
        &[
            "base", "solve", "boolean", "program", "refine", "verify", "present", "session",
            "serve", "campaign",
        ],
    ),
];

/// The rooms of a floor, each of which uses only those before it.
const ROOMS: [(&str, &[&str]); 6] = [
    ("base", &["budget", "random", "process", "source", "limits", "rejected", "verdict"]),
    ("solve", &["factory", "logic", "sat", "qbf", "bdd", "smt"]),
    ("boolean", &["language", "proof", "engine", "export", "generate"]),
    ("program", &["cfa", "c", "task"]),
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
    ("cli", &["output", "arguments", "input", "commands"]),
];

/// Longest file, in lines.
const LINES: usize = 500;

/// Most files directly in one folder.
const FILES: usize = 15;

/// Most files of one folder that import each other, directly or by way of others of the folder.
const CIRCLE: usize = 3;

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

/// All files below src, as (path below src, text), in order.
fn files() -> Vec<(String, String)> {
    files_below("src")
}

/// The same for another folder.
fn files_below(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
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

/// The paths named after `crate::` outside of comments, to two names; the unit tests count as well.
fn used(text: &str) -> BTreeSet<(String, String)> {
    let paths = imports::paths(&imports::without_comments(text));
    let own = paths.into_iter().filter(|p| p[0] == "crate");
    own.map(|p| (p[1].clone(), p.get(2).cloned().unwrap_or_default())).collect()
}

#[test]
fn imports_run_downwards() {
    let mut wrong = Vec::new();
    let mut found: BTreeSet<(String, String)> = BTreeSet::new();
    for (file, text) in files() {
        let mut place = file.trim_end_matches(".rs").split('/');
        let (floor, room) = (place.next().unwrap_or(""), place.next().unwrap_or(""));
        if floor == "main" || floor == "lib" {
            continue;
        }
        let Some((_, allowed)) = FLOORS.iter().find(|(name, _)| *name == floor) else {
            wrong.push(format!("{file}: no floor of that name"));
            continue;
        };
        let rooms = ROOMS.iter().find(|(name, _)| *name == floor).map_or(&[][..], |r| r.1);
        let at = |name: &str| rooms.iter().position(|r| *r == name);
        for (target, within) in used(&text) {
            if target == floor {
                let upwards = match (at(room), at(&within)) {
                    (Some(here), Some(there)) => there > here,
                    _ => false,
                };
                if upwards {
                    wrong.push(format!("{file}: '{floor}::{room}' must not use '{within}'"));
                }
            } else if allowed.contains(&target.as_str()) {
                found.insert((floor.to_owned(), target));
            } else if FLOORS.iter().any(|(name, _)| *name == target) {
                wrong.push(format!("{file}: '{floor}' must not use '{target}'"));
            }
        }
    }
    for (floor, allowed) in FLOORS {
        for target in allowed {
            if !found.contains(&(floor.to_owned(), (*target).to_owned())) {
                wrong.push(format!("'{floor}' does not use '{target}': take it off the table"));
            }
        }
    }
    assert!(wrong.is_empty(), "see docs/architecture.md\n{}", wrong.join("\n"));
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut wrong = Vec::new();
    let of = |member: &str| {
        let files = files_below(&format!("{member}/src")).into_iter();
        files.map(|(f, t)| (format!("{member}/{f}"), t)).collect::<Vec<_>>()
    };
    for (file, text) in files().into_iter().chain(of("capi")).chain(of("python")) {
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
    for (file, text) in files() {
        // Resident sets are read from /proc; a solver that is a program gets its query as a file,
        // in the midst of a run; Z3's library is a file that is looked for, and may have to be made.
        let stated = [
            "base/budget.rs",
            "main.rs",
            "base/process.rs",
            "base/process/remains.rs",
            "solve/qbf/process.rs",
            "solve/smt/z3/library.rs",
            "solve/smt/z3/carried.rs",
        ];
        if file.starts_with("cli/") || stated.contains(&file.as_str()) {
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

/// The crates: the program, the libraries for C and Python, and each binary of tests with its helpers.
fn crates() -> Vec<String> {
    let tests =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).expect("a folder");
    let folders = tests.map(|e| e.expect("an entry").path()).filter(|p| p.is_dir());
    let name = |p: PathBuf| p.file_name().expect("a name").to_string_lossy().into_owned();
    let mut crates: Vec<String> = folders.map(|p| format!("tests/{}", name(p))).collect();
    crates.extend(["src", "capi/src", "python/src"].map(str::to_owned));
    crates.sort();
    crates
}

#[test]
fn folders_are_small_and_without_circles() {
    let mut wrong = Vec::new();
    for of_crate in crates() {
        let files = files_below(&of_crate);
        let imports = imports::Imports::new(&files);
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

/// In the crate for C, one file reads what C hands over; the other ones only give their functions names.
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
