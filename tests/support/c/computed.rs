//! Verdicts against what gcc's code computes.

use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use super::{decide, flow};

const LIMIT: Duration = Duration::from_secs(120);

/// Functions `f0`, `f1` and so on of a text, without parameters, whose results are numbers of 64 bits: what they return in
/// gcc's code is proved, and that one of them returns something else is found to be wrong.  What is `volatile`, so that gcc
/// does not compute it beforehand, is not so for the proof.
pub fn return_what_gcc_computes(start: &str, functions: &str, count: usize, options: &[&str]) {
    let values = values(&format!("{start}{functions}"), count, options);
    for (wrong, expected) in
        [(None, "safe"), (Some(count / 2), "unsafe"), (Some(count - 1), "unsafe")]
    {
        let mut checks = String::new();
        for (i, value) in values.iter().enumerate() {
            let more = u8::from(Some(i) == wrong);
            let _ = writeln!(checks, "if (f{i}() != {value}ULL + {more}) reach_error();");
        }
        let text = format!("{start}{functions}int main(void) {{ {checks} return 0; }}");
        let flow = flow("p.c", &text.replace("volatile ", ""), DataModel::Lp64);
        let (verdict, more) = decide(&flow, &Options::default(), LIMIT);
        assert_eq!(verdict, expected, "{more}");
    }
}

/// What functions `f0`, `f1` and so on return in gcc's code.
pub fn values(functions: &str, count: usize, options: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
    let prints: String = (0..count).map(|i| format!("printf(\"%llu\\n\", f{i}());\n")).collect();
    let text = format!(
        "int printf(const char *, ...);\n{functions}int main(void) {{ {prints} return 0; }}"
    );
    std::fs::write(&file, text).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0"]).args(options).arg(&file).arg("-o").arg(&program).arg("-lm");
    assert!(gcc.status().is_ok_and(|status| status.success()), "gcc does not build {functions}");
    let output = Command::new(&program).output().expect("it starts");
    let output = String::from_utf8(output.stdout).expect("digits");
    let values: Vec<String> = output.lines().map(str::to_owned).collect();
    assert_eq!(values.len(), count);
    values
}

/// A program ends without an error: compiled with gcc and these options beside its sanitizers.  Without a gcc nothing is known.
pub fn runs_through(text: &str, options: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, program) = (folder.path().join("p.c"), folder.path().join("p"));
    std::fs::write(&source, text).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O1", "-fsanitize=address,undefined"]);
    gcc.arg("-fno-sanitize-recover=all").args(options);
    let Ok(compiled) = gcc.arg("-o").arg(&program).arg(&source).arg("-lm").output() else {
        eprintln!("skipped: no gcc");
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).output().expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{}: {out}{err}", ran.status);
}

/// A text has a verdict, and one that differs in a part another: with random executions and without.
pub fn are_decided((safe, unsafe_): (&str, &str)) {
    for (text, expected) in [(safe, "safe"), (unsafe_, "unsafe")] {
        let flow = flow("p.c", text, DataModel::Lp64);
        for executions in [0, 2000] {
            let options = Options { executions, ..Options::default() };
            let (verdict, more) = decide(&flow, &options, LIMIT);
            assert_eq!(verdict, expected, "{more}: {text}");
        }
    }
}
