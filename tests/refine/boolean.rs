//! C programs by way of Boolean programs: recursive ones whose verdicts are known by construction,
//! by each route; what `hardbop abstract` writes; the cache; the race of routes.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_c::on_large_stack;
use hardbop_c::types::DataModel;
use hardbop_verify::{CProgram, Options, Outcome, Route, check};

use crate::support::c::analysis_only;

/// A safe text, and an unsafe one with what the lines `// old ==> new` behind the first one say.
fn versions(text: &str) -> [(String, &'static str); 2] {
    let changes: Vec<(&str, &str)> = text
        .lines()
        .skip(1)
        .map_while(|line| line.strip_prefix("// ")?.split_once(" ==> "))
        .collect();
    let body: String =
        text.lines().skip(1 + changes.len()).map(|line| format!("{line}\n")).collect();
    let mut bug = body.clone();
    for (old, new) in changes {
        assert_eq!(bug.matches(old).count(), 1, "{old}");
        bug = bug.replace(old, new);
    }
    assert_ne!(body, bug);
    [(body, "safe"), (bug, "unsafe")]
}

fn answer(text: &str, options: &Options) -> String {
    let flow = crate::support::c::flow("program.c", text, DataModel::Ilp32);
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(300));
    let work = || match check(CProgram::new(&flow), options, &budget, &mut ())
        .expect("solvers work")
        .outcome
    {
        Outcome::Safe(_) => "safe".to_owned(),
        Outcome::Unsafe(_) => "unsafe".to_owned(),
        Outcome::Unknown(reason) => reason.to_string(),
    };
    on_large_stack(work).expect("a thread")
}

fn recursive(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/recursive");
    std::fs::read_to_string(folder.join(name)).expect("a program")
}

/// All recursive programs that a route does not decide as it should.
fn wrong(options: &Options, but: &[(&str, &str)]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/recursive");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|e| e.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert!(names.len() >= 15);
    let mut wrong = vec![];
    for name in names {
        for (text, expected) in versions(&recursive(&name)) {
            if but.contains(&(name.as_str(), expected)) {
                continue;
            }
            let found = answer(&text, options);
            if found != expected {
                wrong.push(format!("{name}: {found}, not {expected}"));
            }
        }
    }
    wrong
}

#[test]
fn recursive_programs_through_boolean_programs() {
    let options = Options { route: Route::Bp, ..analysis_only() };
    // Three discs in all their positions are many predicates.
    let wrong = wrong(&options, &[("hanoi.c", "safe")]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn recursive_programs_by_the_better_route() {
    let mut options = analysis_only();
    options.analysis.explicit_states = 2000;
    let wrong = wrong(&options, &[]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn routes_race() {
    let mut options = analysis_only();
    options.engine.threads = NonZeroUsize::new(2).expect("two");
    for name in ["identity.c", "lock_descent.c", "flag_machine.c"] {
        for (text, expected) in versions(&recursive(name)) {
            assert_eq!(answer(&text, &options), expected, "{name}");
        }
    }
}

fn hardbop(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardbop")).args(arguments).output().expect("it runs")
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

const LOCK: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int held, rounds;
static void take(int by) { if (held) reach_error(); held = by; }
static void give(void) { if (!held) reach_error(); held = 0; }
int main(void) {
  int again;
  do {
    again = __VERIFIER_nondet_int();
    take(1);
    rounds++;
    if (again) give();
  } while (again);
  give();
  return 0;
}
";

#[test]
fn the_boolean_program_is_checked_like_any_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("lock.c"), LOCK).expect("written");
    // Without predicates nothing is known, so the error is reached.
    let coarse = hardbop(&["abstract", &at("lock.c"), "-o", &at("coarse.bp")]);
    assert_eq!(coarse.status.code(), Some(0), "{coarse:?}");
    assert_eq!(last_line(&hardbop(&["check", &at("coarse.bp")])), "VERDICT: UNSAFE");
    // With these it is safe, whatever blocks and abstraction are.
    std::fs::write(
        at("predicates"),
        "(= held #x00000000)\n(= |main::again| #x00000000)\n(= |take::by| #x00000000)\n",
    )
    .expect("written");
    for how in [&[][..], &["--blocks", "sbe"], &["--abstraction", "cartesian"]] {
        let (program, fine, predicates) = (at("lock.c"), at("fine.bp"), at("predicates"));
        let mut arguments = vec!["abstract", &program, "-o", &fine, "--predicates", &predicates];
        arguments.extend(how);
        let written = hardbop(&arguments);
        assert_eq!(written.status.code(), Some(0), "{written:?}");
        let text = std::fs::read_to_string(&fine).expect("text");
        assert!(text.contains("{held == 0}") && text.contains("// 6: "), "{text}");
        for engine in ["bdd", "qbf", "universal"] {
            let checked = hardbop(&["check", &fine, "--engine", engine]);
            assert_eq!(last_line(&checked), "VERDICT: SAFE", "{how:?} {engine}\n{text}");
        }
    }
}

#[test]
fn the_cache_saves_work_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("lock.c"), LOCK).expect("written");
    let run = |directory: &str| {
        let (program, cache, bps) = (at("lock.c"), at("cache"), at(directory));
        let arguments = ["check", &program, "--route", "bp", "--executions", "0", "--json"];
        let further = ["--cache", &cache, "--save-bps", &bps];
        let output = hardbop(&[&arguments[..], &further[..]].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["verdict"], "SAFE", "{json}");
        let mut programs: Vec<_> =
            std::fs::read_dir(&bps).expect("a folder").map(|e| e.expect("a file").path()).collect();
        programs.sort();
        let texts: Vec<String> =
            programs.iter().map(|p| std::fs::read_to_string(p).expect("text")).collect();
        assert_eq!(json["statistics"]["rounds"], texts.len());
        (json["statistics"]["cached"].as_u64().expect("a number"), texts)
    };
    let (first, then) = (run("first"), run("then"));
    // Some things are asked for twice in one run.
    assert!(then.0 > first.0, "{} {}", then.0, first.0);
    assert_eq!(first.1, then.1);
    // Files that are broken count as none.
    for entry in std::fs::read_dir(folder.path().join("cache")).expect("a folder") {
        std::fs::write(entry.expect("a file").path(), "{").expect("written");
    }
    assert_eq!(run("broken"), first);
}

/// What calls change of a parameter: through its address, and by a result that it takes.
#[test]
fn calls_change_parameters() {
    let head = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let address = "void set(int *q) { *q = 5; } void nothing(void) { }
        int f(int p) { if (p != 6) return 0; nothing(); if (p != 6) reach_error(); set(&p);
          if (p == 5) reach_error(); return p; }
        int main(void) { f(__VERIFIER_nondet_int()); return 0; }";
    let taken = "int next(int x) { return x + 1; } int f(int p) { p = next(p); return p; }
        int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n); if (r != n) reach_error(); return 0; }";
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (program, error, predicates) in [
        (address, "p == 5", "(= |f::p| #x00000006)"),
        (taken, "r != n", "(= |f::result@| |f::p|) (= |main::r| |main::n|)"),
    ] {
        let safe = match error {
            "p == 5" => "p == 6",
            _ => "r == n",
        };
        std::fs::write(path("p.txt"), predicates).expect("predicates are written");
        for (condition, verdict) in [(error, "UNSAFE"), (safe, "SAFE")] {
            let text = format!("{head}{}", program.replace(error, condition));
            std::fs::write(path("a.c"), text).expect("the program is written");
            for given in [true, false] {
                let (file, predicates) = (path("a.c"), path("p.txt"));
                let (file, predicates) = (file.to_str(), predicates.to_str());
                let mut arguments = vec!["check", file.expect("text"), "--route", "bp", "-q"];
                arguments.extend(["--executions", "0", "--time-limit", "60"]);
                if given {
                    arguments.extend(["--predicates", predicates.expect("text")]);
                }
                let wanted = format!("VERDICT: {verdict}");
                assert_eq!(last_line(&hardbop(&arguments)), wanted, "{condition}, {given}");
            }
        }
    }
}
