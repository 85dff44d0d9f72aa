//! The words at the end of a check of C: places of errors in witnesses, inputs of traces, what a
//! limit has ended.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

struct Case(tempfile::TempDir);

impl Case {
    fn new(program: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.c"), format!("{HEAD}{program}")).expect("it is written");
        Self(folder)
    }

    fn check(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.current_dir(self.0.path()).args(["check", "a.c"]).args(arguments);
        if !arguments.contains(&"--time-limit") {
            command.args(["--time-limit", "30"]);
        }
        command.output().expect("hardbop runs")
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Each line: what is checked, the function, where its witness has the error, and the program from
/// line 3 on.
#[test]
fn our_own_witnesses_are_confirmed() {
    let bounds = "--check-bounds";
    let cases = [
        (
            "--overflow-check",
            (5, 3),
            "int f(int x)\n{\n  return x + 1;\n}\nint main(void) { return f(__VERIFIER_nondet_int()); }",
        ),
        (
            "--overflow-check",
            (4, 3),
            "int main(void) { int x = __VERIFIER_nondet_int();\n  int y = 2 * x;\n  return y; }",
        ),
        (
            "--overflow-check",
            (5, 10),
            "int main(void) { int x = __VERIFIER_nondet_int();\n  while\n        (x + 1 < 5) x++;\n return 0; }",
        ),
        (
            bounds,
            (5, 3),
            "int a[4];\nint main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 4) return 0;\n  int y = a[x];\n  return y; }",
        ),
        (
            bounds,
            (5, 3),
            "int a[4];\nint main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 4) return 0;\n  x += 1 + a[x];\n  return x; }",
        ),
        (
            bounds,
            (6, 8),
            "int a[4];\nint main(void) { int s = 0, n = __VERIFIER_nondet_int();\n  for (int i = 0; i <= n && i < 5;\n       i++, s += a[i]) ;\n  return s; }",
        ),
        (
            "--check-null",
            (5, 11),
            "struct s { int f; } *p;\nint main(void) {\n  switch (p->f) { case 1: return 1; default: return 0; } }",
        ),
        (
            "--trace=text",
            (4, 6),
            "int main(void) { if (__VERIFIER_nondet_int() == 7)\n     reach_error();\n  return 0; }",
        ),
    ];
    for (option, place, program) in cases {
        let case = Case::new(program);
        for witness in ["w.yml", "w.graphml"] {
            let found = case.check(&[option, "--dump-witness", witness]);
            assert_eq!(found.status.code(), Some(10), "{program}");
            let text = fs::read_to_string(case.0.path().join(witness)).expect("a witness");
            if option.starts_with("--check") {
                assert!(text.contains("G valid-deref"), "{text}");
            }
            if witness == "w.yml" {
                let at = text.split("type: target").nth(1).expect("a target");
                let number = |key: &str| -> usize {
                    let value = at.split(key).nth(1).and_then(|v| v.lines().next());
                    value.and_then(|v| v.trim().parse().ok()).expect("a number")
                };
                assert_eq!((number("line:"), number("column:")), place, "{program}\n{text}");
            }
            let confirmed = case.check(&[option, "--witness", witness]);
            assert!(stdout(&confirmed).contains("witness: confirmed"), "{program}\n{confirmed:?}");
            assert!(!String::from_utf8_lossy(&confirmed.stderr).contains("another property"));
        }
    }
}

/// Inputs are what is read before it is written.
#[test]
fn traces_list_what_is_read() {
    let case = Case::new(
        "struct s { int a, b; };\nint main(void) {\n  int i, j, k, unread; struct s r; r.a = 1; j = 2;\n  \
         for (i = 0; i < 3; i++) { int t; t = i + j; k = t; }\n  int n = __VERIFIER_nondet_int();\n  int seen;\n  \
         if (n == 4711 && seen == 815 && k == 4 && r.a == 1) reach_error();\n  return 0; }",
    );
    // Executions and the analysis.
    for executions in ["1000", "0"] {
        let output = case.check(&["--json", "--executions", executions]);
        assert_eq!(output.status.code(), Some(10));
        let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
        let inputs = document["trace"]["inputs"].as_array().expect("inputs");
        let names: Vec<&str> = inputs.iter().filter_map(|i| i["name"].as_str()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.iter().any(|n| n.contains("seen")), "{names:?}");
    }
}

#[test]
fn a_limit_says_what_it_has_ended() {
    let case = Case::new(
        "int main(void) { unsigned a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n  \
         if (a * b == 2305843009u * 7u && a * a == b * 3u + 11u && a > 99999u) reach_error(); return 0; }",
    );
    let output = case.check(&["--time-limit", "0.7s", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    if document["verdict"] == "UNKNOWN" {
        let phase = document["phase"].as_str().expect("a phase");
        let line = format!("VERDICT: UNKNOWN (time limit reached during: {phase})");
        assert_eq!(document["verdict-line"], Value::String(line));
        assert_eq!(document["reason"]["message"], "time limit reached");
    }
}
