//! Witnesses of programs of several files: each place is in the file that the witness names.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const MAIN: &str = "#include \"shared.h\"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int twice(int n);
static int limit = 10;
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0 || n > limit) return 0;
  while (i < n) i++;
  int both = twice(i);
  if (both != 2 * n) reach_error();
  if (small(n) == 12) reach_error();
  return 0;
}
";

const TWICE: &str = "#include \"shared.h\"
typedef unsigned char byte;
static int limit = 7;
int twice(int n) {
  int s = 0, i = 0;
  while (i < n) {
    s += 2;
    i++;
  }
  if (s == 14) s = small(s) + limit - 7;
  return s;
}
";

const SHARED: &str = "static int small(int n) {
  int m = n;
  while (m > 20) m--;
  return m;
}
";

/// A program of two files of the same name and a header, in a folder.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("lib")).expect("a folder");
    fs::write(path("a.c"), MAIN).expect("it is written");
    fs::write(path("lib/a.c"), TWICE).expect("it is written");
    fs::write(path("shared.h"), SHARED).expect("it is written");
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.current_dir(folder).args(["check", "a.c", "lib/a.c", "-I", ".", "--time-limit", "30"]);
    command.args(arguments).output().expect("hardbop runs")
}

/// What has become of the witness, the verdict, and what was said.
fn validated(folder: &Path, witness: &str) -> (String, String, String) {
    fs::write(folder.join("w.yml"), witness).expect("it is written");
    let others = ["--executions", "0"];
    let output = check(folder, &[&["--witness", "w.yml"], &others[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().rev().map(str::to_owned);
    let verdict = lines.next().unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (lines.next().unwrap_or_default(), verdict, said)
}

fn head(kind: &str) -> String {
    format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n  content:\n")
}

fn location(file: &str, line: usize) -> String {
    format!("{{file_name: \"{file}\", line: {line}}}")
}

fn invariants(all: &[(&str, usize, &str)]) -> String {
    let mut text = head("invariant_set");
    for (file, line, value) in all {
        text.push_str(&format!(
            "    - invariant:\n        type: loop_invariant\n        location: {}\n        value: \"{value}\"\n        format: c_expression\n",
            location(file, *line)
        ));
    }
    text
}

#[test]
fn invariants_are_of_the_file_that_is_named() {
    let folder = folder();
    for (all, result) in [
        (&[("a.c", 9, "i <= n && limit == 10")][..], "confirmed"),
        (&[("x/lib/a.c", 6, "s == 2 * i && i <= n && (byte)limit == 7")], "confirmed"),
        (&[("./lib/../lib/a.c", 6, "s == 2 * i + 1")], "does not hold"),
        (&[("lib/a.c", 9, "i <= n")], "no loop begins here"),
        (&[("lib/b.c", 6, "i <= n")], "the program has no file 'lib/b.c'"),
        // In both files that include it.
        (&[("shared.h", 3, "m <= n")], "confirmed"),
        (&[("shared.h", 3, "m == n")], "confirmed"),
        (&[("shared.h", 3, "m < 14")], "does not hold"),
    ] {
        let (witness, verdict, said) = validated(folder.path(), &invariants(all));
        match result {
            "confirmed" => {
                let both = (witness.as_str(), verdict.as_str());
                assert_eq!(both, ("witness: confirmed", "VERDICT: SAFE"), "{all:?}: {said}");
            }
            "does not hold" => {
                let is_rejected = witness.starts_with("witness: rejected (");
                assert!(is_rejected && witness.contains(result), "{all:?}: {witness} {said}");
            }
            _ => assert!(said.contains(result) && said.contains("w.yml:"), "{all:?}: {said}"),
        }
    }
    // The first file is meant where none is named, and mistakes have their places in the witness.
    let text = invariants(&[("", 9, "i <= n && limit == 10")]).replace("file_name: \"\", ", "");
    assert_eq!(validated(folder.path(), &text).0, "witness: confirmed");
    let (_, _, said) = validated(folder.path(), &text.replace("limit", "nobody"));
    assert!(said.contains("w.yml:8:") && said.contains("'nobody'"), "{said}");
}

#[test]
fn executions_pass_waypoints_of_several_files() {
    let folder = folder();
    let wrong = TWICE.replace("limit - 7", "limit - 6");
    fs::write(folder.path().join("lib/a.c"), wrong).expect("it is written");
    let segments = |all: &[(&str, &str, usize, &str)]| {
        let mut text = head("violation_sequence");
        for (kind, file, line, value) in all {
            let constraint = match *value {
                "" => String::new(),
                value => format!("            constraint: {{value: '{value}'}}\n"),
            };
            text.push_str(&format!(
                "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n            location: {}\n{constraint}",
                location(file, *line)
            ));
        }
        text
    };
    let target = ("target", "main/a.c", 11, "");
    let of_lib = |kind, line, value| (kind, "lib/a.c", line, value);
    // A name without a folder would be that of both files.
    fs::create_dir(folder.path().join("main")).expect("a folder");
    fs::rename(folder.path().join("a.c"), folder.path().join("main/a.c")).expect("it is renamed");
    for (all, confirmed) in [
        ([of_lib("branching", 10, "true"), target], true),
        ([of_lib("branching", 10, "false"), target], false),
        ([of_lib("assumption", 7, "i == 6 && s == 12"), target], true),
        ([of_lib("assumption", 7, "i == 7"), target], false),
        ([("branching", "shared.h", 3, "false"), target], true),
        ([("branching", "shared.h", 3, "true"), target], false),
        // No error is in this statement, which is reached.
        ([of_lib("branching", 10, "true"), of_lib("target", 11, "")], false),
    ] {
        fs::write(folder.path().join("w.yml"), segments(&all)).expect("it is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.current_dir(folder.path()).args(["check", "main/a.c", "lib/a.c", "-I", "."]);
        command.args(["--witness", "w.yml", "--time-limit", "30"]);
        let output = command.output().expect("hardbop runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let result = match confirmed {
            true => "witness: confirmed\nVERDICT: UNSAFE",
            false => "witness: rejected (no execution passes its waypoints",
        };
        let mistakes = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(result), "{all:?}: {said} {mistakes}");
    }
    fs::write(folder.path().join("w.yml"), segments(&[("target", "a.c", 11, "")]))
        .expect("it is written");
    let arguments = "check main/a.c lib/a.c -I . --witness w.yml".split(' ');
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    let output = command.current_dir(folder.path()).args(arguments).output().expect("hardbop runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the program has several files 'a.c': 'lib/a.c', 'main/a.c'"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

/// In both formats.
#[test]
fn what_is_exported_is_confirmed() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/queue");
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.current_dir(&examples).args(["check", "main.c", "queue.c", "--time-limit", "30"]);
        let output = command.args(arguments).output().expect("hardbop runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let steps = folder.path().join("steps.json");
    let text = r#"{"automaton": [{"do": "intervals"}, {"do": "search"}]}"#;
    std::fs::write(&steps, text).expect("written");
    for name in ["w.yml", "w.graphml"] {
        let to = folder.path().join(name);
        let to = to.to_str().expect("text");
        for (limit, verdict) in [("LIMIT=9", "UNSAFE"), ("LIMIT=2", "SAFE")] {
            let said = run(&["-D", limit, "--dump-witness", to]);
            assert!(said.ends_with(&format!("VERDICT: {verdict}\n")), "{said}");
            let said = run(&["-D", limit, "--witness", to, "--executions", "0"]);
            let result = format!("witness: confirmed\nVERDICT: {verdict}\n");
            assert!(said.ends_with(&result), "{name}, {limit}: {said}");
            // Many ways meet in the monitor of a witness: intervals behind them prove nothing that is not so.
            let steps = ["--strategy", steps.to_str().expect("text")];
            let said =
                run(&[&["-D", limit, "--witness", to, "--executions", "0"][..], &steps].concat());
            assert!(said.ends_with(&result), "{name}, {limit}: {said}");
        }
    }
}
