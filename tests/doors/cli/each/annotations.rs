//! `--github`: workflow commands, from which GitHub makes annotations.

use super::*;

const PROGRAM: &str = "int a[5];\nextern int nondet_int(void);\nint main(void) {\n  int i = nondet_int();\n  \
    if (i < 10) a[i] = 3;\n  i = i + 1; // hardbop: ignore overflow: never so many\n  return 0;\n}\n";

/// The lines that GitHub reads; the last line is the verdict in any case.
fn annotations(options: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a,b 100%.c");
    fs::write(&file, PROGRAM).expect("a file");
    let check = ["check", file.to_str().expect("a name"), "--github"];
    let out = run(&[&check[..], options].concat(), b"");
    assert!(last_line(&out).starts_with("VERDICT: "), "{}{}", stdout(&out), stderr(&out));
    let said = stdout(&out);
    let lines = said.lines().filter(|line| line.starts_with("::"));
    let folder = folder.path().to_str().expect("a name");
    lines.map(|line| line.replace(folder, "")).collect()
}

#[test]
fn each_error_that_is_new_has_one() {
    let found = annotations(&["--each", "--check", "overflow,bounds"]);
    let [only] = &found[..] else { panic!("{found:?}") };
    let begin = "::error file=/a%2Cb 100%25.c,line=5,col=17,title=hardbop%3A Access out of bounds::There can be an access out of \
                 bounds in line 5, in 'main'. Input nondet_int() = ";
    assert!(only.starts_with(begin), "{only}");
    let found = annotations(&["--each", "--check", "overflow,bounds", "--time-limit", "0s"]);
    let [only] = &found[..] else { panic!("{found:?}") };
    let begin = "::warning file=/a%2Cb 100%25.c,line=5,col=17,title=hardbop%3A Undecided::It is not known whether 'i' can be an \
                 error: time limit reached";
    assert!(only.starts_with(begin), "{only}");
}

#[test]
fn one_answer_has_one() {
    let found = annotations(&["--check", "bounds", "-q"]);
    let [only] = &found[..] else { panic!("{found:?}") };
    assert!(only.starts_with("::error file=/a%2Cb 100%25.c,line=5,col=17,title="), "{only}");
    let found = annotations(&["--check", "bounds", "--time-limit", "0s"]);
    let expected = "::warning file=/a%2Cb 100%25.c,title=hardbop%3A UNKNOWN::VERDICT: UNKNOWN (time limit reached";
    assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
    assert_eq!(annotations(&["--check", "division"]), Vec::<String>::new());
    let out = run(&["check", "examples/lock-unsafe.bp", "--github"], b"");
    assert!(
        stdout(&out).contains("\n::error file=examples/lock-unsafe.bp,line="),
        "{}",
        stdout(&out)
    );
    let out = run(&["check", "examples/lock-unsafe.bp", "--github", "--json"], b"");
    assert_eq!(code(&out), Some(2));
}

#[test]
fn functions_have_them() {
    let found = annotations(&["--entry", "*", "--check", "bounds"]);
    assert!(found.len() == 1 && found[0].contains("line=5,col=17"), "{found:?}");
    let found = annotations(&["--entry", "*", "--each", "--check", "overflow,bounds"]);
    assert!(found.len() == 1 && found[0].contains("line=5,col=17"), "{found:?}");
}
