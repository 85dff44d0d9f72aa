//! Boolean programs with threads.

use super::{code, last_line, run, stderr, stdout};

/// Two threads that do not wait for each other.
const RACE: &str = "decl g;\nvoid t() begin\n  g := T;\nend\nvoid main() begin\n  g := F;\n  \
                    start_thread t();\n  assert(!g);\nend";

#[test]
fn a_step_says_which_thread_takes_it() {
    let output = run(&["check", "-"], RACE.as_bytes());
    assert_eq!(code(&output), Some(10));
    let text = stdout(&output);
    for line in ["<stdin>:7  0: main  start_thread t()", "<stdin>:3  1: t     g := T"] {
        assert!(text.contains(line), "{text}");
    }
    let output = run(&["check", "--json", "-"], RACE.as_bytes());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let steps = answer["trace"]["steps"].as_array().expect("steps");
    let threads: Vec<u64> = steps.iter().filter_map(|s| s["thread"].as_u64()).collect();
    assert_eq!(threads.len(), steps.len(), "each step has a thread");
    assert!(threads.contains(&1), "{threads:?}");
}

#[test]
fn each_method_finds_the_error() {
    for method in ["states", "coverability", "rounds", "auto"] {
        let output = run(&["check", "--trace", "none", "--method", method, "-"], RACE.as_bytes());
        assert_eq!(last_line(&output), "VERDICT: UNSAFE", "{method}");
    }
    let output = run(&["check", "--method", "modular", "-"], RACE.as_bytes());
    assert_eq!(last_line(&output), "VERDICT: UNKNOWN (no method decides it)");
}

#[test]
fn without_an_answer_it_says_what_is_known() {
    let text = "decl g; void f() begin if (*) then f(); fi g := !g; g := !g; end\n\
                void main() begin g := F; f(); start_thread f(); f(); assert(g | !g); end";
    let output = run(&["check", "--rounds", "2", "-"], text.as_bytes());
    let line = last_line(&output);
    assert!(line.starts_with("VERDICT: UNKNOWN ("), "{line}");
    assert!(line.contains("there is no error in schedules of up to 2 rounds"), "{line}");
}

#[test]
fn what_is_not_for_threads_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("race.bp");
    std::fs::write(&file, RACE).expect("it can be written");
    let file = file.to_str().expect("a path");
    let certificate = folder.path().join("c.json");
    let certificate = certificate.to_str().expect("a path");
    let rows: [(&[&str], &str); 2] = [
        (
            &["check", "--certificate", certificate, file],
            "no certificates of programs with threads",
        ),
        (&["export", file], "'start_thread': this program has threads"),
    ];
    for (arguments, words) in rows {
        let output = run(arguments, b"");
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
