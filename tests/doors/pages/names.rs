//! What pages call by its name in the source is there: `refine::tree`, `tests/doors/cli.rs`.

use std::fs;
use std::path::Path;

use super::page::{Page, root};

/// Pages that tell of former times.
pub const HISTORY: [&str; 1] = ["CHANGELOG.md"];

/// A module: its path, and its text.
struct Module(Vec<String>, String);

fn modules_below(folder: &Path, path: &[String], out: &mut Vec<Module>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let file = entry.expect("an entry").path();
        let name = file.file_stem().expect("an entry has a name").to_string_lossy().into_owned();
        if file.is_dir() {
            modules_below(&file, &[path, &[name]].concat(), out);
        } else if file.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&file).expect("a source file is UTF-8");
            let path = if name == "mod" || name == "lib" {
                path.to_vec()
            } else {
                [path, &[name]].concat()
            };
            out.push(Module(path, text));
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word)
}

/// Is it the end of a module's path, or that and names which stand in this module or below?  Or a
/// type and what stands beside it?
fn is_name(parts: &[&str], modules: &[Module]) -> bool {
    if parts[0].starts_with(char::is_uppercase) {
        let defines = |text: &str| {
            let kinds = ["struct", "enum", "trait", "type"];
            kinds.iter().any(|kind| text.contains(&format!("{kind} {}", parts[0])))
        };
        let has_all = |text: &str| parts.iter().all(|part| has_word(text, part));
        return modules.iter().any(|Module(_, text)| defines(text) && has_all(text));
    }
    (1..=parts.len()).any(|n| {
        let (path, items) = parts.split_at(n);
        modules.iter().any(|Module(of, _)| {
            let is_here = of.len() >= n && of[of.len() - n..].iter().eq(path);
            let is_below = |m: &&Module| m.0.starts_with(of);
            let has = |item: &&str| {
                modules.iter().filter(is_below).any(|Module(_, text)| has_word(text, item))
            };
            is_here && items.iter().all(has)
        })
    })
}

/// The names of a page that lead nowhere.
fn unknown(page: &Page, modules: &[Module]) -> Vec<String> {
    let path = |c: char| c.is_alphanumeric() || "_:".contains(c);
    let file = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let top = [
        "src/",
        "crates/",
        "tests/",
        "docs/",
        "examples/",
        "capi/",
        "grammars/",
        "vendor/",
        "fuzz/",
    ];
    let mut unknown = vec![];
    for (line, text) in page.code() {
        let text = text.trim_end_matches("()").trim_start_matches("hardbop::");
        // `f::x` is a variable of C.
        let is_there = if text.get(1..3) == Some("::") {
            true
        } else if text.contains("::") && text.chars().all(path) {
            is_name(&text.split("::").collect::<Vec<_>>(), modules)
        } else if top.iter().any(|t| text.starts_with(t)) && text.chars().all(file) {
            root().join(text).exists()
        } else {
            true
        };
        if !is_there {
            unknown.push(format!("{}:{line}: there is no '{text}'", page.name));
        }
    }
    unknown
}

fn modules() -> Vec<Module> {
    let mut modules = vec![];
    for folder in ["src", "capi/src"] {
        modules_below(&root().join(folder), &[], &mut modules);
    }
    for entry in std::fs::read_dir(root().join("crates")).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        modules_below(&entry.path().join("src"), &[name], &mut modules);
    }
    modules
}

#[test]
fn names_are_those_of_the_source() {
    let modules = modules();
    let pages = Page::all();
    let current = pages.iter().filter(|p| !HISTORY.contains(&p.name.as_str()));
    let unknown: Vec<_> = current.flat_map(|p| unknown(p, &modules)).collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn a_name_that_is_not_there_is_found() {
    let text = "`base::budget`, `budget::Budget::check`, `budget::Nothing`, `nowhere::at_all` or\n\
                `src/main.rs`, `src/nowhere.rs`, `--option`";
    let expected = [
        "page.md:1: there is no 'budget::Nothing'",
        "page.md:1: there is no 'nowhere::at_all'",
        "page.md:2: there is no 'src/nowhere.rs'",
    ];
    assert_eq!(unknown(&Page::new("page.md", text), &modules()), expected);
}
