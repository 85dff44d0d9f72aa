//! The command line: exit codes, the verdict line, bad input, signals, closed pipes.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SAFE: &str = "void main() begin decl x; x := T; assert(x); end";
const UNSAFE: &str = "decl x; void main() begin\n  x := *;\n  f(x);\nend\n\
                      void f(y) begin\n  if (y) then\n    ERROR: skip;\n  fi;\nend";

fn hardbop(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs hardbop with a standard input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = hardbop(arguments).spawn().expect("hardbop starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_vec();
    // Apart, for hardbop may answer before it has read everything; then writing fails.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("hardbop ends");
    writer.join().expect("the writer does not panic");
    output
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

fn last_line(output: &Output) -> String {
    let text = stdout(output);
    assert!(text.ends_with('\n'), "{text:?}");
    text.lines().last().unwrap_or("").to_owned()
}

// ---- verdicts

#[test]
fn safe_program() {
    let output = run(&["check", "-"], SAFE.as_bytes());
    assert_eq!((code(&output), stdout(&output).as_str()), (Some(0), "VERDICT: SAFE\n"));
    assert_eq!(stderr(&output), "", "quiet when piped");
}

#[test]
fn unsafe_program_with_its_trace() {
    let output = run(&["check", "-"], UNSAFE.as_bytes());
    assert_eq!(code(&output), Some(10));
    assert_eq!(last_line(&output), "VERDICT: UNSAFE");
    let text = stdout(&output);
    for part in ["<stdin>:2", "x := *", "x = T", "f(x)", "if (y): true", "ERROR: ERROR LABEL"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn file_argument_and_statistics() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.bp");
    std::fs::write(&file, SAFE).expect("writes");
    let output = run(&["check", file.to_str().expect("UTF-8"), "--stats"], b"");
    assert_eq!(code(&output), Some(0));
    assert_eq!(last_line(&output), "VERDICT: SAFE");
    assert!(stdout(&output).starts_with("Statistics\n"), "{}", stdout(&output));
}

#[test]
fn quiet_prints_the_verdict_only() {
    let output =
        run(&["check", "-", "-q", "--error", "NOWHERE", "--error", "ERROR"], UNSAFE.as_bytes());
    assert_eq!((code(&output), stdout(&output).as_str()), (Some(10), "VERDICT: UNSAFE\n"));
    assert_eq!(stderr(&output), "");
}

#[test]
fn json_is_one_document() {
    let output = run(&["check", "-", "--json", "--seed", "3"], UNSAFE.as_bytes());
    assert_eq!(code(&output), Some(10));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["verdict"], "UNSAFE");
    assert_eq!(value["verdict-line"], "VERDICT: UNSAFE");
    assert_eq!(value["exit-code"], 10);
    assert_eq!(value["file"], "<stdin>");
    assert_eq!(value["options"]["seed"], 3);
    assert_eq!(value["options"]["entry"], "main");
    assert_eq!(value["trace"]["initial"][0]["name"], "x");
    let steps = value["trace"]["steps"].as_array().expect("steps");
    assert_eq!(steps.last().expect("a step")["kind"], "error-label");
    assert!(value["statistics"].is_object());

    let output = run(&["check", "-", "--json"], SAFE.as_bytes());
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&value["verdict"], value["trace"].is_null()), (&"SAFE".into(), true));
}

#[test]
fn trace_formats() {
    let output = run(&["check", "-", "--trace", "none"], UNSAFE.as_bytes());
    assert_eq!(stdout(&output), "VERDICT: UNSAFE\n");
    let output = run(&["check", "-", "--trace", "json"], UNSAFE.as_bytes());
    let text = stdout(&output);
    let json = text.strip_suffix("VERDICT: UNSAFE\n").expect("the verdict is the last line");
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert!(value["steps"].is_array());
}

#[test]
fn labels_and_assertions() {
    let other = "void main() begin BAD: skip; assert(F); end";
    let check = |arguments: &[&str]| {
        let output = run(&[&["check", "-"], arguments].concat(), other.as_bytes());
        (code(&output), stderr(&output))
    };
    assert_eq!(check(&[]).0, Some(10));
    assert_eq!(check(&["--ignore-asserts"]).0, Some(0));
    assert_eq!(check(&["--ignore-asserts", "--error", "BAD"]), (Some(10), String::new()));
    let (exit, warning) = check(&["--ignore-asserts", "--error", "WORSE"]);
    assert_eq!(exit, Some(0));
    assert_eq!(warning, "warning: no statement has the label 'WORSE'\n");
}

#[test]
fn entry_procedure() {
    let text = "void start() begin assert(F); end void main() begin skip; end";
    assert_eq!(code(&run(&["check", "-"], text.as_bytes())), Some(0));
    assert_eq!(code(&run(&["check", "-", "--entry", "start"], text.as_bytes())), Some(10));
    let output = run(&["check", "-", "--entry", "nowhere"], text.as_bytes());
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("nowhere"), "{}", stderr(&output));
}

// ---- limits

#[test]
fn time_limit() {
    let driver = run(&["gen", "driver", "--vars", "200", "--procs", "30"], b"").stdout;
    let output = run(&["check", "-", "--time-limit", "0s"], &driver);
    assert_eq!(code(&output), Some(20), "{}", stderr(&output));
    assert_eq!(last_line(&output), "VERDICT: UNKNOWN (time limit reached)");
}

#[test]
fn memory_limit() {
    let driver = run(&["gen", "driver", "--vars", "200", "--procs", "30"], b"").stdout;
    let output = run(&["check", "-", "--memory-limit", "1K"], &driver);
    assert_eq!(code(&output), Some(20), "{}", stderr(&output));
    assert_eq!(last_line(&output), "VERDICT: UNKNOWN (memory limit reached)");
}

#[test]
fn small_programs_are_fast() {
    let start = Instant::now();
    for _ in 0..10 {
        run(&["check", "-"], SAFE.as_bytes());
    }
    // Generous: machines of continuous integration are slow.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

// ---- bad usage and bad input

/// Exit code 2, nothing on standard output, and a message with these words.
fn refused(output: &Output, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(code(output), Some(2), "{message}");
    assert_eq!(stdout(output), "");
    for word in words {
        assert!(message.contains(word), "{word:?} is not in\n{message}");
    }
    assert!(!message.contains("panicked") && !message.contains("internal error"), "{message}");
}

#[test]
fn bad_usage() {
    refused(&run(&[], b""), &["Usage"]);
    refused(&run(&["frobnicate"], b""), &["frobnicate"]);
    refused(&run(&["check"], b""), &["FILE"]);
    refused(&run(&["check", "-", "--time-limit", "soon"], b""), &["--time-limit", "soon"]);
    refused(&run(&["check", "-", "--memory-limit", "much"], b""), &["--memory-limit"]);
    refused(&run(&["check", "-", "--engine", "magic"], b""), &["magic", "qbf"]);
    refused(&run(&["check", "-", "--threads", "0"], b""), &["--threads"]);
    refused(&run(&["check", "-", "--threads", "2", "--engine", "qbf"], b""), &["--engine auto"]);
    refused(
        &run(&["check", "-", "--threads", "2", "--dump-qbf", "x"], SAFE.as_bytes()),
        &["--dump-qbf", "--threads"],
    );
    refused(&run(&["check", "-", "--json", "--dump-cfg", "-"], SAFE.as_bytes()), &["--json"]);
    refused(&run(&["gen", "driver", "--vars", "1", "--procs", "1"], b""), &["at least 4"]);
    refused(
        &run(&["gen", "driver", "--vars", "9", "--procs", "1", "--bug", "--safe"], b""),
        &["--bug", "--safe"],
    );
}

#[test]
fn unreadable_files() {
    refused(&run(&["check", "/no/such/file.bp"], b""), &["/no/such/file.bp", "No such file"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = folder.path().to_str().expect("UTF-8");
    refused(&run(&["check", name], b""), &[name, "directory"]);
}

#[test]
fn bad_texts() {
    refused(&run(&["check", "-"], b""), &["no procedures"]);
    refused(&run(&["check", "-"], b"// nothing\n"), &["no procedures"]);
    refused(&run(&["check", "-"], b"\x7fELF\x02\x01\x01\0\0\0\0"), &["<stdin>", "not a text file"]);
    let junk: Vec<u8> =
        (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(&run(&["check", "-"], &junk), &["<stdin>"]);
    refused(&run(&["check", "-"], b"void main() begin x := T; end"), &["<stdin>", "'x'"]);
    refused(&run(&["check", "-"], b"void main() begin skip"), &["<stdin>"]);
}

#[test]
fn ten_megabytes_of_brackets() {
    let start = Instant::now();
    let mut text = b"decl x; void main() begin x := ".to_vec();
    text.extend(std::iter::repeat_n(b'(', 10_000_000));
    refused(&run(&["check", "-"], &text), &["<stdin>"]);
    refused(&run(&["check", "-"], &vec![b'('; 10_000_000]), &["<stdin>"]);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn deep_nesting_is_no_problem() {
    let deep = 20_000;
    let mut text = "decl x; void main() begin ".to_owned();
    text.push_str(&"if (x) then ".repeat(deep));
    text.push_str(&format!("x := {}x{}; ", "!(".repeat(deep), ")".repeat(deep)));
    text.push_str(&"fi; ".repeat(deep));
    text.push_str("end");
    assert_eq!(code(&run(&["check", "-"], text.as_bytes())), Some(0));
    assert_eq!(code(&run(&["fmt", "-"], text.as_bytes())), Some(0));
}

// ---- other commands

#[test]
fn help_and_version() {
    for arguments in [&["--help"][..], &["check", "--help"], &["fmt", "--help"], &["gen", "--help"]]
    {
        let output = run(arguments, b"");
        assert_eq!((code(&output), stderr(&output)), (Some(0), String::new()));
        assert!(stdout(&output).contains("Usage: hardbop"), "{}", stdout(&output));
    }
    let output = run(&["--version"], b"");
    assert_eq!(stdout(&output), format!("hardbop {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn canonical_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.bp");
    let file = path.to_str().expect("UTF-8");
    std::fs::write(&path, "decl x;void main()begin x:=x&T;end").expect("writes");

    assert_eq!(code(&run(&["fmt", "--check", file], b"")), Some(1));
    let canonical = stdout(&run(&["fmt", file], b""));
    assert_eq!(code(&run(&["fmt", "-i", file], b"")), Some(0));
    assert_eq!(std::fs::read_to_string(&path).expect("reads"), canonical);
    assert_eq!(code(&run(&["fmt", "--check", file], b"")), Some(0));

    let text = format!("// kept\n{canonical}");
    std::fs::write(&path, &text).expect("writes");
    refused(&run(&["fmt", "-i", file], b""), &["comments"]);
    assert_eq!(std::fs::read_to_string(&path).expect("reads"), text);
    assert_eq!(code(&run(&["fmt", "-i", "--drop-comments", file], b"")), Some(0));
    assert_eq!(std::fs::read_to_string(&path).expect("reads"), canonical);
}

#[test]
fn graphs_and_queries_are_dumped() {
    let output = run(&["check", "-", "--dump-cfg", "-"], SAFE.as_bytes());
    assert!(stdout(&output).starts_with("digraph"), "{}", stdout(&output));
    assert_eq!(last_line(&output), "VERDICT: SAFE");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let dump = folder.path().join("queries");
    let name = dump.to_str().expect("UTF-8");
    assert_eq!(code(&run(&["check", "-", "--dump-qbf", name], SAFE.as_bytes())), Some(0));
    assert!(dump.is_dir());
    for entry in std::fs::read_dir(&dump).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a text");
        assert!(text.lines().any(|l| l.starts_with("p cnf ")), "{text}");
    }
    // A file where the folder should be.
    std::fs::write(folder.path().join("file"), "").expect("writes");
    let bad = folder.path().join("file/queries");
    refused(
        &run(&["check", "-", "--dump-qbf", bad.to_str().expect("UTF-8")], SAFE.as_bytes()),
        &["cannot write"],
    );
    let bad = Path::new("/no/such/folder/a.dot");
    refused(
        &run(&["check", "-", "--dump-cfg", bad.to_str().expect("UTF-8")], SAFE.as_bytes()),
        &["cannot write"],
    );
}

// ---- pipes and signals

#[test]
fn closed_pipe_is_no_panic() {
    for arguments in [
        &["gen", "driver", "--vars", "2000", "--procs", "60"][..],
        &["check", "-", "--dump-cfg", "-"],
        &["--help"],
    ] {
        let mut child = hardbop(arguments).spawn().expect("hardbop starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        let _ = stdin.write_all(SAFE.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("hardbop ends");
        assert_eq!((code(&output), stderr(&output)), (Some(0), String::new()), "{arguments:?}");
    }
}

/// A run that waits for its input, its handler of signals in place.
#[cfg(unix)]
fn waiting() -> (Child, std::process::ChildStderr) {
    let mut child = hardbop(&["check", "-", "-v"]).spawn().expect("hardbop starts");
    let mut messages = child.stderr.take().expect("stderr is a pipe");
    let mut seen = Vec::new();
    while !seen.ends_with(b"\n") {
        let mut byte = [0];
        assert_eq!(messages.read(&mut byte).expect("reads"), 1, "hardbop says what it reads");
        seen.extend(byte);
    }
    (child, messages)
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(done.is_ok_and(|s| s.success()));
}

#[cfg(unix)]
#[test]
fn interrupt_ends_with_a_verdict() {
    // Its input never comes, and it does not wait for it.
    let (mut child, mut messages) = waiting();
    let stdin = child.stdin.take();
    interrupt(&child);
    let output = child.wait_with_output().expect("hardbop ends");
    drop(stdin);
    let mut rest = String::new();
    let _ = messages.read_to_string(&mut rest);
    assert_eq!(code(&output), Some(130), "{rest}");
    assert_eq!(last_line(&output), "VERDICT: UNKNOWN (interrupted)");
    assert!(stdout(&output).contains("Statistics"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn second_interrupt_ends_at_once() {
    let (mut child, _messages) = waiting();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(50));
        if let Some(status) = child.try_wait().expect("hardbop is a child") {
            return assert_eq!(status.code(), Some(130));
        }
    }
    let _ = child.kill();
    panic!("hardbop does not end");
}
