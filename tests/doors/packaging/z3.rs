//! Z3's library is loaded when it is needed, and not before; where it cannot be, that is said.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const DECLARED: &str =
    "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);";

/// Its invariant is checked by Z3.
const SAFE: &str = "int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x < 5 && x > 7) reach_error();
}";

/// The program with its declarations and a library in that place.
fn check(program: &str, place: &Path, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    fs::write(&file, format!("{DECLARED}\n{program}\n")).expect("written");
    hardbop(place).arg("check").arg(file).args(options).output().expect("hardbop runs")
}

fn hardbop(place: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.env("HARDBOP_Z3", place).stdin(Stdio::null());
    command
}

fn decided(output: &Output, verdict: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text.lines().last(), Some(verdict), "{errors}");
}

/// No verdict, exit code 2, and a message that says all of this.
fn refused(output: &Output, parts: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(text.contains("error: Z3 is needed, and its library cannot be loaded"), "{text}");
    parts.iter().for_each(|p| assert!(text.contains(p), "'{p}' is not in: {text}"));
}

#[test]
fn boolean_programs_need_none() {
    let nowhere = Path::new("/nowhere");
    let folder = tempfile::tempdir().expect("a folder");
    for (example, verdict) in
        [("lock-safe.bp", "VERDICT: SAFE"), ("lock-unsafe.bp", "VERDICT: UNSAFE")]
    {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
        let certificate = folder.path().join(example).with_extension("json");
        let mut check = hardbop(nowhere);
        check.arg("check").arg(&file).arg("--certificate").arg(&certificate);
        decided(&check.output().expect("hardbop runs"), verdict);
        let certified = hardbop(nowhere).arg("certify").arg(&file).arg(&certificate).output();
        assert!(certified.expect("hardbop runs").status.success(), "{example}");
    }
}

#[test]
fn what_executions_and_bits_decide_needs_none() {
    let nowhere = Path::new("/nowhere");
    let counted = "int main(void) { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); }";
    decided(&check(counted, nowhere, &[]), "VERDICT: SAFE");
    let reached = "int main(void) { if (__VERIFIER_nondet_uint() % 2) reach_error(); }";
    decided(&check(reached, nowhere, &[]), "VERDICT: UNSAFE");
    let hidden =
        "int main(void) { if (__VERIFIER_nondet_uint() * 3 == 3735928559u) reach_error(); }";
    decided(&check(hidden, nowhere, &[]), "VERDICT: UNSAFE");
    // Every path to an error is cut off before the analysis begins.
    let dead = "int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x) x--; if (0) reach_error(); }";
    decided(&check(dead, nowhere, &[]), "VERDICT: SAFE");
}

#[test]
fn without_a_library_there_is_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("nowhere");
    let absent = format!("{}: not there", nowhere.display());
    // Values would decide it without a solver, and terms with our own.
    let abstracted = ["--executions", "0", "--explicit-states", "0"];
    refused(&check(SAFE, &nowhere, &abstracted), &[&absent, "install Z3", "HARDBOP_Z3"]);
    refused(
        &check(SAFE, &nowhere, &["--executions", "0", "--explicit-states", "0", "--smt", "z3"]),
        &[&absent],
    );
    refused(&check(SAFE, &nowhere, &["--arithmetic", "linear"]), &[&absent]);
    refused(&check(SAFE, &nowhere, &["--route", "bp", "--json"]), &[&absent]);
    refused(
        &check(SAFE, &nowhere, &["--executions", "0", "--explicit-states", "0", "--threads", "2"]),
        &[&absent],
    );
    let file = folder.path().join("libz3.so");
    fs::write(&file, "no library").expect("written");
    let named = file.display().to_string();
    refused(&check(SAFE, &file, &abstracted), &[&named]);
    refused(&check(SAFE, folder.path(), &abstracted), &[&named]);
}

#[test]
fn a_chosen_library_is_loaded() {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/z3/lib");
    if !fetched.join("libz3.so").exists() {
        eprintln!("skipped: there is no Z3 in {}", fetched.display());
        return;
    }
    let abstracted = ["--explicit-states", "0"];
    decided(&check(SAFE, &fetched, &abstracted), "VERDICT: SAFE");
    decided(&check(SAFE, &fetched.join("libz3.so"), &abstracted), "VERDICT: SAFE");
}

#[test]
fn the_server_says_so_and_goes_on() {
    let mut server = hardbop(Path::new("/nowhere"));
    let server = server.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().expect("it starts");
    let safe = format!("{DECLARED}{SAFE}");
    let bp = "decl a; void main() begin a := T; assert(a); end";
    let mut input = server.stdin.take().expect("a pipe");
    for (method, text) in [("check-c", &*safe), ("check-bp", bp)] {
        let options = if method == "check-c" {
            json!({"explicit-states": 0, "executions": 0})
        } else {
            json!({})
        };
        let params = json!({ "text": text, "options": options });
        let request = json!({ "id": method, "method": method, "params": params });
        writeln!(input, "{request}").expect("it reads");
    }
    drop(input);
    let output = server.wait_with_output().expect("it ends");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |id: &str| answers.iter().find(|a| a["id"] == id).expect("an answer");
    assert_eq!(of("check-c")["error"]["code"], "no-solver", "{lines}");
    assert_eq!(of("check-bp")["result"]["verdict"], "SAFE", "{lines}");
}
