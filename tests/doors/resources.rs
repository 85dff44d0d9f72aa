//! Where resources end: time, memory, the patience of the user, the disk.  Whatever happens, there
//! is one answer or one message, the right exit code, and no file is half-written or left behind.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use tempfile::TempDir;

const SAFE: &str = "void main() begin decl x; x := T; assert(x); end";
/// 2QBF queries reach the solver.
const QUERIES: &str = "decl a, b, c; void main() begin
  while (*) do
    a, b, c := b, c, a;
    if (*) then a, b := b, a; fi;
  od;
  assert(a | !a & (b | !b));
end";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("safe.bp"), SAFE).expect("written");
    fs::write(folder.path().join("queries.bp"), QUERIES).expect("written");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |e: std::io::Result<fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<String> = entries.map(|e| name(e).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn hardbop(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    hardbop(folder, arguments).stdin(Stdio::null()).output().expect("hardbop runs")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or("").to_owned()
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// Ends with this exit code and a message that says all of this.
fn refused(output: &Output, parts: &[&str]) {
    let text = message(output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("error: "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    parts.iter().for_each(|p| assert!(text.contains(p), "'{p}' is not in: {text}"));
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
}

// ---- a run that cannot ask its budget: it waits for its input, which does not come

/// The end of a run whose input stays open, and the line that is the answer.
fn starved(arguments: &[&str]) -> (Option<i32>, String) {
    let folder = folder();
    let mut child = hardbop(folder.path(), arguments).spawn().expect("hardbop starts");
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("hardbop ends");
    drop(stdin);
    (output.status.code(), last_line(&output))
}

#[test]
fn time_limit_while_reading() {
    let limit = ["--time-limit", "100ms"];
    let run = |words: &[&str]| starved(&[words, &limit[..]].concat());
    let reason = "(time limit reached)";
    assert_eq!(run(&["check", "-"]), (Some(20), format!("VERDICT: UNKNOWN {reason}")));
    assert_eq!(
        run(&["certify", "safe.bp", "-"]),
        (Some(20), format!("CERTIFICATE: UNDECIDED {reason}"))
    );
    assert_eq!(run(&["sat", "-"]), (Some(0), "s UNKNOWN".to_owned()));
    assert_eq!(run(&["qbf", "-"]), (Some(0), "s cnf -1 0 0".to_owned()));
}

#[test]
fn documents_of_the_guard_are_whole() {
    let folder = folder();
    for words in [&["check", "-"][..], &["certify", "safe.bp", "-"]] {
        let arguments = [words, &["--json", "--time-limit", "100ms"]].concat();
        let mut child = hardbop(folder.path(), &arguments).spawn().expect("hardbop starts");
        let stdin = child.stdin.take();
        let output = child.wait_with_output().expect("hardbop ends");
        drop(stdin);
        let document = document(&output);
        assert_eq!(document["reason"]["code"], "time");
        assert_eq!(document["exit-code"], 20);
    }
}

#[test]
fn memory_limit_while_reading() {
    const LIMIT: u64 = 48 << 20;
    let folder = folder();
    let limit = LIMIT.to_string();
    let arguments = ["check", "-", "--json", "--memory-limit", &limit];
    let mut child = hardbop(folder.path(), &arguments).spawn().expect("hardbop starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let line = format!("// {}\n", "x".repeat(60_000));
    // More than the limit, without an end, though not faster than one can look; writing fails once
    // hardbop has gone.
    let writer = std::thread::spawn(move || {
        while stdin.write_all(line.as_bytes()).is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let output = child.wait_with_output().expect("hardbop ends");
    writer.join().expect("the writer does not panic");
    let document = document(&output);
    assert_eq!(document["verdict-line"], "VERDICT: UNKNOWN (memory limit reached)");
    assert_eq!(output.status.code(), Some(20));
    let peak = document["statistics"]["peak-memory-bytes"].as_u64().expect("a number");
    // It is looked at from time to time, on a busy machine less often.
    assert!(peak <= LIMIT + LIMIT / 4, "{peak} bytes");
}

#[test]
fn signals_while_reading() {
    for which in [Signal::INT, Signal::TERM] {
        let folder = folder();
        let mut child = hardbop(folder.path(), &["check", "-", "-v", "--json"])
            .spawn()
            .expect("hardbop starts");
        // It says that it reads once its handler of signals is in place.
        let mut byte = [0];
        child.stderr.as_mut().expect("a pipe").read_exact(&mut byte).expect("a word");
        let stdin = child.stdin.take();
        signal(&child, which);
        let output = child.wait_with_output().expect("hardbop ends");
        drop(stdin);
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(document(&output)["verdict-line"], "VERDICT: UNKNOWN (interrupted)");
    }
}

/// Z3 has a handler of its own, unless it is told not to.
#[test]
fn interrupt_while_z3_works() {
    let folder = folder();
    // A prime has no factors, which takes Z3 more than minutes.
    let text = "extern unsigned long long __VERIFIER_nondet_ulonglong(void);
        void reach_error(void);
        int main(void) {
          unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
          if (x > 1 && y > 1 && x < 4294967296 && y < 4294967296
              && x * y == 9223372036854775783ULL) reach_error();
          return 0;
        }";
    fs::write(folder.path().join("factors.c"), text).expect("written");
    let options = ["--smt", "z3", "--executions", "0", "--time-limit", "60s", "--json"];
    let arguments = [&["check", "factors.c"][..], &options].concat();
    let child = hardbop(folder.path(), &arguments).spawn().expect("hardbop starts");
    // Where that is too short for Z3 to have begun, the answer is the same.
    std::thread::sleep(Duration::from_secs(3));
    signal(&child, Signal::INT);
    let output = child.wait_with_output().expect("hardbop ends");
    assert_eq!(output.status.code(), Some(130));
}

// ---- what a run has started goes with it

#[test]
fn second_interrupt_leaves_nothing_behind() {
    let folder = folder();
    let temporary = folder.path().join("tmp");
    fs::create_dir(&temporary).expect("a folder");
    // Tells its number, then does not answer.
    let solver = "cmd:sh -c 'echo $$ > pid.new; mv pid.new pid; sleep 1000' {}";
    let arguments = ["check", "queries.bp", "--engine", "qbf", "--plain", "--qbf", solver];
    let mut command = hardbop(folder.path(), &arguments);
    let mut child = command.env("TMPDIR", &temporary).spawn().expect("hardbop starts");
    let pid = loop {
        if let Ok(text) = fs::read_to_string(folder.path().join("pid")) {
            break text.trim().parse().ok().and_then(Pid::from_raw).expect("a number");
        }
        if let Some(status) = child.try_wait().expect("a child") {
            panic!("no query reached the solver: {status}");
        }
        std::thread::yield_now();
    };
    signal(&child, Signal::INT);
    // It may be gone already.
    let _ = kill_process(Pid::from_child(&child), Signal::INT);
    let status = child.wait().expect("hardbop ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(names(&temporary), [""; 0]);
    // A killed process ends when the system next runs it, and whoever has adopted it may not have
    // looked at it yet.  Left alone, it would sleep on.
    let gone = || {
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        test_kill_process(pid).is_err() || state.is_ok_and(|s| s.contains(") Z "))
    };
    let end = Instant::now() + Duration::from_secs(100);
    while !gone() {
        assert!(Instant::now() < end, "the solver runs on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

// ---- files that cannot be written

#[test]
fn a_full_device() {
    let folder = folder();
    let full = File::options().write(true).open("/dev/full").expect("a device");
    for words in
        [&["check", "safe.bp"][..], &["gen", "counter", "--size", "4"], &["fmt", "safe.bp"]]
    {
        let mut command = hardbop(folder.path(), words);
        let output = command.stdout(full.try_clone().expect("a handle")).output().expect("runs");
        refused(&output, &["cannot write to standard output", "No space left"]);
    }
    let output = run(folder.path(), &["check", "safe.bp", "--certificate", "/dev/full"]);
    refused(&output, &["'/dev/full'", "No space left"]);
    assert_eq!(last_line(&output), "", "no verdict without its certificate");
}

#[test]
fn no_half_written_file() {
    let folder = folder();
    let program = run(folder.path(), &["gen", "counter", "--size", "12"]).stdout;
    fs::write(folder.path().join("long.bp"), &program).expect("written");
    fs::write(folder.path().join("old"), "as it was").expect("written");
    let before = names(folder.path());
    for words in [
        "check safe.bp --certificate old",
        "check long.bp --dump-cfg old",
        "compare safe.bp --engines bdd --json old -q",
        "compare safe.bp --engines bdd --html old -q",
    ] {
        // Files may have no more than no bytes at all; the pipes are no files.
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_hardbop")]);
        command.args(words.split(' ')).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().expect("a shell");
        refused(&output, &["'old'", "File too large"]);
        assert_eq!(fs::read_to_string(folder.path().join("old")).expect("there"), "as it was");
        assert_eq!(names(folder.path()), before, "{words}");
    }
}

#[test]
fn no_place_for_a_file() {
    let folder = folder();
    fs::create_dir(folder.path().join("taken")).expect("a folder");
    let before = names(folder.path());
    for option in ["check safe.bp --certificate", "check safe.bp --dump-cfg"] {
        no_place(folder.path(), option);
    }
    for option in ["--csv", "--json", "--html"] {
        no_place(folder.path(), &format!("compare safe.bp --engines auto -q {option}"));
    }
    for option in ["check safe.bp --dump-qbf", "compare safe.bp -q --svg"] {
        let words: Vec<&str> = option.split(' ').chain(["safe.bp/folder"]).collect();
        refused(&run(folder.path(), &words), &["'safe.bp/folder'", "Not a directory"]);
    }
    assert_eq!(names(folder.path()), before);
}

fn no_place(folder: &Path, option: &str) {
    let places =
        [("taken", "directory"), ("missing/file", "No such file"), ("safe.bp/file", "directory")];
    for (place, reason) in places {
        let words: Vec<&str> = option.split(' ').chain([place]).collect();
        let output = run(folder, &words);
        refused(&output, &[&format!("'{place}'"), reason]);
        assert_eq!(last_line(&output), "", "{option}: told before the run");
    }
}
