//! Programs of several files: a program that is linked is executed as the same text alone.
//! `tests/doors/cli/projects.rs` has what linking itself does.

use std::fs;
use std::path::Path;

use hardbop_base::source::Source;
use hardbop_c::execute::Recording;
use hardbop_c::flow::Flow;
use hardbop_c::types::DataModel;
use hardbop_c::{Files, ParseOptions, needs_preprocessor, on_large_stack};

use crate::support::c::{execute, flow, generated, words};

/// A file that has names and structs of many programs, all of its own.
const OTHER: &str = "struct s { char tag; long value; }; typedef struct s T; enum { N = 3, A, B };
static int x = 7, y, g0, g1, a[3] = { 1, 2, 3 }; static T s;
static int f(int n) { static int count; return n + count++ + x + y + g0 + g1 + a[0]; }
static int g(void) { return f(N) + s.tag; }
int not_of_the_program(void) { const char *text = \"of this file\"; return g() + text[0]; }
";

fn linked(files: &[(&str, &str)], model: DataModel) -> Flow {
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::new(*name, *text)).collect();
    let files = Files::new(&sources);
    let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
    on_large_stack(|| files.parse(&options))
        .expect("a thread")
        .unwrap_or_else(|d| panic!("{:?}: {d:#?}", files.names()))
}

fn agrees(name: &str, text: &str, model: DataModel) {
    let alone = flow(name, text, model);
    for files in [[(name, text), ("other.c", OTHER)], [("other.c", OTHER), (name, text)]] {
        let together = linked(&files, model);
        for values in [&[][..], &[1, 2, 3, 4, 5, 6, 7, 8], &[-1, 0, 5, 1, 1, 0, 2, 9, 3, 4, 4, 1]] {
            let [own, theirs] = [&alone, &together].map(|f| execute(f, values, Recording::Inputs));
            assert_eq!(words(&own), words(&theirs), "{name} on {values:?}");
            assert_eq!(own.inputs.len(), theirs.inputs.len(), "{name} on {values:?}");
        }
    }
}

#[test]
fn linking_changes_no_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/semantics");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        if path.extension().is_some_and(|e| e == "c") && !needs_preprocessor(&text) {
            agrees(path.to_str().expect("UTF-8"), &text, DataModel::Lp64);
            agrees(path.to_str().expect("UTF-8"), &text, DataModel::Ilp32);
            count += 1;
        }
    }
    assert!(count > 5, "{count} programs");
    for level in 1..=5 {
        for (name, text, ..) in generated(level, 17, 3) {
            agrees(&name, &text, DataModel::Lp64);
        }
    }
}

/// Places are those of the files, whatever stands before them.
#[test]
fn places_are_those_of_the_files() {
    let files = [
        ("a.c", "int f(int);\nint main(void) { return f(1); }"),
        ("b.c", "\n\nint f(int n) { return n; }"),
    ];
    let flow = linked(&files, DataModel::Lp64);
    let places: Vec<(String, String, usize)> = flow
        .functions
        .iter()
        .map(|f| {
            let at = flow.source.position(f.span.start);
            (f.name.clone(), at.file.to_owned(), at.line)
        })
        .collect();
    assert!(places.contains(&("main".into(), "a.c".into(), 2)), "{places:?}");
    assert!(places.contains(&("f".into(), "b.c".into(), 3)), "{places:?}");
}

#[test]
fn a_file_that_declares_a_record_without_the_values_behind_it() {
    let defines = ("a.c", "struct t { int n; int a[]; }; struct t f = { 1, { 2, 3 } };");
    let uses = (
        "b.c",
        "extern void reach_error(void); struct t { int n; int a[]; }; extern struct t f;
         int main(void) { if (f.a[1] == 3 && sizeof f == 4) reach_error(); return 0; }",
    );
    for files in [[defines, uses], [uses, defines]] {
        assert!(execute(&linked(&files, DataModel::Lp64), &[], Recording::Inputs).reaches_error());
    }
}
