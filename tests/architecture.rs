//! The layers: `docs/architecture.md` says which may import which; this test reads the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each layer with those that it may use, lowest first.
const LAYERS: [(&str, &[&str]); 26] = [
    ("budget", &[]),
    ("random", &[]),
    ("factory", &[]),
    ("process", &[]),
    ("logic", &["budget"]),
    ("sat", &["logic", "budget"]),
    ("qbf", &["sat", "logic", "process", "random", "factory", "budget"]),
    ("bdd", &["budget"]),
    ("source", &[]),
    ("bp", &["source"]),
    ("verdict", &["bp", "source", "logic", "budget"]),
    ("summary", &["verdict", "bp", "bdd", "qbf", "sat", "logic", "random", "budget"]),
    ("generate", &["bp", "random"]),
    ("smt", &["sat", "logic", "random", "factory", "budget"]),
    ("cfa", &["smt", "source", "budget"]),
    ("c", &["cfa", "smt", "source", "random", "budget"]),
    ("task", &["c", "source"]),
    ("predicate", &["smt", "bdd", "budget"]),
    ("cpa", &["predicate", "cfa", "smt", "source", "verdict", "bdd", "budget"]),
    (
        "c2bp",
        &["summary", "cpa", "predicate", "cfa", "smt", "verdict", "bp", "bdd", "source", "budget"],
    ),
    ("verify", &["c2bp", "summary", "cpa", "predicate", "c", "cfa", "smt", "source", "budget"]),
    (
        "report",
        &[
            "c2bp",
            "verify",
            "cpa",
            "predicate",
            "c",
            "cfa",
            "smt",
            "summary",
            "verdict",
            "bp",
            "source",
            "qbf",
            "logic",
            "budget",
        ],
    ),
    (
        "answer",
        &[
            "report",
            "verify",
            "c2bp",
            "cpa",
            "predicate",
            "c",
            "cfa",
            "smt",
            "summary",
            "verdict",
            "bp",
            "source",
            "budget",
        ],
    ),
    (
        "serve",
        &[
            "answer",
            "report",
            "verify",
            "c2bp",
            "cpa",
            "predicate",
            "c",
            "cfa",
            "smt",
            "summary",
            "verdict",
            "bp",
            "source",
            "qbf",
            "logic",
            "budget",
        ],
    ),
    (
        "cli",
        &[
            "c2bp",
            "serve",
            "answer",
            "report",
            "verify",
            "task",
            "cpa",
            "predicate",
            "c",
            "cfa",
            "smt",
            "generate",
            "summary",
            "verdict",
            "bp",
            "source",
            "qbf",
            "sat",
            "logic",
            "process",
            "budget",
        ],
    ),
    ("lib", &[]),
];

/// Files and folders that may use one layer more, each for a reason.
const EXCEPTIONS: [(&str, &str); 4] = [
    // The interpreter executes traces.  Of `verdict` it knows `Trace` and `TraceStep` only: plain
    // data, which in turn know nothing of `bp` but the numbers of procedures and edges.
    ("bp/interpret.rs", "verdict"),
    // The checker of certificates asks solvers; they know nothing of `verdict`.
    ("verdict/solving.rs", "sat"),
    ("verdict/solving.rs", "qbf"),
    ("verdict/check/query.rs", "qbf"),
];

/// Longest file, in lines.
const LINES: usize = 500;

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

/// The layers named after `crate::` outside of comments; the unit tests count as well.
fn used(text: &str) -> BTreeSet<String> {
    let code: String =
        text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut layers = BTreeSet::new();
    for (position, _) in code.match_indices("crate::") {
        let rest = &code[position + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            // Names at the first level of `crate::{a, b::{c, d}}`.
            let mut depth = 0;
            let mut word = String::new();
            for c in group.chars() {
                match c {
                    '}' if depth == 0 => break,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 && (c.is_alphanumeric() || c == '_') {
                    word.push(c);
                } else if depth == 0 && (c == ',' || c == ':') {
                    layers.insert(std::mem::take(&mut word));
                }
            }
            layers.insert(word);
        } else {
            let word: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            layers.insert(word);
        }
    }
    layers.retain(|l| LAYERS.iter().any(|(name, _)| name == l));
    layers
}

#[test]
fn imports_run_downwards() {
    let mut wrong = Vec::new();
    for (file, text) in files() {
        let layer = file.split('/').next().unwrap_or("").trim_end_matches(".rs");
        if layer == "main" || layer == "lib" {
            continue;
        }
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
            wrong.push(format!("{file}: no layer of that name"));
            continue;
        };
        for target in used(&text) {
            let fine = target == layer
                || allowed.contains(&target.as_str())
                || EXCEPTIONS
                    .iter()
                    .any(|&(place, layer)| file.starts_with(place) && layer == target);
            if !fine {
                wrong.push(format!("{file}: '{layer}' must not use '{target}'"));
            }
        }
    }
    assert!(wrong.is_empty(), "see docs/architecture.md\n{}", wrong.join("\n"));
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut wrong = Vec::new();
    let of_capi = files_below("capi/src").into_iter().map(|(f, t)| (format!("capi/{f}"), t));
    for (file, text) in files().into_iter().chain(of_capi) {
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
        // in the midst of a run.
        let stated = ["budget.rs", "main.rs", "process.rs", "process/remains.rs", "qbf/process.rs"];
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

#[test]
fn the_reader_of_imports_reads() {
    let names = |text: &str| used(text).into_iter().collect::<Vec<_>>();
    assert_eq!(names("use crate::{bp::{span, print}, logic};"), ["bp", "logic"]);
    assert_eq!(names("// crate::cli\nlet x = crate::sat::f();"), ["sat"]);
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
