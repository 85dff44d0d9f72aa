//! What a run proves although it comes to no verdict.

use std::fs;

use serde_json::Value;

use super::super::{code, last_line, run, stderr, stdout};
use super::rows;

/// Intervals bound the first index, and not the second one, which is a difference.
const PROGRAM: &str = "extern int nondet_int(void);\nint main(void) {\n  int a[8], x = nondet_int(), y = nondet_int();\n  \
                       while (nondet_int()) {\n    for (int i = 0; i < 8; i++) a[i] = i;\n    \
                       if (0 <= x && x < y && y < 9) a[y - x - 1] = 0;\n  }\n  return 0;\n}\n";

#[test]
fn operations_are_proved_where_the_program_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let [file, intervals, both, certificate] =
        ["p.c", "intervals.json", "both.json", "certificate.json"].map(path);
    fs::write(&file, PROGRAM).expect("a file");
    let list = r#""automaton": [{"do": "search", "explicit-states": 0}]"#;
    fs::write(&intervals, r#"{"auto": [{"do": "intervals"}]}"#).expect("a file");
    let text = format!(r#"{{"auto": [{{"do": "intervals"}}, {{"do": "tree"}}], {list}}}"#);
    fs::write(&both, text).expect("a file");

    let check = ["check", &file, "--check", "bounds", "--strategy", &intervals];
    let out = run(&check, b"");
    assert_eq!(code(&out), Some(20), "{}", stderr(&out));
    assert!(stderr(&out).contains("proved: 1 of these; '--each' lists them"), "{}", stderr(&out));
    let out = run(&[&check[..], &["--json"]].concat(), b"");
    let answer: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(answer["proved"], serde_json::json!([format!("bounds@{file}:5:35")]));
    let out = run(&[&check[..], &["--each"]].concat(), b"");
    let found: Vec<String> = rows(&stdout(&out)).into_iter().map(|(a, _)| a).collect();
    assert_eq!(found[0], "bounds i", "{}", stdout(&out));
    let [first, second] = [0, 1].map(|row| stdout(&out).lines().nth(row).map(str::to_owned));
    assert!(first.is_some_and(|row| row.ends_with(" SAFE")), "{}", stdout(&out));
    assert!(second.is_some_and(|row| row.contains(" UNKNOWN (")), "{}", stdout(&out));

    // What the search proves, which says nothing of the first index, is put together with that.
    let check = ["check", &file, "--check", "bounds", "--strategy", &both, "--stats"];
    let out = run(&[&check[..], &["--certificate", &certificate]].concat(), b"");
    assert_eq!(last_line(&out), "VERDICT: SAFE", "{}", stderr(&out));
    assert!(stdout(&out).contains("tree/search"), "{}", stdout(&out));
    let out = run(&["certify", &file, &certificate], b"");
    assert_eq!(code(&out), Some(0), "{}{}", stdout(&out), stderr(&out));

    // An error is found in what is left.
    fs::write(&file, PROGRAM.replace("y < 9", "y < 10")).expect("a file");
    let out = run(&check, b"");
    assert_eq!(last_line(&out), "VERDICT: UNSAFE", "{}", stderr(&out));
    fs::write(&file, PROGRAM.replace("i < 8", "i < 9")).expect("a file");
    let out = run(&check, b"");
    assert_eq!(last_line(&out), "VERDICT: UNSAFE", "{}", stderr(&out));
}

/// Candidates say where the line ends, but not that the index is one of three numbers.
const LINES: &str = "#include <stdio.h>\nint main(void) {\n  char line[256];\n  int n = 0, k = 0;\n  \
                     while (fgets(line, sizeof line, stdin)) {\n    for (char *s = line; *s; s++) n += *s == ' ';\n    \
                     if (k != 300 && k != 500) line[k] = 'x';\n    k = k == 0 ? 300 : k == 300 ? 500 : 0;\n  }\n  \
                     return 0;\n}\n";

#[test]
fn walks_along_texts_are_proved_by_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let [file, part, both, certificate] =
        ["p.c", "part.json", "both.json", "certificate.json"].map(path);
    fs::write(&file, LINES).expect("a file");
    let step = |action: &str| format!(r#"{{"do": "{action}", "memory": "one-cell"}}"#);
    fs::write(&part, format!(r#"{{"auto": [{}]}}"#, step("houdini"))).expect("a file");
    let (first, second) = (step("houdini"), step("tree"));
    let text = format!(r#"{{"auto": [{first}, {second}], "automaton": [{{"do": "search"}}]}}"#);
    fs::write(&both, text).expect("a file");

    let check = ["check", &file, "--check", "bounds", "--strategy"];
    let out = run(&[&check[..], &[&part, "--json"]].concat(), b"");
    let answer: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "UNKNOWN");
    let names = ["5:10", "6:26", "6:40"].map(|place| format!("bounds@{file}:{place}"));
    assert_eq!(answer["proved"], serde_json::json!(names));

    let out = run(&[&check[..], &[&both, "--certificate", &certificate]].concat(), b"");
    assert_eq!(last_line(&out), "VERDICT: SAFE", "{}", stderr(&out));
    let out = run(&["certify", &file, &certificate], b"");
    assert_eq!(code(&out), Some(0), "{}{}", stdout(&out), stderr(&out));

    for (right, wrong, left) in [("k != 500", "k != 400", 3), ("; *s;", "; n < 9;", 1)] {
        fs::write(&file, LINES.replace(right, wrong)).expect("a file");
        let out = run(&[&check[..], &[&part, "--json"]].concat(), b"");
        let answer: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        let proved = answer["proved"].as_array().map_or(0, Vec::len);
        assert_eq!((answer["verdict"].as_str(), proved), (Some("UNKNOWN"), left), "{wrong}");
    }
}

/// Nothing is an error of these kinds, but the run ends without a verdict, and says nothing of what has no place.
#[test]
fn what_has_no_place_is_not_proved_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    fs::write(&file, "int main(void) { __asm__(\"cli\"); return 0; }\n").expect("a file");
    let file = file.to_str().expect("a name");
    let out = run(&["check", file, "--each", "--check", "division,overflow"], b"");
    let said = stdout(&out);
    assert_eq!(
        said.lines().filter(|l| l.contains("UNKNOWN (") && !l.starts_with('V')).count(),
        2,
        "{said}"
    );
    assert_eq!(code(&out), Some(20), "{said}");
}

/// Streams that the program may change, if only through their address, may be null; others are not.
#[test]
fn streams_of_the_library_are_not_null() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    for (text, verdict) in [
        ("int main(void) { return fgetc(stdin) == 'x'; }", "VERDICT: SAFE"),
        (
            "FILE **p = &stdin; int main(void) { *p = 0; return fgetc(stdin) == 'x'; }",
            "VERDICT: UNSAFE",
        ),
        (
            "int main(void) { FILE **p = &stdin; *p = 0; return fgetc(stdin) == 'x'; }",
            "VERDICT: UNSAFE",
        ),
        ("int main(void) { stdin = 0; return fgetc(stdin) == 'x'; }", "VERDICT: UNSAFE"),
    ] {
        fs::write(&file, format!("#include <stdio.h>\n{text}\n")).expect("a file");
        let name = file.to_str().expect("a name");
        let out = run(&["check", name, "--check", "null"], b"");
        assert_eq!(last_line(&out), verdict, "{text}: {}", stderr(&out));
    }
}
