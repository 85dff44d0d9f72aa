//! Witnesses of somebody else: confirmed, rejected, or no witnesses at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn check(file: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.arg("check").arg(file).args(arguments).args(["--time-limit", "60"]);
    command.output().expect("hardbop runs")
}

/// The last lines of standard output: what has become of the witness, and the verdict.
fn ending(output: &Output) -> (String, String) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().rev();
    let verdict = lines.next().unwrap_or_default().to_owned();
    let witness = lines.next().filter(|line| line.starts_with("witness: "));
    (witness.unwrap_or_default().to_owned(), verdict)
}

/// A program and a witness with this content, in a folder.
struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn new(program: &str, witness: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.c"), program).expect("the program is written");
        fs::write(folder.path().join("w.yml"), witness).expect("the witness is written");
        Self { folder }
    }

    fn validate(&self, arguments: &[&str]) -> Output {
        let witness = self.folder.path().join("w.yml");
        let mut all = vec!["--witness", witness.to_str().expect("text")];
        all.extend(arguments);
        check(&self.folder.path().join("a.c"), &all)
    }
}

fn head(kind: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    task:\n      specification: \
         \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n      language: C\n  content:\n"
    )
}

/// A correctness witness of one invariant at a place `line:column`, or `line`.
fn invariant(kind: &str, at: &str, value: &str) -> String {
    let head = head("invariant_set");
    format!(
        "{head}    - invariant:\n        type: {kind}\n{}        value: \"{value}\"\n        format: c_expression\n",
        location(at, "        ")
    )
}

fn location(at: &str, by: &str) -> String {
    let (line, column) = at.split_once(':').unwrap_or((at, ""));
    let column =
        if column.is_empty() { String::new() } else { format!("{by}  column: {column}\n") };
    format!("{by}location:\n{by}  file_name: \"./a.c\"\n{by}  line: {line}\n{column}")
}

/// A violation witness of segments `action type place value; ...`, one per line.
fn violation(segments: &[&str]) -> String {
    let mut text = head("violation_sequence");
    for segment in segments {
        text.push_str("    - segment:\n");
        for waypoint in segment.split("; ") {
            let mut words = waypoint.splitn(4, ' ');
            let mut next = || words.next().unwrap_or_default();
            let (action, kind, place, value) = (next(), next(), next(), next());
            let by = "            ";
            let place = location(place, by);
            text.push_str(&format!(
                "        - waypoint:\n{by}type: {kind}\n{by}action: {action}\n{place}"
            ));
            if !value.is_empty() {
                text.push_str(&format!("{by}constraint:\n{by}  value: '{value}'\n"));
            }
        }
    }
    text
}

/// Nothing that found the verdict is used to validate it.
const OTHERS: [&str; 4] = ["--explicit-states", "0", "--executions", "0"];

#[test]
fn what_is_exported_is_confirmed_by_another_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs: Vec<PathBuf> = Vec::new();
    for folder in ["examples", "tests/c/programs"] {
        let all = fs::read_dir(root.join(folder)).expect("a folder");
        programs.extend(all.map(|entry| entry.expect("an entry").path()));
    }
    programs.retain(|p| p.extension().is_some_and(|e| e == "c"));
    programs.sort();
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("w.yml");
    let to = witness.to_str().expect("text");
    let (mut safe, mut errors) = (0, 0);
    for program in &programs {
        let _ = fs::remove_file(&witness);
        let found = ending(&check(program, &["--dump-witness", to]));
        if !witness.exists() {
            continue;
        }
        let mut arguments = vec!["--witness", to];
        arguments.extend(OTHERS);
        let output = check(program, &arguments);
        let (result, verdict) = ending(&output);
        let name = program.display();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("the witness is"), "{name}: {said}");
        // What these options cannot decide without a witness they need not decide with one; nor
        // what takes too long here.
        if verdict.contains("time limit") {
            continue;
        }
        if verdict.contains("UNKNOWN") && result.contains("not confirmed") {
            let plain = ending(&check(program, &OTHERS)).1;
            assert!(plain.contains("UNKNOWN"), "{name}: {result}, but {plain} without the witness");
            continue;
        }
        assert_eq!((result.as_str(), &verdict), ("witness: confirmed", &found.1), "{name}: {said}");
        *(if verdict.contains("UNSAFE") { &mut errors } else { &mut safe }) += 1;
    }
    assert!(safe > 30 && errors > 30, "{safe} safe, {errors} errors");
}

const LOOP: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
int table[4];
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  struct pair p = {1, 2};
  int *q = &table[1];
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    i++; s = s + 2;
  }
  do { s--; } while (s > 0);
  for (int k = 0; k < 3; k++) p.a = k;
  if (s > 0) reach_error();
  return 0;
}
";

#[test]
fn invariants_are_proved_or_rejected() {
    for (kind, at, value, holds) in [
        ("loop_invariant", "10:3", "i <= n && s == 2 * i", true),
        ("loop_invariant", "10", "0 <= i && i <= 1000", true),
        ("loop_invariant", "10:3", "i < n", false),
        ("loop_invariant", "10:3", "(unsigned)i <= 1000u && (long)s >= 0 && p.b == 2", true),
        ("location_invariant", "11:5", "i < n", true),
        ("location_invariant", "11:5", "i > 0", false),
        ("location_invariant", "11", "i < n", true),
        ("location_invariant", "11:10", "i >= 1", true),
        ("location_invariant", "7:3", "i == 0", true),
        ("loop_invariant", "14:3", "0 <= k && k <= 3", true),
        ("loop_invariant", "14:3", "k < 3", false),
        // Before each round, and before each evaluation of the condition.
        ("loop_invariant", "13:3", "s <= 2000 && s >= -1", true),
        ("loop_invariant", "13:3", "s > 0", false),
        ("location_invariant", "15:3", "*q == 0 && q[1] == 0", true),
        ("location_invariant", "15:3", "*q == 1", false),
        // Evaluation has no defined meaning.
        ("location_invariant", "15:3", "1 / (p.a - 2) == 0 || 1", false),
        ("location_invariant", "15:3", "p.a == 2 || 1 / (p.a - 2) != 5", true),
        ("location_invariant", "15:3", "table[4 + i] == 0 || 1", false),
        ("location_invariant", "15:3", "*(int *)0 == 0 || 1", false),
    ] {
        let case = Case::new(LOOP, &invariant(kind, at, value));
        let output = case.validate(&[]);
        let (result, verdict) = ending(&output);
        let said = String::from_utf8_lossy(&output.stderr);
        if holds {
            assert_eq!(
                (result.as_str(), verdict.as_str()),
                ("witness: confirmed", "VERDICT: SAFE"),
                "{value}: {said}"
            );
            assert_eq!(output.status.code(), Some(0));
        } else {
            let words = format!("the invariant '{value}' does not hold");
            assert!(
                result.starts_with("witness: rejected (") && result.contains(&words),
                "{value}: {result} {said}"
            );
            assert!(result.contains("w.yml:14:17: "), "the place in the witness: {result}");
            assert!(
                verdict.starts_with("VERDICT: UNKNOWN (the witness is rejected: "),
                "{verdict}"
            );
            assert_eq!(output.status.code(), Some(20));
        }
    }
}

/// The preprocessor makes one blank of a comment.
#[test]
fn columns_are_those_of_the_file() {
    let program = "#define SET(x) x = 7\nextern void reach_error(void);\nint main(void) {\n  int x = 0;\n  x = 1; \
                   /*ccc*/x = 2;   x = 3; SET(x); x = 8;\n  return 0;\n}\n";
    for (at, value, holds) in [
        ("5:17", "x == 1", true),
        ("5:17", "x == 2", false),
        ("5:26", "x == 2", true),
        ("5:33", "x == 3", true),
        ("5:41", "x == 7", true),
        ("5:41", "x == 3", false),
    ] {
        let case = Case::new(program, &invariant("location_invariant", at, value));
        let (result, _) = ending(&case.validate(&[]));
        assert_eq!(result == "witness: confirmed", holds, "{at}, {value}: {result}");
    }
    // In a comment nothing begins, and in the arguments of a macro nobody knows.
    for at in ["5:37", "5:12"] {
        let case = Case::new(program, &invariant("location_invariant", at, "x == 7"));
        let output = case.validate(&[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("a macro is expanded in front of it"), "{said}");
    }
}

#[test]
fn an_error_of_the_program_is_one_whatever_the_invariants_say() {
    let program = LOOP.replace("if (s > 0)", "if (s < 0)");
    let case = Case::new(&program, &invariant("loop_invariant", "10:3", "i <= n"));
    let output = case.validate(&[]);
    let (result, verdict) = ending(&output);
    assert_eq!(result, "witness: rejected (the program reaches the error)");
    assert_eq!(verdict, "VERDICT: UNSAFE");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("a.c:15") && !text.contains("w.yml:12"), "a path of the program: {text}");
    // Its invariants are looked at first where they are passed first.
    let case = Case::new(&program, &invariant("loop_invariant", "10:3", "i > 0"));
    assert!(ending(&case.validate(&[])).1.starts_with("VERDICT: UNKNOWN"));
}

const PATHS: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int step(int by) { return by + 1; }
int main(void) {
  int x = 0, y = 0;
  for (int i = 0; i < 3; i++) {
    int input = __VERIFIER_nondet_int();
    if (input == 5) x = x + 1;
    else y = y + 1;
  }
  switch (x) {
  case 1: y = step(y); break;
  case 2: y = 7; break;
  default: y = 9;
  }
  if (x == 1) reach_error();
  if (y == 7) reach_error();
  step(x);
  return 0;
}
";

#[test]
fn only_executions_that_pass_the_waypoints_confirm_a_violation() {
    let target = "follow target 16:15";
    let other = "follow target 17:15";
    for (segments, confirmed) in [
        (vec![target], true),
        (vec![other], true),
        (vec!["follow target 16"], true),
        // No error is in this statement.
        (vec!["follow target 11:3"], false),
        (vec!["follow branching 16:3 true", target], true),
        (vec!["follow branching 16:3 false", target], false),
        (vec!["follow branching 11:3 2", target], false),
        (vec!["follow branching 11:3 2", other], true),
        (vec!["follow branching 11:3 default", target], false),
        (vec!["follow function_enter 12:21", target], true),
        (vec!["follow function_enter 12:21", other], false),
        (vec!["follow function_return 12:21 \\result == 3", target], true),
        (vec!["follow function_return 12:21 \\result == 4", target], false),
        // Only the last of three calls; the first ones are passed by.
        (vec!["follow function_return 7:39 \\result == 5", target], true),
        (
            vec![
                "avoid branching 8:5 true; follow branching 8:5 false",
                "follow branching 8:5 true",
                "follow branching 8:5 false",
                target,
            ],
            true,
        ),
        (vec!["follow branching 8:5 true", "avoid branching 8:5 true; follow target 17:15"], false),
        (vec!["follow branching 8:5 true", "avoid branching 8:5 true; follow target 16:15"], true),
        (vec!["follow assumption 8:5 i == 2 && x == 0 && input == 5", target], true),
        (vec!["follow assumption 8:5 i == 2 && x == 0 && input == 5", other], false),
        (vec!["follow assumption 11:3 x == 2 && y == 1", other], true),
        // What is avoided is so in its segment only: neither before it, nor where the same event
        // ends it.
        (
            vec![
                "follow assumption 11:3 x == 2",
                "avoid assumption 11:3 x == 2; follow target 17:15",
            ],
            true,
        ),
        (
            vec!["follow branching 16:3 false", "avoid branching 16:3 false; follow target 17:15"],
            true,
        ),
        (vec!["avoid assumption 11:3 x == 2; follow assumption 11:3 y == 1", other], true),
        (vec!["avoid assumption 11:3 x == 2; follow assumption 11:3 y == 2", other], false),
        // A result that nothing uses.
        (vec!["follow function_return 18:9 \\result == 2", target], false),
        (vec!["follow branching 6:3 false", target], true),
    ] {
        for options in [&[][..], &OTHERS] {
            let case = Case::new(PATHS, &violation(&segments));
            let output = case.validate(options);
            let (result, verdict) = ending(&output);
            let said = String::from_utf8_lossy(&output.stderr);
            if confirmed {
                let both = (result.as_str(), verdict.as_str());
                assert_eq!(both, ("witness: confirmed", "VERDICT: UNSAFE"), "{segments:?}: {said}");
            } else {
                let why = "witness: rejected (no execution passes its waypoints";
                assert!(result.starts_with(why), "{segments:?}: {result} {said}");
                assert!(verdict.starts_with("VERDICT: UNKNOWN"), "{segments:?}: {verdict}");
            }
        }
    }
}

#[test]
fn the_inputs_of_calls_whose_results_only_the_witness_uses_are_not_taken_by_others() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  __VERIFIER_nondet_int();
  int x = __VERIFIER_nondet_int();
  if (x == 77) reach_error();
  return 0;
}
";
    let segments = ["follow function_return 4:25 \\result == 5", "follow target 6:16"];
    let case = Case::new(program, &violation(&segments));
    let output = case.validate(&OTHERS);
    assert_eq!(ending(&output), ("witness: confirmed".into(), "VERDICT: UNSAFE".into()));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("__VERIFIER_nondet_int() = 77 (line 5)"), "{text}");
}

#[test]
fn what_only_the_program_reads_from_outside_keeps_its_value() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int before = 1, u, v;
  if (before) __VERIFIER_nondet_int();
  int x = __VERIFIER_nondet_int();
  if (x == 77 && u == 5 && v == x + u) reach_error();
  return 0;
}
";
    // What the witness says needs variables of its own in front of those of the program.
    let segments =
        ["follow function_return 5:37 \\result > 5 && \\result < 9", "follow target 7:40"];
    let case = Case::new(program, &violation(&segments));
    let output = case.validate(&OTHERS);
    let said = String::from_utf8_lossy(&output.stderr);
    let both = ("witness: confirmed".into(), "VERDICT: UNSAFE".into());
    assert_eq!(ending(&output), both, "{said}");
    let text = String::from_utf8_lossy(&output.stdout);
    for part in ["__VERIFIER_nondet_int() = 77 (line 6)", "= 5", "= 82"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_run_that_is_ended_at_a_limit_has_not_confirmed_the_witness() {
    let program = "extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), a = 0;
  while (__VERIFIER_nondet_uint()) { a = a * n + 7; n ^= n * a; }
  if (a * 3 + n * n == 123456789u && n > 77777) reach_error();
  return 0;
}
";
    let case = Case::new(program, &invariant("loop_invariant", "5:3", "a == 0 || n > 0"));
    let output = case.validate(&[&OTHERS[..], &["--memory-limit", "24M"]].concat());
    let (result, verdict) = ending(&output);
    let begins = "VERDICT: UNKNOWN (memory limit reached during: ";
    assert!(verdict.starts_with(begins), "{verdict}");
    assert_eq!(result, "witness: not confirmed (memory limit reached)");
    assert_eq!(output.status.code(), Some(20));
}

#[test]
fn mistakes_are_counted_beyond_a_hundred() {
    let mut witness = head("invariant_set");
    for _ in 0..150 {
        witness.push_str("    - invariant: 7\n");
    }
    let output = Case::new("int main(void) { return 0; }", &witness).validate(&[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(said.matches("error: ").count(), 100, "{said}");
    assert!(said.contains("... and 50 more mistakes"), "{said}");
}

#[test]
fn places_are_those_of_the_file_before_the_preprocessor() {
    let program = "#include <assert.h>
#define N 10
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0;
  while (i < N) i++;
  assert(i == VALUE);
  return 0;
}
";
    let safe = program.replace("VALUE", "N");
    let case = Case::new(&safe, &invariant("loop_invariant", "6:3", "i <= 10"));
    assert_eq!(ending(&case.validate(&OTHERS)).0, "witness: confirmed");
    let wrong = program.replace("VALUE", "__VERIFIER_nondet_int()");
    let case = Case::new(&wrong, "");
    let (file, to) = (case.folder.path().join("a.c"), case.folder.path().join("w.yml"));
    check(&file, &["--dump-witness", to.to_str().expect("text")]);
    assert_eq!(
        ending(&case.validate(&OTHERS)),
        ("witness: confirmed".into(), "VERDICT: UNSAFE".into())
    );
}

#[test]
fn what_is_no_witness_of_the_program_is_a_mistake_at_its_place() {
    let fine = invariant("loop_invariant", "10:3", "i <= n");
    let path = violation(&["follow function_return 7:39 \\result == 5", "follow target 16:15"]);
    for (text, place, words) in [
        ("[".to_owned(), "w.yml:1:", "this is not YAML"),
        (String::new(), "w.yml:1:1", "the file is empty"),
        ("a: b".to_owned(), "w.yml:1:1", "this is not a witness"),
        (
            fine.replace("\"2.0\"", "\"3.0\""),
            "w.yml:3:21",
            "this version of the format is not supported",
        ),
        (
            fine.replace("invariant_set", "ghosts"),
            "w.yml:1:15",
            "entries of type 'ghosts' are not supported",
        ),
        (fine.replace("loop_inv", "function_contract_inv"), "w.yml:9:15", "are not supported"),
        (fine.replace("line: 10", "line: 11"), "w.yml:11:11", "no loop begins here"),
        (fine.replace("line: 10", "line: 900"), "w.yml:11:11", "nothing in line 900"),
        (fine.replace("column: 3", "column: 300"), "w.yml:11:11", "line 10 has no column 300"),
        (fine.replace("line: 10", "line: x"), "w.yml:12:17", "a line is a number"),
        (fine.replace("a.c", "b.c"), "w.yml:11:22", "the program has no file './b.c'"),
        (
            fine.replace("line: 10", "line: 10\n          function: other"),
            "w.yml:11:11",
            "in the function 'other'",
        ),
        (fine.replace("i <= n", "i <= unknown"), "w.yml:14:22", "'unknown'"),
        (fine.replace("i <= n", "i <="), "w.yml:14:21", "expected"),
        (fine.replace("i <= n", "i++ < n"), "w.yml:14:17", "not supported"),
        (fine.replace("i <= n", "__VERIFIER_nondet_int() < n"), "w.yml:14:17", "not supported"),
        (fine.replace("i <= n", "1); } int f(void) { return (1"), "w.yml:14:18", "unmatched ')'"),
        (fine.replace("i <= n", "\\\\old(i) <= n"), "w.yml:14:", "ACSL"),
        (fine.replace("c_expression", "smt"), "w.yml:15:17", "format 'smt'"),
        (fine.replace("        value: \"i <= n\"\n", ""), "w.yml:9:9", "'value' is missing"),
        (
            path.replace("violation_sequence", "invariant_set"),
            "w.yml:8:7",
            "'segment' is not supported here",
        ),
        (
            path.replace("action: follow", "action: cycle"),
            "w.yml:11:21",
            "this action is not supported",
        ),
        (
            path.replace("type: target", "type: data_race"),
            "w.yml:20:19",
            "'data_race' are not supported",
        ),
        (
            path.replace("type: target", "type: function_enter"),
            "w.yml:23:15",
            "does not end with a target",
        ),
        (
            path.replace("type: function_return", "type: target"),
            "w.yml:13:15",
            "a target before the last segment",
        ),
    ] {
        let program =
            if text.contains("violation") || text.contains("segment") { PATHS } else { LOOP };
        let output = Case::new(program, &text).validate(&[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(words) && said.contains(place), "{place} {words}: {said}");
    }
}

#[test]
fn a_witness_of_another_version_is_doubted_and_judged_all_the_same() {
    let witness = invariant("loop_invariant", "10:3", "i <= n")
        .replace(
            "      language: C",
            "      input_file_hashes:\n        a.c: \"00\"\n      language: C",
        )
        .replace("call(reach_error())", "overflow");
    let output = Case::new(LOOP, &witness).validate(&[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the witness is of another version of '"), "{said}");
    assert!(said.contains("the witness is about another property than what is checked"), "{said}");
    assert_eq!(ending(&output).0, "witness: confirmed");
}

#[test]
fn a_witness_is_part_of_the_document() {
    let case = Case::new(LOOP, &invariant("loop_invariant", "10:3", "i < n"));
    let output = case.validate(&["--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["witness"]["result"], "rejected");
    assert_eq!(document["reason"]["code"], "witness");
    assert!(document["witness"]["file"].as_str().expect("a name").ends_with("w.yml"));
}
