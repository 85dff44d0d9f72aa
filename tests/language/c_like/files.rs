//! The files of CUBA: which of them are read, and what is said about the others.

use std::collections::BTreeMap;

use hardbop_base::source::Source;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::resolve::{ResolveOptions, has_threads, resolve_threads};

/// Files that are read; whether they have an assertion or an error label.
const READ: [(&str, bool); 6] = [
    ("converge-l", false),
    ("converge-s", false),
    ("mutex", true),
    ("proc-1.v-cd66f6fb", true),
    ("sync-wait", false),
    ("test", false),
];

/// Files with a mistake, and the first thing that is said about it.
const MISTAKES: [(&str, &str); 13] = [
    ("Bluetooth1", "25: undeclared variable 'pending_IO'"),
    ("Bluetooth1.v-19c62400", "25: undeclared variable 'pending_IO'"),
    ("Bluetooth1.v-735794e4", "25: undeclared variable 'pending_IO'"),
    ("Bluetooth2", "27: undeclared variable 'pending_IO'"),
    ("converge-l.v-42c172d2", "30: undeclared variable 'x'"),
    ("dekker", "13: 'init thread1' is not supported"),
    ("diverge-11.v-53a12f72", "4: 'unlock' needs a mutex, and 'x' is none"),
    ("diverge-11.v-bbdacb5a", "4: 'unlock' needs a mutex, and 'x' is none"),
    ("diverge-12", "4: 'unlock' needs a mutex, and 'x' is none"),
    ("diverge-l", "5: 'atmoic' is no statement"),
    ("kgc", "8: arithmetic, but the text does not say how wide an 'int' is"),
    ("test.v-043b12f0", "22: 'do_something' is no statement"),
    ("test3", "5: 'release_lock' is no statement"),
];

#[test]
fn files_of_cuba() {
    let folder =
        crate::support::shared().map(|shared| shared.join("benchmarks/threads/lpzun-cuba"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        eprintln!("skipped: no folder with programs of CUBA (set HARDBOP_SHARED)");
        return;
    };
    let mut known: BTreeMap<&str, Result<bool, &str>> = BTreeMap::new();
    known.extend(READ.map(|(name, states_error)| (name, Ok(states_error))));
    known.extend(MISTAKES.map(|(name, said)| (name, Err(said))));
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().expect("a name").to_str().expect("of letters");
        let text = std::fs::read_to_string(&path).expect("a text");
        let source = Source::new(name, text.as_str());
        let options = ResolveOptions::default();
        let read = parse(&text, Dialect::default()).and_then(|tree| {
            assert!(has_threads(&tree, &options), "{name}");
            resolve_threads(source.clone(), &tree, &options)
        });
        let said = read.map(|found| found.program.states_error).map_err(|found| {
            let first = found.first().expect("a mistake");
            format!("{}: {}", source.line_column(first.span.start).0, first.message)
        });
        let said = said.as_ref().map(|states| *states).map_err(String::as_str);
        assert_eq!(Some(&said), known.get(name), "{name}");
        seen += 1;
    }
    assert_eq!(seen, known.len());
}
