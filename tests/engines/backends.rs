//! Solvers that are not ours, as `hardbop check` uses them: the same verdicts, and no verdict where
//! they fail.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::ROTATION;

/// Unsafe, after a loop.
const COUNTER: &str = "decl c0, c1, c2;
    void main() begin c0, c1, c2 := F, F, F; f(); assert(!(c0 & c1 & c2)); end
    void f() begin
      if (*) then f(); c0, c1, c2 := !c0, c1 ^ c0, c2 ^ (c0 & c1); fi;
    end";

fn check(program: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.bp");
    std::fs::write(&file, program).expect("writes");
    Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(["check", "--plain", "--engine", "qbf"])
        .args(arguments)
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .expect("hardbop runs")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or("").to_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn installed() -> bool {
    let mut help = Command::new("depqbf");
    help.arg("--help").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    help.status().is_ok()
}

fn decides(arguments: &[&str]) {
    for (program, verdict, code) in
        [(ROTATION, "VERDICT: SAFE", 0), (COUNTER, "VERDICT: UNSAFE", 10)]
    {
        let output = check(program, arguments);
        assert_eq!(last_line(&output), verdict, "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn every_back_end_decides() {
    decides(&["--sat", "cadical"]);
    decides(&["--sat", "varisat"]);
    decides(&["--qbf", "embedded", "--sat", "varisat", "--seed", "3"]);
    if installed() {
        decides(&["--qbf", "cmd:depqbf {}"]);
        decides(&["--qbf", "cmd:depqbf"]);
    } else {
        eprintln!("skipped: no depqbf on this machine");
    }
    #[cfg(feature = "depqbf")]
    decides(&["--qbf", "depqbf"]);
}

/// What a program does wrong, and what hardbop says of it.
#[cfg(unix)]
#[test]
fn programs_that_fail_give_no_verdict() {
    for (command, reason) in [
        ("sh -c 'exit 3'", "it ended with exit code 3"),
        ("sh -c 'echo s cnf 1'", "it left the query undecided (exit code 0)"),
        ("sh -c 'exit 10'", "its output is no answer"),
        ("sh -c 'echo hello; exit 20'", "its output is no answer"),
        ("sh -c 'echo s cnf 1 2 3; exit 20'", "its output contradicts itself or the exit code"),
        ("sh -c 'echo SAT; echo UNSAT; exit 10'", "its output contradicts itself or the exit code"),
        ("sh -c 'head -c 100000 /dev/urandom; exit 10'", "its output is no answer"),
        ("sh -c 'kill -SEGV $$'", "it was ended by signal 11"),
        ("sh -c 'yes'", "its output is too long"),
    ] {
        let output = check(ROTATION, &["--qbf", &format!("cmd:{command}")]);
        let expected = format!("VERDICT: UNKNOWN (solver gave up: {reason})");
        assert_eq!(last_line(&output), expected, "{command}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(20), "{command}");
        assert_eq!(stderr(&output), "", "{command}");
    }
}

/// The program and what it has started end with the budget.
#[cfg(unix)]
#[test]
fn programs_that_run_on_are_ended() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let alive = folder.path().join("alive");
    let command = format!(
        "cmd:sh -c '(while sleep 0.1; do date > {0}; done) & sleep 1000; wait' {{}}",
        alive.display()
    );
    let start = Instant::now();
    let output = check(ROTATION, &["--qbf", &command, "--time-limit", "600ms"]);
    assert_eq!(last_line(&output), "VERDICT: UNKNOWN (time limit reached)");
    assert!(start.elapsed() < Duration::from_secs(100), "it is not waited for");
    // What has been killed may take a moment to die.
    let patience = Instant::now() + Duration::from_secs(100);
    loop {
        let _ = std::fs::remove_file(&alive);
        std::thread::sleep(Duration::from_millis(500));
        if !alive.exists() {
            break;
        }
        assert!(Instant::now() < patience, "a process of the group goes on");
    }
}

#[test]
fn choices_that_cannot_be_are_bad_usage() {
    for (choice, message) in [
        ("minisat", "no such solver"),
        ("cmd:", "after 'cmd:': no program is named"),
        ("cmd:   ", "after 'cmd:': no program is named"),
        ("cmd:depqbf 'oops", "after 'cmd:': a quote is not closed"),
        ("cmd:no-such-program-anywhere {}", "no program 'no-such-program-anywhere'"),
        ("cmd:/no/such/program {}", "no program '/no/such/program'"),
        #[cfg(not(feature = "depqbf"))]
        ("depqbf", "built without the feature 'depqbf'"),
    ] {
        let output = check(ROTATION, &["--qbf", choice]);
        assert_eq!(output.status.code(), Some(2), "{choice}");
        assert!(stderr(&output).contains(message), "{choice}: {}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{choice}");
    }
    let output = check(ROTATION, &["--sat", "minisat"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn json_tells_the_solvers() {
    let output = check(ROTATION, &["--json", "--sat", "varisat"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["options"]["sat"], "varisat");
    assert_eq!(value["options"]["qbf"], "embedded");
}
