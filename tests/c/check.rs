//! `verify::check` on C programs: verdicts against those that are known, every invariant checked by
//! a solver that had no part in it (which `check` itself does, or there is no SAFE), every error
//! reached by the interpreter and by what gcc makes of the harness.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::harness::{ERROR_CODE, harness};
use hardbop_c::lower::Model;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_refine::block::{Blocks, Problem};
use hardbop_refine::predicate::abstraction::Abstraction;
use hardbop_smt::{SolverKind, Terms};
use hardbop_verify::{CProgram, Options, Outcome, Report, Route, check};

use crate::support::c::{analysis_only, shared};

fn options(blocks: Blocks, abstraction: Abstraction) -> Options {
    // The proof that is checked here is that of the tree.
    let mut options = Options { route: Route::Tree, ..analysis_only() };
    (options.analysis.blocks, options.analysis.abstraction) = (blocks, abstraction);
    options
}

fn lbe() -> Options {
    options(Blocks::Large, Abstraction::Boolean)
}

/// Checks a program, and what comes of it: `safe`, `unsafe` or `unknown`.
fn verdict(name: &str, text: &str, options: &Options, seconds: u64) -> &'static str {
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(seconds));
    on_large_stack(|| {
        let source = Source::new(name, text);
        let flow =
            parse(source, &ParseOptions { model: Some(DataModel::Ilp32), ..Default::default() })
                .unwrap_or_else(|d| panic!("{name}: {d:#?}"));
        let mut report = check(CProgram::new(&flow), options, &budget, &mut ())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        match &report.outcome {
            Outcome::Safe(_) => {
                proved(name, &mut report, options);
                "safe"
            }
            Outcome::Unsafe(execution) => {
                assert!(execution.reaches_error(), "{name}");
                let harness = harness(&flow, execution).expect("an error has a harness");
                if harness.notes.is_empty() {
                    reaches(name, &harness.text);
                }
                "unsafe"
            }
            Outcome::Unknown(_) => "unknown",
        }
    })
    .expect("a thread")
}

/// The invariant again, for both solvers; with one formula made false it proves nothing.
fn proved(name: &str, report: &mut Report, options: &Options) {
    let Report { outcome: Outcome::Safe(invariant), automaton, terms, .. } = report else {
        panic!("only a safe program has an invariant")
    };
    let mut problem = Problem::new(automaton.clone(), options.analysis.blocks);
    let (budget, limits) = (Budget::unlimited(), options.analysis.limits.invariant);
    for kind in [SolverKind::Blast, SolverKind::Z3] {
        let checked = invariant.check(terms, &mut problem, || kind.solver(), limits, &budget);
        assert_eq!(checked, Ok(()), "{name}");
    }
    for i in 0..invariant.at.len() {
        let mut broken = invariant.clone();
        broken.at[i].1 = Terms::new().bool(false);
        let checked =
            broken.check(terms, &mut problem, || SolverKind::Blast.solver(), limits, &budget);
        assert!(checked.is_err(), "{name}: {i} is not needed");
    }
}

/// What gcc makes of the text reaches the error.
fn reaches(name: &str, text: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("harness.c"), folder.path().join("harness"));
    fs::write(&file, text).expect("it can be written");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-builtin", "-fno-strict-aliasing", "-o"])
        .args([&program, &file])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output();
    let Ok(compiled) = compiled else {
        eprintln!("skipped: no gcc to run harnesses");
        return;
    };
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{name}: {complaints}");
    let status = Command::new(&program).stderr(Stdio::null()).status().expect("it runs");
    assert_eq!(status.code(), Some(ERROR_CODE), "{name}");
}

#[test]
fn small_programs() {
    let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";
    let table = [
        ("straight", "int main() { int x = 1; if (x != 1) reach_error(); return 0; }", "safe"),
        (
            "a choice whose other arm makes an object",
            "int main() { int x = (1 ? 5 : ((struct { int a; }){3}).a) + 1; if (x != 6) reach_error(); return 0; }",
            "safe",
        ),
        (
            "assert with more parameters",
            "void assert(int, int, char *); int main() { assert(1, 1, \"1\"); return 0; }",
            "unknown",
        ),
        (
            "input",
            "int main() { int x = __VERIFIER_nondet_int(); if (x == 77) reach_error(); return 0; }",
            "unsafe",
        ),
        (
            "loop",
            "int main() { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); return 0; }",
            "safe",
        ),
        (
            "lock",
            "int main() { int l = 0; while (__VERIFIER_nondet_int()) { if (l) reach_error(); l = 1; if (__VERIFIER_nondet_int()) {} l = 0; } return 0; }",
            "safe",
        ),
        (
            "lock with a bug",
            "int main() { int l = 0; while (__VERIFIER_nondet_int()) { if (l) reach_error(); l = 1; if (__VERIFIER_nondet_int()) l = 0; } return 0; }",
            "unsafe",
        ),
        (
            "call",
            "int g; void f(int n) { g = g + n; } int main() { f(2); f(3); if (g != 5) reach_error(); return 0; }",
            "safe",
        ),
        (
            "pointer",
            "void set(int *p, int v) { *p = v; } int main() { int a = 0, b = 0; set(&a, 1); set(&b, 2); if (a != 1 || b != 2) reach_error(); return 0; }",
            "safe",
        ),
        (
            "wrap",
            "int main() { unsigned char c = 255; c++; if (c == 0) reach_error(); return 0; }",
            "unsafe",
        ),
        (
            "struct",
            "struct s { int a; int b; }; int main() { struct s x, y; x.a = 1; x.b = 2; y = x; if (y.a + y.b != 3) reach_error(); return 0; }",
            "safe",
        ),
        (
            "recursion",
            "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main() { if (f(2) != 2) reach_error(); return 0; }",
            "safe",
        ),
        (
            "deep recursion",
            "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main() { if (f(9) != 9) reach_error(); return 0; }",
            "safe",
        ),
        (
            "endless recursion",
            "int f(int n) { if (n == 99) reach_error(); return f(n + 1); } int main() { return f(0) + f(1); }",
            "unknown",
        ),
        ("uninitialised", "int main() { int x; if (x == 3) reach_error(); return 0; }", "unsafe"),
        (
            "function pointer",
            "int one() { return 1; } int two() { return 2; } int main() { int (*f)() = __VERIFIER_nondet_int() ? one : two; int x = f(); if (x < 1 || x > 2) reach_error(); return 0; }",
            "safe",
        ),
        ("float", "int main() { float f = 1.0f; if (f > 2.0f) reach_error(); return 0; }", "safe"),
        ("no end", "int main() { while (1) {} return 0; }", "safe"),
    ];
    for (name, text, expected) in table {
        let text = format!("{head}{text}");
        for most in [0, 500] {
            let mut options = lbe();
            options.analysis.explicit_states = most;
            assert_eq!(verdict(name, &text, &options, 60), expected, "{name}, {most}");
        }
    }
}

/// All four configurations of the paper; those that are too weak may give up, none may be wrong.
/// Without memory a proof that needs none stands; an error counts only if it can be executed.
#[test]
fn memory_models() {
    let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int lock;\n";
    // Verdicts under havoc and with regions.
    let table = [
        (
            "the property is in a global",
            "int main() { int x, a[4], *p = &x; while (__VERIFIER_nondet_int()) { *p = a[x & 3]; if (lock) reach_error(); lock = 1; if (*p) a[*p & 3] = 1; lock = 0; } return 0; }",
            ("safe", "safe"),
        ),
        (
            "in a field of a record",
            "struct s { int a, b; }; int main() { struct s x; x.a = 1; x.b = __VERIFIER_nondet_int(); if (x.a != 1) reach_error(); return 0; }",
            ("safe", "safe"),
        ),
        (
            "behind a pointer",
            "struct s { int a, b; }; int main() { struct s x, *p = &x; p->a = 1; p->b = 2; if (p->a != 1) reach_error(); return 0; }",
            ("unknown", "safe"),
        ),
        (
            "in an array",
            "int main() { int a[2]; a[0] = 1; a[1] = 2; if (a[0] != 1) reach_error(); return 0; }",
            ("unknown", "safe"),
        ),
        (
            "in the heap",
            "void *malloc(unsigned); int main() { int *p = malloc(4); *p = 1; if (*p != 1) reach_error(); return 0; }",
            ("unknown", "safe"),
        ),
        (
            "a call through memory",
            "void f(void) { lock = 1; } void g(void) {} int main() { void (*t[2])(void) = {f, g}; t[0](); if (!lock) reach_error(); return 0; }",
            ("safe", "safe"),
        ),
        (
            "changed behind a pointer",
            "int main() { int *p = &lock; *p = 1; if (lock) reach_error(); return 0; }",
            ("unsafe", "unsafe"),
        ),
        (
            "an error that memory is not asked for",
            "int main() { int x, *p = &x; *p = 1; lock = __VERIFIER_nondet_int(); if (lock == 7) reach_error(); return *p; }",
            ("unsafe", "unsafe"),
        ),
        (
            "any value is not the right one",
            "int main() { int x, *p = &x; *p = 1; lock = *p; if (lock == 2) reach_error(); return 0; }",
            ("unknown", "safe"),
        ),
    ];
    for (name, text, expected) in table {
        let text = format!("{head}{text}");
        let found = [Model::Havoc, Model::Regions]
            .map(|memory| verdict(name, &text, &Options { memory, ..lbe() }, 60));
        assert_eq!((found[0], found[1]), expected, "{name}");
    }
}

#[test]
fn configurations_agree() {
    let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";
    let programs = [
        (
            "int main() { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x = 1 - x; y = 1 - y; } if (x != y) reach_error(); return 0; }",
            "safe",
        ),
        (
            "int main() { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x = 1 - x; if (__VERIFIER_nondet_int()) y = 1 - y; } if (x != y) reach_error(); return 0; }",
            "unsafe",
        ),
        (
            "int main() { int s = 0; while (1) { if (s == 0) s = 1; else if (s == 1) s = 2; else if (s == 2) s = 0; else reach_error(); } }",
            "safe",
        ),
    ];
    for (text, expected) in programs {
        for blocks in [Blocks::Single, Blocks::Large] {
            for abstraction in [Abstraction::Cartesian, Abstraction::Boolean] {
                let found =
                    verdict("all", &format!("{head}{text}"), &options(blocks, abstraction), 60);
                let weak = abstraction == Abstraction::Cartesian;
                assert!(
                    found == expected || weak && found == "unknown",
                    "{blocks:?} {abstraction:?} {found}: {text}"
                );
            }
        }
    }
}

/// The paper's finding about test_locks: the tree has constant size, and nothing is refined.
#[test]
fn test_locks() {
    let Some(folder) = shared().map(|s| s.join("benchmarks/c/locks")) else {
        eprintln!("skipped: no ../shared");
        return;
    };
    let mut sizes = vec![];
    for n in [5, 10, 15] {
        let file = folder.join(format!("test_locks_{n}.safe.c"));
        let text = fs::read_to_string(&file).expect("a program");
        let report = on_large_stack(|| {
            let flow =
                parse(Source::new("locks", text), &ParseOptions::default()).expect("it is C");
            check(CProgram::new(&flow), &lbe(), &Budget::unlimited(), &mut ())
                .expect("it is checked")
        })
        .expect("a thread");
        assert!(matches!(report.outcome, Outcome::Safe(_)), "{n}");
        assert_eq!((report.statistics.refinements, report.statistics.predicates), (0, 0));
        sizes.push(report.statistics.model.tree_nodes);
    }
    assert!(sizes.iter().all(|&s| s == sizes[0] && s <= 4), "{sizes:?}");
}

/// Programs of other people; those that are quick. Seconds bound a wrong turn, they are no measure.
#[test]
fn benchmarks() {
    let Some(root) = shared().map(|s| s.join("benchmarks")) else {
        eprintln!("skipped: no ../shared");
        return;
    };
    let expected = fs::read_to_string(root.join("expected.tsv")).expect("verdicts");
    let quick =
        ["locks", "kbfiltr_simpl2", "s3_srvr_1b", "s3_srvr_6.unsafe", "multivar1", "const1.safe"];
    let mut decided = 0;
    for line in expected.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(file), Some(known)) = (fields.next(), fields.next()) else { continue };
        if !file.starts_with("c/") || !quick.iter().any(|q| file.contains(q)) {
            continue;
        }
        let text = fs::read_to_string(root.join(file)).expect("a program");
        let found = verdict(file, &text, &lbe(), 60);
        assert!(found == known || found == "unknown", "{file}: {found}");
        decided += usize::from(found == known);
    }
    assert!(decided >= 15, "only {decided} were decided");
}

/// Random programs whose verdicts are known from exhaustive execution: `HARDBOP_CFUZZ` of each
/// level, from `HARDBOP_CFUZZ_SEED`.
#[test]
fn random_programs() {
    let Some(tool) = shared().map(|s| s.join("tools/cfuzz/cgen.py")) else {
        eprintln!("skipped: no ../shared");
        return;
    };
    let number = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let (count, seed) = (number("HARDBOP_CFUZZ", "3"), number("HARDBOP_CFUZZ_SEED", "41"));
    let (mut all, mut decided) = (0, 0);
    for level in ["1", "2", "3", "5"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let made = Command::new("python3")
            .arg(&tool)
            .args(["--seed", &seed, "--count", &count, "--level", level, "--out"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !made.is_ok_and(|s| s.success()) {
            eprintln!("skipped: cgen.py does not run");
            return;
        }
        for (file, known) in verdicts(folder.path()) {
            let text = fs::read_to_string(&file).expect("a program");
            let name = file.display().to_string();
            let found = verdict(&name, &text, &lbe(), 20);
            assert!(found == known || found == "unknown", "{name}: {found}\n{text}");
            all += 1;
            decided += usize::from(found == known);
        }
    }
    eprintln!("{decided} of {all} random programs decided");
    assert!(2 * decided > all, "only {decided} of {all} were decided");
}

fn verdicts(folder: &Path) -> Vec<(PathBuf, String)> {
    let table = fs::read_to_string(folder.join("expected.tsv")).expect("verdicts");
    let row = |line: &str| {
        let mut fields = line.split('\t');
        let (file, verdict) = (fields.next()?, fields.next()?);
        file.ends_with(".c").then(|| (folder.join(file), verdict.to_owned()))
    };
    table.lines().filter_map(row).collect()
}
