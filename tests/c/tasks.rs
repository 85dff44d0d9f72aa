//! Task definitions and property files on the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void helper(void) { reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (sizeof(long) == 8 && x == 2147483647) reach_error();
  x = x - 1;
  if (x == 5) { ERROR: return 1; }
  return 0;
}
";

const TASK: &str = "format_version: '2.0'
# comments are for people
input_files: 'p.c'
properties:
  - property_file: props/termination.prp
    expected_verdict: true
  - property_file: props/unreach-call.prp
    expected_verdict: false
  - property_file: props/no-overflow.prp
    expected_verdict: true
options:
  language: C
  data_model: LP64
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("it can be written");
    };
    fs::create_dir(folder.path().join("props")).expect("it can be made");
    write("p.c", PROGRAM);
    write("task.yml", TASK);
    for (name, formula) in [
        ("unreach-call", "G ! call(reach_error())"),
        ("verifier-error", "G ! call(__VERIFIER_error())"),
        ("label", "G ! label(ERROR)"),
        ("no-overflow", "G ! overflow"),
        ("termination", "F end"),
        ("valid-free", "G valid-free"),
    ] {
        write(&format!("props/{name}.prp"), &format!("CHECK( init(main()), LTL({formula}) )\n"));
    }
    write("props/helper.prp", "CHECK( init(helper()), LTL(G ! call(reach_error())) )\n\n");
    folder
}

fn hardbop(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .current_dir(folder)
        .arg("check")
        .args(arguments)
        .output()
        .expect("hardbop runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_task_says_file_property_and_data_model() {
    let folder = folder();
    let (code, out, err) = hardbop(folder.path(), &["task.yml"]);
    assert_eq!(code, Some(10), "{err}");
    assert!(out.ends_with("expected: false (UNSAFE)\nVERDICT: UNSAFE\n"), "{out}");
    assert!(!err.contains("expected"), "{err}");

    // From elsewhere, names are still relative to the task's file.
    let task = folder.path().join("task.yml");
    let (code, ..) = hardbop(Path::new("/"), &[task.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(10));

    // In ILP32 the error cannot be reached: the expectation is wrong, the verdict is not.
    let (code, out, err) = hardbop(folder.path(), &["task.yml", "--32"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.ends_with("expected: false (UNSAFE)\nVERDICT: SAFE\n"), "{out}");
    let warning = "warning: task.yml:8: the verdict is not the expected one, UNSAFE";
    assert!(err.contains(warning), "{err}");
}

#[test]
fn a_property_file_decides_what_is_an_error() {
    let folder = folder();
    for (property, expected) in [
        ("unreach-call", Some(10)),
        ("verifier-error", Some(0)),
        ("label", Some(10)),
        ("no-overflow", Some(10)),
        ("helper", Some(10)),
    ] {
        let file = format!("props/{property}.prp");
        let (code, out, err) = hardbop(folder.path(), &["p.c", "--64", "--spec", &file]);
        assert_eq!(code, expected, "{property}: {out}{err}");
        assert!(!out.contains("expected:"), "{out}");
    }
    let (_, out, _) = hardbop(folder.path(), &["p.c", "--spec", "props/no-overflow.prp"]);
    assert!(out.contains("The error, a signed overflow in line 7, is reached"), "{out}");
    assert!(out.contains("x - 1: ERROR"), "{out}");
    // The same with an option, in addition to what is an error anyway.
    let (code, out, _) = hardbop(folder.path(), &["p.c", "--overflow-check"]);
    assert_eq!(code, Some(10));
    assert!(out.contains("signed overflow in line 7") || out.contains("ERROR"), "{out}");
}

#[test]
fn a_chosen_property_has_its_own_expectation() {
    let folder = folder();
    let chosen = ["task.yml", "--spec", "props/no-overflow.prp"];
    let (code, out, err) = hardbop(folder.path(), &chosen);
    assert_eq!(code, Some(10), "{err}");
    assert!(out.ends_with("expected: true (SAFE)\nVERDICT: UNSAFE\n"), "{out}");
    assert!(err.contains("task.yml:10: the verdict is not the expected one, SAFE"), "{err}");
    let (_, out, err) = hardbop(folder.path(), &[&chosen[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(document["property"], serde_json::json!(["G ! overflow"]));
    assert_eq!(document["options"]["data-model"], "lp64");
    assert_eq!(document["expected"]["holds"], true);
    assert_eq!(document["expected"]["agrees"], false);
    assert_eq!(document["trace"]["violation"], "a signed overflow in line 7");
    assert!(err.is_empty(), "{err}");
    // A property that the task does not name has no expectation.
    let (code, out, _) = hardbop(folder.path(), &["task.yml", "--spec", "props/label.prp"]);
    assert_eq!(code, Some(10));
    assert!(!out.contains("expected:"), "{out}");
}

#[test]
fn what_is_not_supported_is_said_with_its_place() {
    let folder = folder();
    let mut wrong = Vec::new();
    for (from, to, place, message) in [
        ("'2.0'", "'3.0'", "1:17", "this version is not supported"),
        ("'p.c'", "['p.c', 'q.c']", "3:22", "only one input file is supported"),
        ("'p.c'", "'q.c'", "3:14", "cannot read 'q.c': No such file"),
        ("input_files", "input_file", "1:1", "'input_files' is missing"),
        ("LP64", "LP128", "13:15", "this data model is not supported"),
        ("language: C", "language: Java", "12:13", "this language is not supported"),
        ("verdict: false", "verdict: maybe", "8:23", "an expected verdict is 'true' or 'false'"),
        ("unreach-call", "nothing", "7:20", "cannot read 'props/nothing.prp'"),
        ("options:", "options: *o\nx:", "11:10", "unknown anchor"),
        ("options:", "options: ]", "11:10", "this is not YAML"),
        ("options:", "input_files: x\noptions:", "11:1", "'input_files' occurs twice"),
    ] {
        fs::write(folder.path().join("bad.yml"), TASK.replace(from, to)).expect("written");
        let (code, out, err) = hardbop(folder.path(), &["bad.yml"]);
        let at = format!("bad.yml:{place}");
        if code != Some(2) || !out.is_empty() || !err.contains(&at) || !err.contains(message) {
            wrong.push(format!("{to}: {code:?} {out}{err}"));
        }
    }
    for (text, place, message) in [
        ("CHECK( init(main()), LTL(F end) )", "1:26", "termination"),
        ("CHECK( init(main()), LTL(G ! valid-free) )", "1:30", "did you mean 'G valid-free'"),
        ("CHECK( init(main()), LTL(G data-race) )", "1:28", "did you mean 'G ! data-race'"),
        ("CHECK( init(main()), LTL(G overflow) )", "1:28", "'G overflow' is not supported"),
        ("CHECK( init(main), LTL(G ! overflow) )", "1:17", "'(' is needed here"),
        ("CHECK( init(main()), LTL(G ! call(f())", "1:39", "')' is needed here"),
        ("// nothing\n", "1:1", "the file has no property"),
        ("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )", "1:1", "test generation"),
        ("CHECK( init(main()), LTL(G (x -> y)) )", "1:31", "'-' is not supported"),
        (
            "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(f()), LTL(G ! overflow) )",
            "2:13",
            "one function",
        ),
    ] {
        fs::write(folder.path().join("bad.prp"), text).expect("written");
        let (code, out, err) = hardbop(folder.path(), &["p.c", "--spec", "bad.prp"]);
        let at = format!("bad.prp:{place}");
        if code != Some(2) || !out.is_empty() || !err.contains(&at) || !err.contains(message) {
            wrong.push(format!("{text}: {code:?} {out}{err}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let folder = folder();
    for arguments in [
        &["p.c", "--spec", "props/label.prp", "--error", "BAD"][..],
        &["p.c", "--spec", "props/label.prp", "--ignore-asserts"],
        &["p.c", "--spec", "props/helper.prp", "--entry", "other"],
        &["p.c", "--spec", "props/none.prp"],
        &["-", "--language", "c", "--spec", "-"],
    ] {
        let (code, out, err) = hardbop(folder.path(), arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {out}{err}");
        assert!(out.is_empty() && !err.is_empty(), "{arguments:?}: {out}{err}");
    }
}

/// Files of nothing but brackets, and of names for each other, end at once.
#[test]
fn hostile_tasks_are_refused() {
    let folder = folder();
    let bombs =
        ["[".repeat(100_000), "- ".repeat(100_000), "a: &a [*a, *a]\n".to_owned(), "{".into()];
    for text in bombs {
        fs::write(folder.path().join("bad.yml"), &text).expect("written");
        let (code, out, err) = hardbop(folder.path(), &["bad.yml"]);
        assert_eq!(code, Some(2), "{out}{err}");
        assert!(err.contains("bad.yml:"), "{err}");
    }
}

/// The numbers of a program that can be counted by hand.
#[test]
fn statistics_show_by_how_much_the_program_shrank() {
    let folder = folder();
    let text = "extern int __VERIFIER_nondet_int(void);
int unused(int a) { return a + 1; }
int called(int a) { int b = a; return b; }
int main(void) {
  int noise = 0, x = __VERIFIER_nondet_int();
  while (x > 0) { noise = noise + x; x = called(x) - 1; }
  if (x > 0) { ERROR: return noise; }
  return 0;
}
";
    fs::write(folder.path().join("small.c"), text).expect("written");
    let (_, out, err) = hardbop(folder.path(), &["small.c", "--json"]);
    let document: serde_json::Value =
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    let number = |form: &str, what: &str| {
        document["statistics"]["sizes"][form][what]
            .as_u64()
            .unwrap_or_else(|| panic!("{form}, {what}: {out}"))
    };
    assert_eq!((number("parsed", "functions"), number("expanded", "functions")), (3, 2));
    // The text has a of both functions, b, noise and x; 'noise' decides nothing.
    assert!(number("parsed", "variables") >= 5, "{out}");
    assert!(number("expanded", "variables") < number("parsed", "variables"), "{out}");
    assert!(number("sliced", "variables") <= number("expanded", "variables"), "{out}");
    assert!(number("blocks", "edges") < number("sliced", "operations"), "{out}");
    assert_eq!(number("blocks", "edges"), document["statistics"]["blocks"].as_u64().unwrap_or(0));
    let (_, out, _) = hardbop(folder.path(), &["small.c", "--stats"]);
    for form in ["as parsed", "calls expanded", "sliced", "blocks"] {
        assert!(out.lines().any(|line| line.starts_with(&format!("  {form}"))), "{form}: {out}");
    }
}
