//! The command line: exit codes, the verdict line, bad input, signals, closed pipes.

#[cfg(feature = "c")]
mod archives;
mod each;
#[cfg(feature = "c")]
mod endings;
#[cfg(feature = "c")]
mod graphml;
#[cfg(feature = "c")]
mod linked;
mod mistakes;
#[cfg(all(feature = "c", unix))]
mod newcomers;
#[cfg(all(feature = "c", unix))]
mod page;
#[cfg(feature = "c")]
mod phases;
#[cfg(all(feature = "c", unix))]
mod projects;
#[cfg(feature = "c")]
mod reports;
#[cfg(feature = "c")]
mod strategy;
mod threads;
mod validation;
mod witness;

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
    let output = run(&["check", "-", "-q"], UNSAFE.as_bytes());
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
    assert_eq!(check(&["--ignore-asserts", "--error", "BAD"]), (Some(10), String::new()));
    for more in [&[][..], &["--quiet"], &["--json"]] {
        // Nothing is an error: no verdict would mean anything.
        let (exit, said) = check(&[&["--ignore-asserts"], more].concat());
        assert_eq!(exit, Some(2));
        assert!(said.contains("nothing in this program counts as an error"), "{said}");
        let (exit, said) = check(&[&["--error", "WORSE"], more].concat());
        assert_eq!((exit, said.as_str()), (Some(2), "error: no statement has the label 'WORSE'\n"));
    }
    // An error where no execution comes is one all the same.
    for dead in ["goto L; ERROR: skip; L: skip;", "return; assert(F);"] {
        let text = format!("void main() begin {dead} end");
        assert_eq!(code(&run(&["check", "-"], text.as_bytes())), Some(0), "{dead}");
    }
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
    for (several, part) in
        [(["--threads", "2"], "--threads"), (["--engine", "race"], "is for '--engine auto'")]
    {
        let dump = [&["check", "-", "--dump-qbf", "x"], &several[..]].concat();
        refused(&run(&dump, SAFE.as_bytes()), &["--dump-qbf", part]);
    }
    refused(&run(&["check", "-", "--json", "--dump-cfg", "-"], SAFE.as_bytes()), &["--json"]);
    let limit = ["check", "-", "--universal-limit", "7"];
    refused(&run(&limit, SAFE.as_bytes()), &["--universal-limit", "--engine universal"]);
    // Options that the chosen engine does not read, also where they name the default.
    for (engine, option, value) in [
        ("auto", "--universal-limit", "4000"),
        ("bdd", "--qbf", "embedded"),
        ("bdd", "--seed", "1"),
        ("bdd", "--dump-qbf", "x"),
        ("bdd", "--bound", "fixpoint"),
        ("qbf", "--bound", "fixpoint"),
        ("universal", "--bdd-order", "declaration"),
    ] {
        let run = run(&["check", "-", "--engine", engine, option, value], SAFE.as_bytes());
        refused(&run, &[option, "is for '--engine"]);
    }
    let with_engine = [&limit[..], &["--engine", "universal"]].concat();
    assert_eq!(code(&run(&with_engine, SAFE.as_bytes())), Some(0));
    refused(&run(&["gen", "driver", "--vars", "1", "--procs", "1"], b""), &["at least 4"]);
    refused(
        &run(&["gen", "driver", "--vars", "9", "--procs", "1", "--bug", "--safe"], b""),
        &["--bug", "--safe"],
    );
}

#[test]
fn mistakes_of_newcomers() {
    refused(&run(&["lock.c"], b""), &["'lock.c' is not a command", "'hardbop check lock.c'"]);
    refused(&run(&["lock"], b""), &["unrecognized subcommand 'lock'"]);
    for name in ["a.cpp", "a.txt", "a.json"] {
        refused(&run(&["check", name], b""), &[name, "--language c"]);
        refused(&run(&["compare", name], b""), &[name, "--language c"]);
    }
    for words in [&["-I", "include"][..], &["-DX"], &["-include", "a.h"], &["-std=c99"]] {
        let given = [&["fmt", "a.bp"], words].concat();
        refused(&run(&given, b""), &["unexpected argument", "commands that read C"]);
        for of_both in [&["export", "a.bp"][..], &["certify", "a.bp", "c.json"]] {
            refused(&run(&[of_both, words].concat(), b""), &["are for C programs"]);
        }
    }
    let unknown = run(&["check", "a.c", "-o", "out"], b"");
    refused(&unknown, &["'-o'"]);
    assert!(!stderr(&unknown).contains("-- -o"), "{}", stderr(&unknown));
    let similar = run(&["check", "a.c", "--timeout", "5"], b"");
    refused(&similar, &["'--time-limit'"]);
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
    let mut text = b"decl x; void main() begin x := ".to_vec();
    text.extend(std::iter::repeat_n(b'(', 10_000_000));
    refused(&run(&["check", "-"], &text), &["<stdin>"]);
    refused(&run(&["check", "-"], &vec![b'('; 10_000_000]), &["<stdin>"]);
}

#[test]
fn deep_nesting_is_no_problem() {
    let deep = 20_000;
    let mut text = "decl x; void main() begin ".to_owned();
    text.push_str(&"if (x) then ".repeat(deep));
    text.push_str(&format!("x := {}x{}; ", "!(".repeat(deep), ")".repeat(deep)));
    text.push_str(&"fi; ".repeat(deep));
    text.push_str("assert(x | !x); end");
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
fn programs_for_other_solvers() {
    let text = "decl x; void main() begin x := T; BAD: skip; assert(x); end";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.smt2");
    let file = path.to_str().expect("UTF-8");
    let output = run(&["export", "-", "--format", "chc"], text.as_bytes());
    assert_eq!((code(&output), stderr(&output)), (Some(0), String::new()));
    assert!(stdout(&output).contains("(set-logic HORN)"), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("(check-sat)\n"), "{}", stdout(&output));
    assert_eq!(code(&run(&["export", "-", "-o", file], text.as_bytes())), Some(0));
    assert_eq!(std::fs::read_to_string(&path).expect("reads"), stdout(&output));
    let labels = stdout(&run(&["export", "-", "--error", "BAD"], text.as_bytes()));
    assert_ne!(labels, stdout(&output));
    refused(&run(&["export", "-"], b"void main() begin x := T; end"), &["x"]);
    let none = stdout(&run(&["export", "-"], b"void main() begin skip; end"));
    assert!(none.contains("(check-sat)"), "{none}");
    let recursive = b"decl x; void main() begin x := T; if (*) then main(); fi; assert(x); end";
    for (format, line) in [
        ("btor2", "1 sort bitvec 1"),
        ("smv", "INVARSPEC !bad;"),
        ("boogie", "procedure {:entrypoint} main()"),
    ] {
        let output = run(&["export", "-", "--format", format], text.as_bytes());
        assert_eq!((code(&output), stderr(&output)), (Some(0), String::new()));
        assert!(stdout(&output).lines().any(|l| l == line), "{}", stdout(&output));
        let output = run(&["export", "-", "--format", format], recursive);
        match format {
            "boogie" => assert_eq!(code(&output), Some(0), "{}", stderr(&output)),
            _ => refused(&output, &["'main' is recursive", "--format boogie"]),
        }
    }
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
    while start.elapsed() < Duration::from_secs(100) {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(50));
        if let Some(status) = child.try_wait().expect("hardbop is a child") {
            return assert_eq!(status.code(), Some(130));
        }
    }
    let _ = child.kill();
    panic!("hardbop does not end");
}

// ---- C programs

#[cfg(feature = "c")]
mod c {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{code, last_line, refused, run, stderr, stdout};
    use hardbop_base::budget::Budget;
    use hardbop_smt::{SmtAnswer, SmtSolver, Z3};

    const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

    /// The locks need a predicate or two.
    const LOCKS: &str = "int main(void) {
  int a = 0, b = 0, n = 0;
  while (__VERIFIER_nondet_int()) {
    if (a) { if (b != 1) reach_error(); b = 0; }
    a = __VERIFIER_nondet_int();
    if (a) b = 1;
    n++;
  }
  if (n == -1 && a && !b) reach_error();
  return 0;
}
";

    /// A program in a folder of its own.
    fn program(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a b.c");
        fs::write(&file, format!("{HEAD}{text}")).expect("writes");
        (folder, file)
    }

    fn name(path: &Path) -> &str {
        path.to_str().expect("UTF-8")
    }

    #[test]
    fn options_of_the_other_language_are_refused() {
        let (folder, file) = program("int main(void) { return 0; }");
        let c = name(&file);
        let boolean: [&[&str]; 12] = [
            &["--engine", "auto"],
            &["--dump-cfg", "-"],
            &["--dump-qbf", "x"],
            &["--threads", "1"],
            &["--dialect", "slam"],
            &["--bound", "both"],
            &["--universal-limit", "1"],
            &["--bdd-order", "dependency"],
            &["--qbf", "embedded"],
            &["--sat", "cadical"],
            &["--seed", "0"],
            &["--plain"],
        ];
        for option in boolean {
            // By way of Boolean programs the engines' options mean something.
            let tree: &[&str] = &["--route", "tree"];
            refused(&run(&[&["check", c], option, tree].concat(), b""), &[option[0], "Boolean"]);
            refused(
                &run(&[&["check", "-", "--language", "c"], option, tree].concat(), b""),
                &[option[0]],
            );
        }
        let bp = folder.path().join("a.bp");
        fs::write(&bp, super::SAFE).expect("writes");
        let own: [&[&str]; 17] = [
            &["--64"],
            &["--32"],
            &["--blocks", "lbe"],
            &["--abstraction", "boolean"],
            &["--scope", "global"],
            &["--refinement", "auto"],
            &["--interpolation", "auto"],
            &["--smt", "z3"],
            &["--arithmetic", "bits"],
            &["--malloc-may-fail"],
            &["--memory", "havoc"],
            &["--recursion", "4"],
            &["--harness", "x"],
            &["--dump-art", "-"],
            &["--dump-predicates", "-"],
            &["--predicates", "-"],
            &["--dump-smt", "x"],
        ];
        for option in own {
            let words = [option[0], "C programs", "a.bp"];
            refused(&run(&[&["check", name(&bp)], option].concat(), b""), &words);
        }
        let of_tree: [&[&str]; 5] = [
            &["--scope", "global"],
            &["--refinement", "auto"],
            &["--explicit-states", "9"],
            &["--recursion", "4"],
            &["--dump-art", "-"],
        ];
        for option in of_tree {
            let output = run(&[&["check", c, "--route", "bp"], option].concat(), b"");
            refused(&output, &[option[0], "tree", "--route bp"]);
        }
        refused(&run(&["check", c, "--memory", "auto"], b""), &["auto", "havoc", "regions"]);
        assert_eq!(code(&run(&["check", name(&bp), "--language", "bp"], b"")), Some(0));
        let twice = ["check", "-", "--language", "c", "--predicates", "-"];
        refused(&run(&twice, b""), &["--predicates -", "standard input"]);
        for option in ["--dump-art", "--dump-predicates", "--harness"] {
            refused(&run(&["check", c, "--json", option, "-"], b""), &["--json", option]);
        }
        assert!(!Path::new("x").exists());
    }

    #[test]
    fn entry_function() {
        let (_folder, file) = program(
            "static int g = 1;\nint start(int n) { if (n == 7 && g) reach_error(); return 0; }
int main(void) { g = 0; return start(7); }",
        );
        let file = name(&file);
        assert_eq!(code(&run(&["check", file], b"")), Some(0));
        let output = run(&["check", file, "--entry", "start"], b"");
        assert_eq!(code(&output), Some(10), "{}", stderr(&output));
        assert!(stdout(&output).contains("= 7"), "{}", stdout(&output));
        let output = run(&["check", file, "--entry", "strat"], b"");
        refused(&output, &["no function 'strat'", "did you mean 'start'"]);
    }

    /// Places behind the preprocessor are those of the file, and of the headers beside it.
    #[test]
    fn preprocessed_files_keep_their_names() {
        let (folder, file) =
            program("#include \"limit.h\"\nint main(void) {\n  if (LIMIT == 5) fail();\n}\n");
        let header = "#define LIMIT 5\nstatic void fail(void) {\n  reach_error(); }\n";
        fs::write(folder.path().join("limit.h"), header).expect("writes");
        let output = run(&["check", name(&file)], b"");
        assert_eq!(code(&output), Some(10), "{}", stderr(&output));
        let shown = stdout(&output);
        for part in ["a b.c:5", "limit.h:3"] {
            assert!(shown.contains(part), "{part} is not in\n{shown}");
        }
        assert!(!shown.contains("<stdin>"), "{shown}");
        // A mistake.
        let odd = folder.path().join("a\"b.c");
        fs::write(&odd, "#define N 3\nint main(void) { return n; }\n").expect("writes");
        refused(&run(&["check", name(&odd)], b""), &["a\"b.c:2:25"]);
        fs::write(&odd, "#include \"nothing.h\"\n").expect("writes");
        refused(&run(&["check", name(&odd)], b""), &["b.c:1:", "nothing.h"]);
    }

    /// The limits and types of headers are those of the data model, even where the machine has
    /// another one.
    #[test]
    fn headers_are_those_of_the_data_model() {
        use std::os::unix::fs::PermissionsExt;

        let text = "#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int main(void) {
  if (LONG_MAX / 2 + 1 != 1L << (sizeof(long) * 8 - 2)) reach_error();
  if (INTPTR_MAX / 2 + 1 != 1L << (sizeof(void *) * 8 - 2)) reach_error();
  if (__VERIFIER_nondet_long() == LONG_MIN && sizeof(size_t) == SIZE) reach_error();
  return 0;
}
";
        let (folder, file) = program(text);
        for (model, own, other) in
            [("--32", "-DSIZE=4", "-DSIZE=8"), ("--64", "-DSIZE=8", "-DSIZE=4")]
        {
            assert_eq!(code(&run(&["check", name(&file), model, own], b"")), Some(10), "{model}");
            assert_eq!(code(&run(&["check", name(&file), model, other], b"")), Some(0), "{model}");
        }
        // A compiler for one data model only.
        let compiler = folder.path().join("cc64");
        let script = "#!/bin/sh\nfor o; do test \"$o\" != -m32 || exit 1; done\nexec cc \"$@\"\n";
        fs::write(&compiler, script).expect("writes");
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("it may be run");
        let check =
            |model| run(&["check", name(&file), "-DSIZE=8", model, "--cc", name(&compiler)], b"");
        assert_eq!(code(&check("--64")), Some(10));
        refused(&check("--32"), &["headers for '--32'"]);
    }

    /// Annotations pass the preprocessor, which expands their macros; headers' comments do no harm.
    #[test]
    fn annotations_are_read_where_that_is_asked() {
        let text = "/* a */ #include <limits.h>
#include <stdio.h>
#include \"limit.h\"
#define N 10 //@ loop assigns x;
int main(void) {
  int x = INT_MAX, *p = NULL;
  /*@ loop assigns x; */
  //@ assert x + 1 > INT_MAX && p == NULL;
  set(&x);
  x = INT_MAX;
  /*@ assert
    @   0 <= x < N;
    @*/
  return 0;
}
";
        let (folder, file) = program(text);
        let file = name(&file);
        let header = "/* It's */ static void set(int *p) { *p = 3; /*@ assert *p == 3; */ }\n";
        let header_at = folder.path().join("limit.h");
        fs::write(&header_at, header).expect("writes");
        let said = stderr(&run(&["check", file], b""));
        assert!(said.contains("states no error itself"), "{said}");
        let harness = folder.path().join("harness.c");
        let output = run(&["check", file, "--acsl", "--harness", name(&harness)], b"");
        assert_eq!(code(&output), Some(10), "{}", stderr(&output));
        let shown = stdout(&output);
        assert!(shown.contains("assert 0 <= x < 10: ERROR"), "{shown}");
        let said = stderr(&output);
        for part in ["an annotation 'loop assigns' is not checked", "the error is in an annotation"]
        {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
        fs::write(&header_at, header.replace("== 3", "== 4")).expect("writes");
        let shown = stdout(&run(&["check", file, "--acsl"], b""));
        assert!(shown.contains("assert *p == 4: ERROR"), "{shown}");
        // Refused, with the place.
        let odd = folder.path().join("odd.c");
        for (text, words) in [
            (
                "#define M(x) #x\nchar *s = M(/*@ assert 1; */);\nint main(void) { return 0; }\n",
                "makes a text of it",
            ),
            ("#define M 1\nint main(void) {\n  //@ assert \\old(M) == 1;\n}\n", "odd.c:3:14"),
            ("#define M /*@ assert 0; */\nint main(void) { M }\n", "in a directive"),
            ("int main(void) {\n  //@ assert 1 / 1;\n}\n", "odd.c:2:16"),
        ] {
            fs::write(&odd, text).expect("writes");
            refused(&run(&["check", name(&odd), "--acsl"], b""), &[words]);
        }
        refused(
            &run(&["check", "--acsl", "-"], super::SAFE.as_bytes()),
            &["'--acsl' is for C programs"],
        );
    }

    /// What the preprocessor and the models of functions leave in a trace reads as the text does.
    #[test]
    fn traces_show_neither_line_marks_nor_flags() {
        let (_folder, file) = program(
            "#define INPUT fgets(b, 8, (FILE *)0)
typedef struct F FILE;
extern char *fgets(char *, int, FILE *);
int main(void) { char b[8]; if (!(INPUT)) reach_error(); return 0; }
",
        );
        let output = run(&["check", name(&file)], b"");
        let shown = stdout(&output);
        assert_eq!(code(&output), Some(10), "{shown}");
        assert!(shown.contains("input fgets() = NULL"), "{shown}");
        assert!(!shown.contains("# "), "{shown}");
    }

    /// A program that states no error is asked for what C leaves undefined; a label that was asked for by
    /// name, and that it lacks, is an error of usage.
    #[test]
    fn a_program_without_errors_is_asked_for_what_is_undefined() {
        let (folder, file) = program("int main(void) { int a[2], x = 0; a[x] = 1; return a[0]; }");
        for more in [&[][..], &["--quiet"], &["--json"], &["--each", "--quiet"]] {
            let output = run(&[&["check", name(&file)], more].concat(), b"");
            assert_eq!(code(&output), Some(0), "{}", stderr(&output));
            let label = [&["check", name(&file), "--error", "ERROR"], more].concat();
            refused(&run(&label, b""), &["no statement has the label 'ERROR'"]);
        }
        let said = stderr(&run(&["check", name(&file)], b""));
        assert!(said.contains("this program states no error itself"), "{said}");
        for (fault, words) in [
            ("a[2] = 1;", "an access out of bounds in line 3"),
            ("return 1 / x;", "a division by zero in line 3"),
            ("return 2147483647 + !x;", "a signed overflow in line 3"),
            ("int *p = 0; *p = 1;", "an access through a null pointer in line 3"),
        ] {
            let (_folder, file) =
                program(&format!("int main(void) {{ int a[2], x = 0; {fault} return a[0]; }}"));
            let output = run(&["check", name(&file)], b"");
            assert_eq!(code(&output), Some(10), "{fault}");
            assert!(stdout(&output).contains(words), "{}", stdout(&output));
            // What is asked for by name is all that is.
            let other = if fault.contains("a[2]") { "division" } else { "undefined,no-memory" };
            let is_other = ["a[2]", "*p"].iter().any(|part| fault.contains(part));
            let output = run(&["check", name(&file), "--check", other], b"");
            let expected = if is_other { 0 } else { 10 };
            assert_eq!(code(&output), Some(expected), "{fault} {other}");
        }
        let wrong = run(&["check", name(&file), "--check", "bounds,nul"], b"");
        refused(
            &wrong,
            &[
                "invalid value 'nul'",
                "overflow, bounds, null, division, free, lifetime, cleanup, leak, uninitialised, unreachable, return",
            ],
        );
        let asserted = folder.path().join("asserted.c");
        fs::write(&asserted, "#include <assert.h>\nint main(void) { assert(1); return 0; }\n")
            .expect("writes");
        assert_eq!(code(&run(&["check", name(&asserted)], b"")), Some(0));
        let ignored = run(&["check", name(&asserted), "--ignore-asserts"], b"");
        assert!(stderr(&ignored).contains("has nothing in it that can be one of the errors"));
        let spec = folder.path().join("p.prp");
        fs::write(&spec, "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("writes");
        for more in
            [&["--spec", name(&spec)][..], &["--overflow-check"], &["--check-bounds", "--each"]]
        {
            let output = run(&[&["check", name(&file)], more].concat(), b"");
            assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        }
    }

    /// Of an assertion that always holds, or comes behind one that never does, there is nothing
    /// left in the program.
    #[test]
    fn all_assertions_are_listed() {
        let (_folder, file) = program(
            "#include <assert.h>\nint main(void) { int x = 1; assert(sizeof(int) == 4); assert(x); assert(0); assert(x == 2); return 0; }\n",
        );
        let listed = stdout(&run(&["list", name(&file)], b""));
        let output = run(&["check", name(&file), "--each"], b"");
        let verdicts: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
        for (text, verdict) in
            [("sizeof(int) == 4", "SAFE"), ("x", "SAFE"), ("0", "UNSAFE"), ("x == 2", "SAFE")]
        {
            let words = format!("assert({text})");
            assert!(listed.contains(&words), "{words} in {listed}");
            let own = verdicts.iter().find(|line| line.contains(&words)).expect("a line");
            assert!(own.split_whitespace().any(|word| word == verdict), "{own}");
        }
    }

    /// The refinements that a run needed.
    fn refinements(output: &std::process::Output) -> u64 {
        let document: serde_json::Value = serde_json::from_str(&stdout(output)).expect("JSON");
        document["statistics"]["refinements"].as_u64().expect("a number")
    }

    #[test]
    fn predicates_of_a_run_serve_the_next_one() {
        let (folder, file) = program(LOCKS);
        let (file, list) = (name(&file), folder.path().join("p.txt"));
        for options in [&["--refinement", "interpolants"][..], &[]] {
            let first = [&["check", file, "--json", "--dump-predicates", name(&list)], options];
            let output = run(&first.concat(), b"");
            assert_eq!(code(&output), Some(0), "{}", stderr(&output));
            assert!(refinements(&output) > 0);
            let again = [&["check", file, "--json", "--predicates", name(&list)], options];
            let output = run(&again.concat(), b"");
            assert_eq!(code(&output), Some(0), "{}", stderr(&output));
            assert_eq!(refinements(&output), 0, "{}", fs::read_to_string(&list).expect("reads"));
        }
        // Of an older version of the program.
        let text = fs::read_to_string(&list).expect("reads");
        fs::write(&list, format!("(= gone #x00000001)\n(= #x00 #x0000) ; no\n{text}"))
            .expect("writes");
        let output = run(&["check", file, "--predicates", name(&list)], b"");
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        for part in ["warning: ", "p.txt:1:1: there is no variable 'gone'", "p.txt:2:1"] {
            assert!(stderr(&output).contains(part), "{part} is not in\n{}", stderr(&output));
        }
    }

    #[test]
    fn predicates_that_are_none() {
        let (folder, file) = program(LOCKS);
        let list = folder.path().join("p.txt");
        for (text, place, words) in [
            ("; one\n(= x", "p.txt:2:1", "without a ')'"),
            ("x)", "p.txt:1:2", "without a '('"),
            ("(= |x 1)", "p.txt:1:4", "'|'"),
            ("\n (bvless x y)", "p.txt:2:2", "unknown operator 'bvless'"),
            ("(not true false)", "p.txt:1:1", "one operand, not 2"),
            ("(= x 10)", "p.txt:1:1", "'10' is no constant"),
            ("()", "p.txt:1:1", "operator is missing"),
            ("((_ extract 3 5) x)", "p.txt:1:2", "(_ extract 3 5)"),
            ("(= x #x112233445566778899)", "p.txt:1:1", "no constant"),
        ] {
            fs::write(&list, text).expect("writes");
            let output = run(&["check", name(&file), "--predicates", name(&list)], b"");
            refused(&output, &[place, words, "help:"]);
        }
        refused(&run(&["check", name(&file), "--predicates", "/no/such"], b""), &["/no/such"]);
    }

    /// Every query with the answer that Z3 gives to its text.
    #[test]
    fn smt_queries_are_dumped() {
        let (folder, file) = program(LOCKS);
        let dump = folder.path().join("queries");
        let options =
            ["--refinement", "interpolants", "--explicit-states", "0", "--dump-smt", name(&dump)];
        let output = run(&[&["check", name(&file)][..], &options].concat(), b"");
        assert_eq!(last_line(&output), "VERDICT: SAFE");
        let mut files: Vec<PathBuf> =
            fs::read_dir(&dump).expect("a folder").map(|e| e.expect("a file").path()).collect();
        files.sort();
        assert_eq!(files[0].file_name().expect("a name"), "query-000001.smt2");
        let mut purposes = std::collections::BTreeSet::new();
        let mut statuses = std::collections::BTreeSet::new();
        for file in files {
            let text = fs::read_to_string(&file).expect("reads");
            purposes.insert(text.lines().next().expect("a line").to_owned());
            let mut solver = Z3::new().expect("Z3 works");
            solver.assert_text(&text).expect("it can be read");
            let terms = hardbop_smt::Terms::new();
            let answer = solver.check(&terms, &[], &Budget::unlimited()).expect("Z3 works");
            let status = if answer == SmtAnswer::Sat { "sat" } else { "unsat" };
            assert!(text.contains(&format!("(set-info :status {status})\n")), "{text}");
            assert!(text.ends_with("(check-sat)\n"), "{text}");
            statuses.insert(status);
        }
        assert_eq!(statuses.len(), 2);
        for purpose in ["; abstraction", "; path", "; interpolation", "; invariant check"] {
            assert!(purposes.contains(purpose), "{purpose} is not in {purposes:?}");
        }
        let bad = folder.path().join("a b.c/queries");
        refused(&run(&["check", name(&file), "--dump-smt", name(&bad)], b""), &["cannot write"]);
    }

    /// Names as in the program, and signs as its types have them.
    #[test]
    fn invariants_are_in_c() {
        let (_folder, file) = program(
            "void *malloc(unsigned long);
struct s { int state; unsigned n; } global;
static void step(int x) {
  int i = 0;
  while (i < x) i++;
  if (i != 2) reach_error();
}
int main(void) {
  struct s *p = malloc(sizeof *p);
  p->state = -3;
  p->n = 4000000000u;
  step(2);
  step(2);
  struct s *q = __VERIFIER_nondet_int() ? p : &global;
  while (__VERIFIER_nondet_int()) {
    if (p->state >= 0) reach_error();
    if (p->n < 3000000000u) reach_error();
    if (q != p && q != &global) reach_error();
    if (__VERIFIER_nondet_int()) { p->state = -4; p->n = 4100000000u; }
  }
  return 0;
}",
        );
        for refinement in ["auto", "interpolants"] {
            let output =
                run(&["check", name(&file), "--refinement", refinement, "--executions", "0"], b"");
            assert_eq!(last_line(&output), "VERDICT: SAFE");
            // Long invariants take several lines.
            let text = stdout(&output).replace("\n    ", " ");
            for line in text.lines().filter(|l| l.contains("line 17 in main")) {
                assert!(line.contains("(*allocated in line 11).state "), "{text}");
                assert!(line.contains("(*allocated in line 11).n "), "{text}");
                assert!(!line.contains(".n < -") && !line.contains(".n >= -"), "{text}");
            }
            assert!(text.contains("line 17 in main"), "{text}");
            assert!(text.contains("line 7 in step: "), "{text}");
            let pointed = ["q == &global", "q == &(*allocated in line 11)"];
            assert!(refinement != "auto" || pointed.iter().any(|p| text.contains(p)), "{text}");
            assert!(!text.contains(['@', '#']) && !text.contains("step::i"), "{text}");
        }
    }

    /// What is being done, and what was when a limit ended it.
    #[test]
    fn phases() {
        let output = run(&["check", "-v", "examples/lock.c"], b"");
        let said = stderr(&output);
        for words in ["reading examples/lock.c", "LP64", "ended"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        let output = run(&["check", "examples/lock.c", "--time-limit", "0s", "--json"], b"");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["verdict"], "UNKNOWN");
        assert!(answer["phase"].as_str().is_some_and(|p| !p.is_empty()), "{answer:#}");
        let output = run(&["check", "examples/lock.c", "--json"], b"");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(answer["phase"].is_null(), "{answer:#}");
    }

    /// Over unbounded integers: a verdict that bits confirm, or none.
    #[test]
    fn linear_arithmetic() {
        let x = "int x = __VERIFIER_nondet_int();";
        let table = [
            (LOCKS.to_owned(), "SAFE"),
            (format!("int main(void) {{ {x} if (x == 5) reach_error(); }}"), "UNSAFE"),
            (
                format!("int main(void) {{ {x} int y = x + 1; if (y < x) reach_error(); }}"),
                "UNKNOWN (the proof holds for unbounded integers only",
            ),
            (
                format!("int main(void) {{ {x} if (x * x == 25 && x > 3) reach_error(); }}"),
                "UNKNOWN (the SMT solver gave up: not linear: (bvmul",
            ),
            (
                "int main(void) { unsigned char c = 200; c += 100; if (c < 50) reach_error(); }"
                    .to_owned(),
                "UNSAFE",
            ),
        ];
        for (text, expected) in table {
            let (folder, file) = program(&text);
            for refinement in ["auto", "interpolants"] {
                let options = ["--arithmetic", "linear", "--executions", "0"];
                let options = [&options[..], &["--refinement", refinement]].concat();
                let output = run(&[&["check", name(&file)][..], &options].concat(), b"");
                let expected = format!("VERDICT: {expected}");
                assert!(last_line(&output).starts_with(&expected), "{}", last_line(&output));
            }
            // What Z3 was asked is about integers, but for the last check.
            let dump = folder.path().join("queries");
            let options = ["--arithmetic", "linear", "--executions", "0"];
            let options = [&options[..], &["--dump-smt", name(&dump)]].concat();
            run(&[&["check", name(&file)][..], &options].concat(), b"");
            for file in fs::read_dir(&dump).expect("a folder") {
                let text = fs::read_to_string(file.expect("a file").path()).expect("reads");
                let bits = text.starts_with("; inv") || text.starts_with("; interpolation");
                assert!(bits || !text.contains("BitVec"), "{text}");
            }
        }
        let (_folder, file) = program(LOCKS);
        let both = ["check", name(&file), "--arithmetic", "linear", "--smt", "blast"];
        refused(&run(&both, b""), &["--arithmetic linear", "Z3"]);
    }
}
