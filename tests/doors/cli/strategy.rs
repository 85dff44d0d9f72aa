//! `--strategy`: the steps of a run as data.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

const BOOLEAN: &str = "decl a, b; void main() begin a, b := F, F; while (*) do a, b := b, a; od; assert(!(a & b)); end";
const C: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
int main(void) { unsigned x = __VERIFIER_nondet_uint(), y = 0;
  while (x > 0) { x--; y = !y; } if (y > 1) reach_error(); }
";
const RECURSIVE: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("p.bp", BOOLEAN), ("p.c", C), ("r.c", RECURSIVE)] {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn hardbop(folder: &Path, words: &[&str]) -> Output {
    super::hardbop(words).current_dir(folder).output().expect("hardbop starts")
}

/// The document of a run with the steps of this text.
fn with(folder: &Path, program: &str, steps: &str) -> Value {
    fs::write(folder.join("steps.json"), steps).expect("written");
    let words = ["check", program, "--strategy", "steps.json", "--json", "--stats"];
    let output = hardbop(folder, &words);
    serde_json::from_slice(&output.stdout).expect("a document")
}

fn steps(document: &Value) -> Vec<&str> {
    let steps = document["statistics"]["steps"].as_array().expect("steps were taken");
    steps.iter().map(|step| step["step"].as_str().expect("a name")).collect()
}

#[test]
fn the_built_in_strategy_is_printed_and_read() {
    let folder = folder();
    let folder = folder.path();
    for program in ["p.bp", "p.c", "r.c"] {
        let printed = hardbop(folder, &["check", program, "--strategy", "help"]);
        assert_eq!(printed.status.code(), Some(0));
        let text = String::from_utf8(printed.stdout).expect("JSON");
        let found = with(folder, program, &text);
        assert_eq!(found["verdict"], "SAFE", "{program}: {found}");
        // What is the usual one is not written down.
        let options = &found["options"];
        assert!(options["strategy"].is_null() && options["engine-strategy"].is_null(), "{options}");
    }
}

#[test]
fn a_file_says_which_steps_are_taken() {
    let folder = folder();
    let folder = folder.path();
    let only_bp = r#"{"auto": [{"do": "ours"}], "ours": [{"do": "boolean-programs"}]}"#;
    let found = with(folder, "p.c", only_bp);
    assert_eq!((&found["verdict"], &found["answered-by"]), (&"SAFE".into(), &"bp".into()));
    assert_eq!(steps(&found), ["ours/boolean-programs"]);
    assert_eq!(found["statistics"]["steps"][0]["gave"], "SAFE");
    assert_eq!(found["options"]["strategy"]["ours"][0]["do"], "boolean-programs");

    // A step that has used up its share is followed by the next one.
    let shared = r#"{"auto": [{"do": "tree", "work": 3}, {"do": "boolean-programs"}]}"#;
    let found = with(folder, "r.c", shared);
    assert_eq!(steps(&found).last(), Some(&"boolean-programs"), "{found}");
    assert_eq!(found["verdict"], "SAFE");
    // So is a list.
    let list = r#"{"auto": [{"do": "ours", "work": 3}, {"do": "boolean-programs"}], "ours": [{"do": "tree"}]}"#;
    let found = with(folder, "r.c", list);
    assert_eq!(steps(&found).last(), Some(&"boolean-programs"), "{found}");
    assert_eq!(found["verdict"], "SAFE");

    // Steps that do not suit are left out; where none is left, nothing is known.
    let none = r#"{"auto": [{"do": "boolean-programs", "when": ["recursive"]}]}"#;
    assert_eq!(with(folder, "p.c", none)["verdict"], "UNKNOWN");

    let search = r#"{"attempt": [], "search": [{"do": "bdd"}]}"#;
    let found = with(folder, "p.bp", search);
    assert_eq!(found["verdict"], "SAFE");
    assert_eq!(found["options"]["engine-strategy"]["search"][0]["do"], "bdd");
}

#[test]
fn mistakes_in_strategies_are_told() {
    let folder = folder();
    let folder = folder.path();
    for (program, text, words) in [
        ("p.c", "{", "line 1, column 1"),
        (
            "p.c",
            r#"{"auto": [{"do": "tre"}]}"#,
            "list 'auto', step 1: there is no step 'tre'; is 'tree' meant?",
        ),
        ("p.c", r#"{"auto": [{"do": "tree", "werk": 1}]}"#, "werk"),
        ("p.bp", r#"{"search": [{"do": "bbd"}]}"#, "bbd"),
    ] {
        fs::write(folder.join("steps.json"), text).expect("written");
        let output = hardbop(folder, &["check", program, "--strategy", "steps.json"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(words) && message.contains("steps.json"), "{message}");
    }
    let output = hardbop(folder, &["check", "p.c", "--strategy", "absent.json"]);
    assert_eq!(output.status.code(), Some(2));
}
