//! Certificates of C programs: accepted as they are written, rejected where anything is changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

pub(super) fn hardbop(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(arguments).args(["--time-limit", "30"]).output().expect("hardbop runs")
}

pub(super) fn last(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// A program and its certificate, in a folder.
pub(super) struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    /// Checks the program with these options, which come to this verdict.
    pub(super) fn new(program: &str, options: &[&str], verdict: &str) -> Self {
        let case = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::write(case.file(), program).expect("the program is written");
        let (file, to) = (case.file(), case.certificate());
        let mut arguments = vec!["check", text(&file), "--certificate", text(&to)];
        arguments.extend(options);
        let output = hardbop(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(last(&output), format!("VERDICT: {verdict}"), "{said}");
        case
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.path().join("a.c")
    }

    fn certificate(&self) -> PathBuf {
        self.folder.path().join("c.json")
    }

    pub(super) fn json(&self) -> Value {
        let bytes = fs::read(self.certificate()).expect("a certificate was written");
        serde_json::from_slice(&bytes).expect("a certificate is JSON")
    }

    /// Judges the certificate, or what was made of it.
    pub(super) fn judge(&self, certificate: &Value, options: &[&str]) -> Output {
        let other = self.folder.path().join("other.json");
        fs::write(&other, certificate.to_string()).expect("the certificate is written");
        let file = self.file();
        let mut arguments = vec!["certify", text(&file), text(&other)];
        arguments.extend(options);
        hardbop(&arguments)
    }
}

pub(super) fn assert_rejected(output: &Output, words: &str) {
    let line = last(output);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(line.starts_with("CERTIFICATE: REJECTED ("), "{words}: {line} {said}");
    assert!(line.contains(words), "{words}: {line}");
    assert_eq!(output.status.code(), Some(1), "{line}");
}

pub(super) fn assert_valid(output: &Output, verdict: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(last(output), format!("CERTIFICATE: VALID ({verdict})"), "{said}");
    assert_eq!(output.status.code(), Some(0));
}

const LOOP: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), even = 0, i = 0;
  if (n < 0) return 0;
  while (i < n) {
    even = !even;
    i++;
  }
  if (even > 1) reach_error();
  return 0;
}
";

const ERROR: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a == 123 && b == a + 4) reach_error();
  return 0;
}
";

const ONLY: &str = "extern void reach_error(void);
int main(void) {
  int s = 0;
  for (int i = 0; i < 100; i++) s += i;
  if (s != 4950) reach_error();
  return 0;
}
";

#[test]
fn the_verdicts_on_all_programs_are_certified() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs: Vec<PathBuf> = Vec::new();
    for folder in ["examples", "tests/c/programs"] {
        let all = fs::read_dir(root.join(folder)).expect("a folder");
        programs.extend(all.map(|entry| entry.expect("an entry").path()));
    }
    programs.retain(|p| p.extension().is_some_and(|e| e == "c"));
    programs.sort();
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("c.json");
    let mut counts = [0, 0];
    for program in &programs {
        let _ = fs::remove_file(&to);
        let output = hardbop(&["check", text(program), "--certificate", text(&to)]);
        let (name, verdict) = (program.display(), last(&output));
        let said = String::from_utf8_lossy(&output.stderr);
        if !to.exists() {
            let is_said = said.contains("no certificate is written: ");
            assert!(is_said || output.status.code() == Some(2), "{name}: {verdict} {said}");
            continue;
        }
        let is_safe = verdict == "VERDICT: SAFE";
        let judged = hardbop(&["certify", text(program), text(&to)]);
        let why = String::from_utf8_lossy(&judged.stderr).into_owned();
        let expected = if is_safe { "SAFE" } else { "UNSAFE" };
        assert_eq!(last(&judged), format!("CERTIFICATE: VALID ({expected})"), "{name}: {why}");
        counts[usize::from(!is_safe)] += 1;
    }
    let [safe, errors] = counts;
    assert!(safe > 30 && errors > 30, "{counts:?}");
}

#[test]
fn an_invariant_is_proved_by_another_solver() {
    for (options, by) in [
        (&["--executions", "0"][..], "z3"),
        (&["--explicit-states", "0"], "z3"),
        (&["--explicit-states", "0", "--smt", "z3"], "blast"),
        (&["--explicit-states", "0", "--blocks", "sbe"], "z3"),
    ] {
        let case = Case::new(LOOP, options, "SAFE");
        let output = case.judge(&case.json(), &["--json"]);
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["result"], "VALID", "{document}");
        assert_eq!(document["smt"], by);
        assert!(document["smt-queries"].as_u64().is_some_and(|n| n > 0));
        assert_eq!(document["property"]["error-labels"], json!(["ERROR"]));
    }
}

#[test]
fn a_changed_invariant_is_rejected() {
    let case = Case::new(LOOP, &["--explicit-states", "0"], "SAFE");
    let fine = case.json();
    let states = fine["proof"]["states"].as_array().expect("states").clone();
    let is_weak = |state: &Value| state["formula"] == "true";
    let at = states.iter().position(|s| !is_weak(s)).expect("something is known of the loop");
    // Dropped: then its place counts as never reached.
    let mut changed = fine.clone();
    changed["proof"]["states"].as_array_mut().expect("states").remove(at);
    assert_rejected(&case.judge(&changed, &[]), "does not lead to what is to hold at");
    // Nothing is known any more.
    let mut changed = fine.clone();
    changed["proof"]["states"][at]["formula"] = json!("true");
    assert_rejected(&case.judge(&changed, &[]), "does not exclude an error");
    // More than holds.
    for formula in ["false", "(= |main::even| #x00000000)"] {
        let mut changed = fine.clone();
        changed["proof"]["states"][at]["formula"] = json!(formula);
        assert_rejected(&case.judge(&changed, &[]), "the invariant is no proof: ");
    }
    let mut changed = fine.clone();
    changed["proof"]["states"][0]["formula"] = json!("(= |main::even| #x00000000)");
    let first = case.judge(&changed, &[]);
    assert_rejected(&first, "");
    // No formulas at all.
    for (formula, words) in [
        ("", "not one term"),
        ("(and true", "ill-formed"),
        ("|main::even|", "no formula"),
        ("(= |main::even| #x0)", "ill-formed"),
        ("(= nobody #x00000000)", "nobody"),
    ] {
        let mut changed = fine.clone();
        changed["proof"]["states"][at]["formula"] = json!(formula);
        assert_rejected(&case.judge(&changed, &[]), words);
    }
    let mut changed = fine.clone();
    changed["proof"]["states"][at]["location"] = json!(4_000_000);
    assert_rejected(&case.judge(&changed, &[]), "location 4000000 is none");
}

#[test]
fn changed_inputs_are_rejected() {
    let case = Case::new(ERROR, &[], "UNSAFE");
    let fine = case.json();
    assert_valid(&case.judge(&fine, &[]), "UNSAFE");
    assert_eq!(fine["inputs"][1]["value"], json!(127));
    let mut changed = fine.clone();
    changed["inputs"][1]["value"] = json!(128);
    assert_rejected(&case.judge(&changed, &[]), "the inputs do not lead to an error");
    let mut changed = fine.clone();
    changed["inputs"].as_array_mut().expect("inputs").remove(0);
    assert_rejected(&case.judge(&changed, &[]), "the inputs do not lead to an error");
    // A verdict that is not true.
    let mut changed = fine.clone();
    changed["verdict"] = json!("SAFE");
    changed.as_object_mut().expect("an object").remove("inputs");
    changed["proof"] = json!({ "kind": "only-execution" });
    assert_rejected(&case.judge(&changed, &[]), "other executions");
}

#[test]
fn the_only_execution_is_run_again() {
    let case = Case::new(ONLY, &[], "SAFE");
    assert_eq!(case.json()["proof"], json!({ "kind": "only-execution" }));
    assert_valid(&case.judge(&case.json(), &[]), "SAFE");
    let wrong = Case::new(&ONLY.replace("!= 4950", "== 4950"), &[], "UNSAFE");
    let mut claimed = wrong.json();
    claimed["verdict"] = json!("SAFE");
    claimed.as_object_mut().expect("an object").remove("inputs");
    claimed["proof"] = json!({ "kind": "only-execution" });
    assert_rejected(&wrong.judge(&claimed, &[]), "does not end without an error");
}

#[test]
fn a_certificate_is_of_one_program_and_one_property() {
    let case = Case::new(LOOP, &["--explicit-states", "0"], "SAFE");
    let fine = case.json();
    fs::write(case.file(), LOOP.replace("i++", "i += 1")).expect("the program is written");
    assert_rejected(&case.judge(&fine, &[]), "for another program");
    fs::write(case.file(), format!("# 1 \"elsewhere.c\"\n{LOOP}")).expect("it is written");
    assert_valid(&case.judge(&fine, &[]), "SAFE");
    assert_rejected(&case.judge(&fine, &["--error", "BAD"]), "its error labels are ERROR");
    assert_rejected(&case.judge(&fine, &["--entry", "other"]), "it starts with 'main'");
    assert_rejected(&case.judge(&fine, &["--ignore-asserts"]), "assertions are checked");
    assert_valid(&case.judge(&fine, &["--entry", "main", "--error", "ERROR"]), "SAFE");
    // With more to prove.
    let mut more = fine.clone();
    more["property"]["overflow"] = json!(true);
    more["property"]["error-functions"] = json!(["reach_error", "__VERIFIER_nondet_int"]);
    assert_rejected(&case.judge(&more, &[]), "");
}

#[test]
fn what_undefined_functions_may_do_is_part_of_the_claim() {
    let program = "extern void reach_error(void); extern void other(void); int state;
int main(void) { state = 1; other(); if (state != 1) reach_error(); return 0; }
";
    let pure = Case::new(program, &["--externals", "pure", "--executions", "0"], "SAFE");
    let fine = pure.json();
    let output = pure.judge(&fine, &[]);
    assert_valid(&output, "SAFE");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("assumed: 'other' is not defined"), "{said}");
    let mut more = fine.clone();
    more["model"]["externals"] = json!("any");
    assert_rejected(&pure.judge(&more, &[]), "");

    // Of `any`, a proof may assume `reachable` where nobody is called; else it is no proof of that.
    let program = "extern void reach_error(void), other(void); extern int __VERIFIER_nondet_int(void); int state;
int main(void) { int n = __VERIFIER_nondet_int(); other(); state = 1;
  while (n-- > 0) state = 3 - state; if (state > 2) reach_error(); return 0; }
";
    let alone = program.replace("other();", "");
    for (program, is_proof) in [(alone.as_str(), true), (program, false)] {
        let case = Case::new(program, &["--externals", "reachable", "--executions", "0"], "SAFE");
        let mut claim = case.json();
        assert_eq!(claim["proof"]["externals"], "reachable");
        assert_valid(&case.judge(&claim, &[]), "SAFE");
        claim["model"]["externals"] = json!("any");
        let output = case.judge(&claim, &[]);
        match is_proof {
            true => assert_valid(&output, "SAFE"),
            false => assert_rejected(&output, "'other' is not defined"),
        }
    }
}

#[test]
fn how_deep_a_proof_follows_calls_is_bounded() {
    let case = Case::new(LOOP, &["--explicit-states", "0", "--executions", "0"], "SAFE");
    for deep in [0, 100_001, u32::MAX] {
        let mut claim = case.json();
        claim["proof"]["recursion"] = json!(deep);
        assert_rejected(&case.judge(&claim, &[]), &format!("not {deep}"));
    }
}

#[test]
fn what_is_no_certificate_is_a_mistake() {
    let case = Case::new(ERROR, &[], "UNSAFE");
    let fine = case.json();
    let change = |change: &dyn Fn(&mut Value)| {
        let mut other = fine.clone();
        change(&mut other);
        other
    };
    for (document, words) in [
        (json!([]), "not a certificate"),
        (change(&|c| c["version"] = json!(2)), "version 2"),
        (change(&|c| c["format"] = json!("hardbop-certificate")), "its format is"),
        (change(&|c| c["more"] = json!(1)), "unknown field"),
        (change(&|c| c["verdict"] = json!("SAFE")), "SAFE needs a proof"),
        (change(&|c| c["inputs"][0]["bits"] = json!(0)), "from 1 to 64 bits"),
        // What the schema forbids.
        (
            change(&|c| drop(c["property"].as_object_mut().map(|p| p.remove("entry")))),
            "'property.entry': it is missing",
        ),
        (change(&|c| c["proof"] = json!(null)), "'proof': null has no place here"),
        (
            change(&|c| c["model"] = json!(["any", false])),
            "'model': an object is needed, not a list",
        ),
        (
            change(&|c| c["verdict"] = json!({ "UNSAFE": null })),
            "'verdict': a text is needed, not an object",
        ),
        (change(&|c| c["program-sha256"] = json!("12")), "64 hexadecimal digits"),
        (
            change(&|c| c["inputs"][0]["bits"] = json!("32")),
            "'inputs[0].bits': a number from 0 to 4294967295 is needed, not the text \"32\"",
        ),
        (change(&|c| c["inputs"] = json!({})), "'inputs': a list is needed, not an object"),
    ] {
        let output = case.judge(&document, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{words}: {said}");
    }
    for option in [&["--sat", "varisat"], &["--proofs", "p"], &["--qbf", "embedded"]] {
        let output = case.judge(&fine, option);
        assert_eq!(output.status.code(), Some(2), "{option:?}");
    }
}

#[test]
fn without_a_verdict_none_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, to) = (folder.path().join("a.c"), folder.path().join("c.json"));
    fs::write(&file, LOOP).expect("the program is written");
    let arguments = ["check", text(&file), "--certificate", text(&to), "--time-limit", "0"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    let output = command.args(arguments).output().expect("hardbop runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no certificate is written: there is no verdict"), "{said}");
    assert!(!to.exists());
}

/// The text of a proof is that of all files, in their order.
#[test]
fn programs_of_several_files_are_certified() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/queue");
    let (main, queue) = (examples.join("main.c"), examples.join("queue.c"));
    let to = folder.path().join("c.json");
    for (limit, verdict) in [("LIMIT=9", "UNSAFE"), ("LIMIT=2", "SAFE")] {
        let files = [text(&main), text(&queue), "-D", limit];
        let output = hardbop(&[&["check"], &files[..], &["--certificate", text(&to)]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(last(&output), format!("VERDICT: {verdict}"), "{said}");
        let certify = |files: &[&str]| {
            let rest = ["-D", limit];
            hardbop(&[&["certify"], files, &[text(&to)], &rest].concat())
        };
        assert_valid(&certify(&[text(&main), text(&queue)]), verdict);
        assert_rejected(&certify(&[text(&queue), text(&main)]), "another program");
        // Without the file that defines what is called.
        assert_rejected(&certify(&[text(&main)]), "another program");
        let output = hardbop(&["certify", text(&main), text(&queue), text(&to), "-D", "LIMIT=8"]);
        assert_rejected(&output, "another program");
    }
}

/// So many blocks may no execution pass, and so deep is recursion followed: both are proved anew.
#[test]
fn depths_that_are_claimed_are_checked() {
    let sort = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int a[4];
          for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
          for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++)
            if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
          for (int i = 0; i < 3; i++) if (a[i] > a[i + 1]) reach_error();
          return 0; }";
    let case = Case::new(sort, &["--executions", "0"], "SAFE");
    let mut claim = case.json();
    assert_valid(&case.judge(&claim, &[]), "SAFE");
    assert!(claim["proof"]["rounds"].as_u64().is_some_and(|rounds| rounds > 3), "{claim}");
    claim["proof"]["rounds"] = json!(3);
    assert_rejected(&case.judge(&claim, &[]), "an execution passes 3 blocks");
    let deep = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int f(int n) { if (n <= 0) { if (n < 0) reach_error(); return 0; } return 1 + f(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 0; f(n); return 0; }";
    let case = Case::new(deep, &["--route", "tree", "--executions", "0"], "SAFE");
    let mut claim = case.json();
    assert_valid(&case.judge(&claim, &[]), "SAFE");
    claim["proof"]["recursion"] = json!(2);
    assert_rejected(&case.judge(&claim, &[]), "the invariant is no proof");
}
