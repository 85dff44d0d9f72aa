//! `check --each`: a verdict for each property.

#[cfg(feature = "c")]
mod annotations;
#[cfg(feature = "c")]
mod checked;
#[cfg(feature = "c")]
mod functions;
#[cfg(feature = "c")]
mod kept;
#[cfg(feature = "c")]
mod proved;
#[cfg(feature = "c")]
mod reports;
#[cfg(feature = "c")]
mod silenced;

use std::fs;

use serde_json::Value;

use super::{code, last_line, run, stderr, stdout};

/// Two labels of which the second is behind the first, and assertions of which the second does not
/// hold.
const PROGRAM: &str = "decl x, y;\nvoid main() begin\n  x := *;\n  y := x;\n  assert(x = y);\n  assert(!x);\n  \
                       assert(!y);\n  if (x) then\n    WORSE: skip;\n  fi;\n  if (y != x) then\n    BAD: skip;\n  fi;\n  \
                       if (!y) then\n    ERROR: skip;\n  fi;\n  LAST: skip;\nend";

fn rows(text: &str) -> Vec<(String, String)> {
    let words = |l: &str| l.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows = text.lines().filter(|l| !l.starts_with("VERDICT")).map(words);
    rows.map(|w| (w[..w.len() - 2].join(" "), w[w.len() - 1].clone())).collect()
}

fn expected(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(what, verdict)| ((*what).to_owned(), (*verdict).to_owned())).collect()
}

#[test]
fn each_property_of_a_boolean_program_has_a_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.bp");
    fs::write(&file, PROGRAM).expect("a file");
    let file = file.to_str().expect("a name");
    let assertions = [
        ("assertion assert(x = y)", "SAFE"),
        ("assertion assert(!x)", "UNSAFE"),
        ("assertion assert(!y)", "SAFE"),
    ];

    let out = run(&["check", file, "--each"], b"");
    assert_eq!(code(&out), Some(10), "{}", stderr(&out));
    assert_eq!(last_line(&out), "VERDICT: UNSAFE");
    let mut all = vec![("label ERROR", "UNSAFE")];
    all.extend(assertions);
    assert_eq!(rows(&stdout(&out)), expected(&all));

    let labels = ["--error", "LAST", "--error=WORSE", "--error", "BAD"];
    let out = run(&[&["check", file, "--each"], &labels[..]].concat(), b"");
    let mut all = vec![("label LAST", "UNSAFE"), ("label WORSE", "SAFE"), ("label BAD", "SAFE")];
    all.extend(assertions);
    assert_eq!(rows(&stdout(&out)), expected(&all));

    let out = run(&[&["check", "--ignore-asserts", "--each", file], &labels[..]].concat(), b"");
    let all = [("label LAST", "UNSAFE"), ("label WORSE", "UNSAFE"), ("label BAD", "SAFE")];
    assert_eq!(rows(&stdout(&out)), expected(&all));

    let out = run(&["check", file, "--each", "--json"], b"");
    let document: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(document["verdict"], "UNSAFE");
    let properties = document["properties"].as_array().expect("a list");
    let of = |p: &Value| (p["verdict"].clone(), p["answer"]["verdict"].clone());
    assert!(properties.iter().all(|p| of(p).0 == of(p).1), "{properties:?}");
    let wrong = &properties[2];
    assert_eq!(wrong["places"][0].as_str().map(|p| p.ends_with("p.bp:6:3")), Some(true));
    assert!(wrong["answer"]["trace"].is_object(), "{wrong}");
}

#[test]
fn limits_are_for_each_and_undecided_properties_are_named() {
    let out = run(&["check", "examples/lock-safe.bp", "--each", "--time-limit", "0s"], b"");
    assert_eq!(code(&out), Some(20));
    let text = stdout(&out);
    let (rows, last) = text.trim_end().rsplit_once('\n').expect("rows, and a verdict");
    let open = rows.lines().filter(|r| r.ends_with("UNKNOWN (time limit reached)")).count();
    assert_eq!(open, rows.lines().count(), "{text}");
    assert_eq!(last, format!("VERDICT: UNKNOWN ({open} of {open} properties undecided)"));
    let out = run(&["check", "examples/lock-safe.bp", "--each"], b"");
    assert_eq!((code(&out), last_line(&out).as_str()), (Some(0), "VERDICT: SAFE"));
}

#[test]
fn what_cannot_be_checked_one_by_one_is_refused() {
    let out = run(&["check", "-", "--each"], PROGRAM.as_bytes());
    assert_eq!(code(&out), Some(2));
    assert!(stderr(&out).contains("standard input can be read once"), "{}", stderr(&out));
    let out = run(&["check", "examples/lock-safe.bp", "--each", "--certificate", "x.json"], b"");
    assert_eq!(code(&out), Some(2));
    let out = run(&["check", "no-such-file.bp", "--each"], b"");
    assert_eq!(code(&out), Some(2));
}

#[cfg(feature = "c")]
mod c {
    use super::*;

    const PROGRAM: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                           int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int t[4], y = x & 3;\n  t[0] = 0;\n  \
                           assert(y < 4);\n  assert(y < 3);\n  if (y == 3) reach_error();\n  if (x > 7) goto WORSE;\n  \
                           x = x + 1;\n  t[y] = x;\n  return 0;\nWORSE:\n  t[y + 1] = 1;\n  return 1;\n}\n";

    #[test]
    fn each_property_of_a_c_program_has_a_verdict() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("p.c");
        fs::write(&file, PROGRAM).expect("a file");
        let file = file.to_str().expect("a name");
        let options = ["--error", "WORSE", "--overflow-check", "--check-bounds", "--each"];
        let out = run(&[&["check", file], &options[..]].concat(), b"");
        let verdicts: Vec<String> = rows(&stdout(&out)).into_iter().map(|(_, v)| v).collect();
        // Behind the second assertion y is less than 3.  Operations are checked until an assertion
        // fails; x is at most 7 where 1 is added.
        let answer = ["UNSAFE", "SAFE", "UNSAFE", "SAFE", "SAFE", "SAFE"];
        assert_eq!(verdicts, answer, "{}\n{}", stdout(&out), stderr(&out));
        assert_eq!(code(&out), Some(10));
    }

    /// Each operation is a finding; behind an error the access counts as a valid one, so what it rules out is proved.
    #[test]
    fn each_operation_is_a_finding() {
        let text = "int a[5];\nextern int nondet_int(void);\nint main(void) {\n  int i = nondet_int(), n = nondet_int();\n  \
                    a[2] = 1;\n  if (i < 10) a[i] = 3;\n  n = n + 1;\n  int *p = i ? &a[1] : 0;\n  *p = 4;\n  \
                    for (int k = 0; k < 5; k++) a[k] = k;\n  return 10 / i;\n}\n";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("p.c");
        fs::write(&file, text).expect("a file");
        let file = file.to_str().expect("a name");
        let list = "overflow,bounds,null,division";
        let out = run(&["check", file, "--each", "--check", list], b"");
        let said = stdout(&out);
        let found: Vec<String> = rows(&said).into_iter().map(|(a, v)| format!("{a} {v}")).collect();
        let answer = [
            "overflow n + 1 UNSAFE",
            "overflow k++ SAFE",
            "bounds i UNSAFE",
            "bounds *p SAFE",
            "bounds k SAFE",
            "null *p UNSAFE",
            "division i SAFE",
        ];
        assert_eq!(found, answer, "{said}{}", stderr(&out));
        assert!(said.contains("p.c:9:3"), "{said}");
        assert_eq!((code(&out), last_line(&out).as_str()), (Some(10), "VERDICT: UNSAFE"));
    }

    /// What is not known of `swprintf` is about accesses: divisions are proved by themselves, together.  That `*r` is null behind a
    /// sum that has wrapped around is no error of its own.
    #[test]
    fn what_is_open_leaves_nothing_else_open() {
        let text = "extern int nondet_int(void);\nint swprintf(int *, unsigned long, const int *, ...);\nint main(void) {\n  \
                    int w[8], a = 0, *q = &a, *r = &a;\n  int x = nondet_int();\n  if (x > 0) {\n    if (x + 1 < 0) r = 0;\n    \
                    *r = 2;\n    *q = 8 / x + 8 % x;\n  }\n  swprintf(w, 8, L\"%d\", a);\n  *q = 100 / (x | 1);\n}\n";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("p.c");
        fs::write(&file, text).expect("a file");
        let file = file.to_str().expect("a name");
        let out = run(&["check", file, "--each", "--check", "overflow,null,division"], b"");
        let said = stdout(&out);
        let of = |kind: &str| -> Vec<&str> {
            let rows = said.lines().filter(|row| row.starts_with(kind));
            let verdict = |row: &str| {
                ["SAFE", "UNSAFE", "UNKNOWN"].into_iter().find(|v| row.split(' ').any(|w| w == *v))
            };
            rows.map(|row| verdict(row).unwrap_or("none")).collect()
        };
        assert_eq!(of("overflow"), ["UNSAFE", "UNKNOWN"], "{said}");
        assert_eq!(of("null"), ["UNKNOWN"; 3], "{said}");
        assert_eq!(of("division"), ["SAFE"; 3], "{said}");
    }

    /// What is not decided by then stays so: nothing is said of it.
    #[test]
    fn the_first_error_may_be_enough() {
        let text = "extern int nondet_int(void);\nint main(void) {\n  int a[4], i = nondet_int(), n = nondet_int();\n  \
                    a[i & 7] = 1;\n  n = n + 1;\n  return 10 / i;\n}\n";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("p.c");
        fs::write(&file, text).expect("a file");
        let file = file.to_str().expect("a name");
        let check = ["check", file, "--each", "--check", "overflow,bounds,division"];
        let count =
            |said: &str, verdict: &str| said.lines().filter(|l| l.contains(verdict)).count();
        let all = stdout(&run(&check, b""));
        assert_eq!(count(&all, "  UNSAFE"), 3, "{all}");
        let out = run(&[&check[..], &["--first"]].concat(), b"");
        let said = stdout(&out);
        assert_eq!(count(&said, "  UNSAFE"), 1, "{said}");
        assert_eq!(count(&said, "UNKNOWN (not asked for behind the first error)"), 2, "{said}");
        assert_eq!((code(&out), last_line(&out).as_str()), (Some(10), "VERDICT: UNSAFE"), "{said}");
        assert_eq!(code(&run(&["check", file, "--first"], b"")), Some(2));
    }

    /// They are at one place: one property, which names all of them.
    #[test]
    fn assertions_of_one_macro() {
        let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n#define BOTH(a, b) assert(a); assert(b)\n\
                    int main(void) {\n  int x = __VERIFIER_nondet_int();\n  BOTH(x == x, x != 4);\n  return 0;\n}\n";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("p.c");
        fs::write(&file, text).expect("a file");
        let out = run(&["check", file.to_str().expect("a name"), "--each", "--quiet"], b"");
        assert_eq!(code(&out), Some(10));
        let said = stdout(&out);
        assert!(said.contains("assert(x == x); assert(x != 4)"), "{said}");
        assert_eq!(said.lines().count(), 2, "{said}");
    }

    /// The worst verdict is that of all properties at once, on programs with known verdicts.
    #[test]
    fn the_worst_verdict_is_that_of_all_together() {
        let programs = [
            "examples/lock.c",
            "examples/send-queue.c",
            "examples/send-queue-bug.c",
            "examples/handshake.c",
        ];
        for file in programs {
            let one = run(&["check", file, "--quiet"], b"");
            let each = run(&["check", file, "--each"], b"");
            assert_eq!(
                last_line(&one),
                last_line(&each),
                "{file}: {}{}",
                stdout(&each),
                stderr(&each)
            );
            assert!(stdout(&each).lines().count() > 1, "{file}: {}", stdout(&each));
        }
        let files = ["examples/queue/main.c", "examples/queue/queue.c"];
        let each = run(&["check", files[0], files[1], "--each"], b"");
        let one = run(&["check", files[0], files[1], "--quiet"], b"");
        assert_eq!(last_line(&one), last_line(&each), "{}{}", stdout(&each), stderr(&each));
    }
}
