//! What users are told about malformed programs.
//!
//! One file per mistake in `tests/malformed`: `p*` are refused by the parser, `r*` by the resolver.
//! Snapshots of the messages are in `tests/snapshots`; review them with `cargo insta review`, or
//! write them with `INSTA_UPDATE=always cargo test --test malformed`.

use std::path::{Path, PathBuf};

use hardbop_base::source::Diagnostic;
use hardbop_base::source::Source;
use hardbop_bp::language::parser::{Dialect, MAX_DIAGNOSTICS, parse};
use hardbop_bp::language::resolve::{ResolveOptions, has_threads, resolve, resolve_threads};
use hardbop_report::diagnostic::render;

/// All that is wrong with a program.
fn diagnostics(source: &Source) -> Vec<Diagnostic> {
    let resolved = parse(&source.text, Dialect::default()).and_then(|tree| {
        let options = ResolveOptions::default();
        if has_threads(&tree, &options) {
            resolve_threads(source.clone(), &tree, &options).map(drop)
        } else {
            resolve(source.clone(), &tree, &options).map(drop)
        }
    });
    resolved.err().unwrap_or_default()
}

/// The files whose names begin with `prefix`, sorted.
fn files(prefix: &str) -> Vec<(PathBuf, Source)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/malformed");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|f| f.file_name().unwrap().to_str().unwrap().starts_with(prefix));
    files.sort();
    let source = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        (path, Source::new(name, text))
    };
    files.into_iter().map(source).collect()
}

/// Compares the messages about a file with its snapshot.
fn check(path: &Path, source: &Source) {
    let found = diagnostics(source);
    assert!(!found.is_empty(), "{}", path.display());
    assert!(found.is_sorted_by_key(|d| d.span.start), "{}", path.display());
    assert!(found.len() <= MAX_DIAGNOSTICS + 1);
    // Of very many, the first and the last few.
    let shown =
        if found.len() > 20 { [&found[..2], &found[found.len() - 2..]].concat() } else { found };
    let name = path.file_stem().unwrap().to_str().unwrap();
    let text = render(source, &shown, false);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn refused_by_the_parser() {
    let files = files("p");
    assert!(files.len() >= 28, "{}", files.len());
    for (path, source) in files {
        assert!(parse(&source.text, Dialect::default()).is_err(), "{}", path.display());
        check(&path, &source);
    }
}

#[test]
fn refused_by_the_resolver() {
    let files = files("r");
    assert!(files.len() >= 12, "{}", files.len());
    for (path, source) in files {
        assert!(parse(&source.text, Dialect::default()).is_ok(), "{}", path.display());
        check(&path, &source);
    }
}
