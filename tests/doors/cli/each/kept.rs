//! Findings as they are kept: a baseline says which are new, and `--fail-on new` lets a run pass where none is.

use std::path::Path;

use serde_sarif::sarif::{ResultKind, Sarif};

use super::*;

/// An error of each kind that is looked for, and one access that is none.
const PROGRAM: &str = "int a[5];\nextern int nondet_int(void);\nstatic int half(int n) { return 10 / n; }\nint main(void) {\n  \
    int i = nondet_int();\n  if (i < 10) a[i] = 3;\n  a[i & 3] = i + 1;\n  return half(i);\n}\n";

const CHECK: [&str; 3] = ["--each", "--check", "overflow,bounds,division"];

/// What is on standard output, and the exit code; the program is in `p.c` of the folder.
fn check(folder: &Path, text: &str, options: &[&str]) -> (String, Option<i32>) {
    fs::write(folder.join("p.c"), text).expect("a file");
    let file = folder.join("p.c");
    let out = run(&[&["check", file.to_str().expect("a name")], options].concat(), b"");
    assert!(!stderr(&out).contains("error"), "{}", stderr(&out));
    (stdout(&out), code(&out))
}

/// Kind, verdict and mark of each finding.
fn marks(said: &str) -> Vec<String> {
    let rows = said.lines().filter(|line| line.contains("p.c:"));
    let words = |row: &str| {
        let (front, behind) = row.split_once("p.c:").expect("a place");
        let kind = front.split_whitespace().next().expect("a kind").to_owned();
        [vec![kind], behind.split_whitespace().skip(1).map(str::to_owned).collect()].concat()
    };
    rows.map(|row| words(row).join(" ")).collect()
}

fn name(folder: &Path, file: &str) -> String {
    folder.join(file).to_str().expect("a name").to_owned()
}

fn log(folder: &Path, file: &str) -> Sarif {
    let text = fs::read_to_string(folder.join(file)).expect("the report is written");
    serde_json::from_str(&text).expect("it is SARIF")
}

#[test]
fn what_the_baseline_has_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let [old, now] = ["old.sarif", "now.sarif"].map(|file| name(folder, file));
    let (said, exit) = check(folder, PROGRAM, &[&CHECK[..], &["--sarif", &old]].concat());
    let rows = ["overflow UNSAFE", "bounds UNSAFE", "bounds SAFE", "division UNSAFE"];
    assert_eq!((marks(&said), exit), (rows.map(str::to_owned).to_vec(), Some(10)), "{said}");
    assert!(!said.contains("findings:"), "{said}");

    // Lines in front of them, and others beside them, change nothing; the verdict is what it was.
    let known = [&CHECK[..], &["--baseline", &old, "--sarif", &now]].concat();
    let passes = [&known[..], &["--fail-on", "new"]].concat();
    let moved = PROGRAM.replace("  if (i", "  // that is all\n\n  if  (i");
    let moved = format!("int more;\n\n{moved}");
    let rows = rows.map(|row| row.replace("UNSAFE", "UNSAFE known")).to_vec();
    for (options, code) in [(&known, 10), (&passes, 0)] {
        let (said, exit) = check(folder, &moved, options);
        assert_eq!((marks(&said), exit), (rows.clone(), Some(code)), "{said}");
        assert!(said.contains("\nfindings: 0 new, 3 known\n"), "{said}");
        assert!(said.ends_with("\nVERDICT: UNSAFE\n"), "{said}");
        assert_eq!(said.contains("\nexit code: 0, by '--fail-on new'\n"), code == 0, "{said}");
    }
    let results = log(folder, "now.sarif").runs.remove(0).results.expect("results");
    let states = results.iter().map(|result| result.baseline_state.clone());
    assert_eq!(states.collect::<Vec<_>>(), vec![Some(Value::from("unchanged")); 4]);

    // Another error in front of a known one with the same text, and one that is gone.
    let other =
        PROGRAM.replace("  a[i & 3] = i + 1;\n", "  a[i & 3] = 0;\n  if (i < 20) a[i] = 1;\n");
    let other = other.replace("  if (i < 10)", "  if (i == 30) a[i] = 3;\n  if (i < 10)");
    let (said, exit) = check(folder, &other, &passes);
    let rows = [
        "bounds UNSAFE new",
        "bounds UNSAFE known",
        "bounds SAFE",
        "bounds UNSAFE new",
        "division UNSAFE known",
    ];
    assert_eq!((marks(&said), exit), (rows.map(str::to_owned).to_vec(), Some(10)), "{said}");
    assert!(said.contains("\nfindings: 2 new, 2 known, 1 gone\n"), "{said}");
    let results = log(folder, "now.sarif").runs.remove(0).results.expect("results");
    let absent = results.last().expect("results");
    assert_eq!(absent.baseline_state, Some(Value::from("absent")));
    assert_eq!(
        (absent.rule_id.as_deref(), &absent.kind),
        (Some("signed-overflow"), &Some(ResultKind::Fail))
    );
    assert!(absent.locations.as_ref().is_some_and(|all| all.len() == 1), "{absent:?}");

    // What was absent there is new again.
    let (said, exit) =
        check(folder, PROGRAM, &[&CHECK[..], &["--baseline", &now, "--fail-on=new"]].concat());
    assert!(marks(&said).contains(&"overflow UNSAFE new".to_owned()), "{said}");
    assert_eq!(exit, Some(10));
}

/// What is proved is gone; what was proved and is undecided now is new, and what was an error and is undecided now is known.
#[test]
fn worse_is_new_and_better_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let old = name(folder, "old.sarif");
    check(folder, PROGRAM, &[&CHECK[..], &["--sarif", &old]].concat());
    let compared = [&CHECK[..], &["--baseline", &old, "--fail-on", "new"]].concat();
    let (said, exit) = check(folder, PROGRAM, &[&compared[..], &["--time-limit", "0s"]].concat());
    assert!(said.contains("findings: 1 new (1 undecided), 3 known (3 undecided)\n"), "{said}");
    assert_eq!(exit, Some(20), "{said}");

    let fixed = PROGRAM.replace("nondet_int();\n", "nondet_int() & 3;\n");
    let (said, exit) = check(folder, &fixed, &[&compared[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((document["verdict"].as_str(), exit), (Some("UNSAFE"), Some(0)), "{said}");
    let of = |errors| serde_json::json!({ "errors": errors, "undecided": 0 });
    let counts = serde_json::json!({ "new": of(0), "known": of(1), "silenced": of(0), "gone": 2 });
    assert_eq!(document["counts"], counts);
    let states = document["properties"].as_array().into_iter().flatten();
    let states: Vec<_> = states.map(|p| p["baseline-state"].as_str().unwrap_or("")).collect();
    assert_eq!(states, ["updated", "updated", "unchanged", "unchanged"]);
    let gone = document["gone"].as_array().into_iter().flatten();
    let gone: Vec<_> = gone.map(|gone| gone["name"].as_str().unwrap_or("")).collect();
    assert!(gone.contains(&"i + 1") && gone.contains(&"i"), "{gone:?}");
}

/// With `--first`, the first error that is new is enough.
#[test]
fn known_errors_are_not_the_first_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let old = name(folder, "old.sarif");
    check(folder, PROGRAM, &[&CHECK[..], &["--sarif", &old]].concat());
    let first = [&CHECK[..], &["--first", "--baseline", &old]].concat();
    let (said, _) = check(folder, PROGRAM, &first);
    assert_eq!(said.matches("UNSAFE  known").count(), 3, "{said}");
    assert!(!said.contains("not asked for"), "{said}");
}

/// Findings of all functions, each once: as the worst of the answers says.
#[test]
fn findings_of_all_functions_have_a_baseline() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let [old, now] = ["old.sarif", "now.sarif"].map(|file| name(folder, file));
    let all = ["--entry", "*", "--each", "--check", "overflow,division"];
    let text = "static int half(int n) { return 10 / n; }\nint safe(void) { return half(2); }\n\
                int both(int n) { return half(n + 1); }\n";
    check(folder, text, &[&all[..], &["--sarif", &old]].concat());
    let results = log(folder, "old.sarif").runs.remove(0).results.expect("results");
    let kinds: Vec<_> = results.iter().map(|result| result.kind.clone()).collect();
    assert_eq!(kinds, [Some(ResultKind::Pass), Some(ResultKind::Fail), Some(ResultKind::Fail)]);
    let compared = [&all[..], &["--baseline", &old, "--fail-on=new", "--sarif", &now]].concat();
    let (said, exit) = check(folder, &format!("\n{text}"), &compared);
    assert!(said.contains("0 proved, 2 errors, 0 open (2 known)"), "{said}");
    assert!(said.contains("\nfindings: 0 new, 2 known\n"), "{said}");
    assert_eq!((exit, said.ends_with("\nVERDICT: UNSAFE\n")), (Some(0), true), "{said}");
    let more = text.replace("half(2)", "half(2) + 1 / half(3)");
    let (said, exit) = check(folder, &more, &[&compared[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(document["counts"]["known"]["errors"], 2, "{said}");
    assert_eq!((document["counts"]["new"]["errors"].as_u64(), exit), (Some(0), Some(0)));
    let more = text.replace("half(2)", "half(2) + 1 / half(30)");
    let (said, exit) = check(folder, &more, &compared);
    assert!(said.contains("\nfindings: 1 new, 2 known\n"), "{said}");
    assert_eq!(exit, Some(10), "{said}");
}

#[test]
fn what_is_no_baseline_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = name(folder.path(), "b.sarif");
    let foreign =
        "{\"version\": \"2.1.0\", \"runs\": [{\"results\": [{\"message\": {\"text\": \"x\"}}]}]}";
    for (text, why) in [
        ("no", "it is no SARIF: it is no JSON: the mistake is in line 1"),
        ("{\"version\": \"2.1.0\"}", "it is no SARIF: missing field 'runs'"),
        (foreign, "none of its results has a fingerprint"),
    ] {
        fs::write(&file, text).expect("a file");
        let out = run(&["check", "examples/lock-safe.bp", "--each", "--baseline", &file], b"");
        assert_eq!(code(&out), Some(2), "{text}");
        assert!(stderr(&out).contains(why) && stderr(&out).contains("b.sarif"), "{}", stderr(&out));
    }
    for options in [&["--baseline", &file][..], &["--fail-on", "new"]] {
        let out = run(&[&["check", "examples/lock-safe.bp"], options].concat(), b"");
        assert_eq!(code(&out), Some(2), "{options:?}");
        assert!(stderr(&out).contains("--each"), "{}", stderr(&out));
    }
}
