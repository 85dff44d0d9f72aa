//! `--limit`: every limit that it lists can be set within its range, and not beyond.

use std::process::{Command, Output};

const BOOLEAN: (&str, &str) =
    ("p.bp", "decl x; void main() begin x := *; if (x) then assert(x); fi; end");
#[cfg(feature = "c")]
const C: (&str, &str) = (
    "p.c",
    "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n\
     int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 2) reach_error(); return 0; }\n",
);

/// A line of `--limit help`.
struct Listed {
    name: String,
    default: u64,
    least: u64,
    most: u64,
}

fn check(file: &str, assignments: &[String]) -> Output {
    let limits = assignments.iter().flat_map(|a| ["--limit", a]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.arg("check").args(limits).arg(file).output().expect("hardbop starts")
}

fn listed(file: &str) -> Vec<Listed> {
    let help = check(file, &["help".to_owned()]);
    let text = String::from_utf8(help.stdout).expect("help is UTF-8");
    // `name=default  unit, least to most`, and indented below what it is for.
    let limits = text.lines().filter(|line| !line.starts_with(' ')).map(|line| {
        let (assignment, rest) = line.split_once("  ").expect("a unit follows");
        let (name, default) = assignment.split_once('=').expect("a default");
        let (_, range) = rest.rsplit_once(", ").expect("a range");
        let (least, most) = range.split_once(" to ").expect("two ends");
        let number = |text: &str| text.parse().expect("a number");
        Listed {
            name: name.to_owned(),
            default: number(default),
            least: number(least),
            most: number(most),
        }
    });
    limits.collect()
}

fn every_limit((name, text): (&str, &str), groups: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("UTF-8");

    let all = listed(file);
    for group in groups {
        assert!(all.iter().any(|l| l.name.starts_with(group)), "no limit of {group}");
    }
    let verdict = |output: &Output| {
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let plain = verdict(&check(file, &[]));
    assert_eq!(plain.0, Some(0), "{}", plain.1);

    // All at once: to the defaults, which are in their ranges, and by either end.
    for choose in [|l: &Listed| l.default, |l: &Listed| l.least, |l: &Listed| l.most] {
        let set: Vec<String> = all.iter().map(|l| format!("{}={}", l.name, choose(l))).collect();
        let found = check(file, &set);
        let message = String::from_utf8_lossy(&found.stderr);
        // Limits may cost an answer, but give no wrong one.
        assert!(matches!(found.status.code(), Some(0 | 20)), "{message}");
    }
    let defaults: Vec<String> = all.iter().map(|l| format!("{}={}", l.name, l.default)).collect();
    assert_eq!(verdict(&check(file, &defaults)), plain);

    for Listed { name, least, most, .. } in &all {
        for value in least.checked_sub(1).into_iter().chain([most + 1]) {
            let refused = check(file, &[format!("{name}={value}")]);
            let message = String::from_utf8_lossy(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{name}={value}: {message}");
            let range = format!("limit '{name}': {value} is not in {least} to {most}");
            assert!(message.contains(&range), "{message}");
        }
    }
}

#[test]
fn every_limit_of_boolean_programs() {
    every_limit(BOOLEAN, &["engine."]);
}

#[test]
#[cfg(feature = "c")]
fn every_limit_of_c_programs() {
    every_limit(C, &["engine.", "c.", "refine.", "routes."]);
}
