//! Programs with threads: the methods against what random programs mean, against each other, and
//! against the verdicts of the files' sources.

mod c_like;
mod reference;

use std::path::{Path, PathBuf};

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_base::verdict::Outcome;
use hardbop_bp::engine;
use hardbop_bp::language::concurrent::Concurrent;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::resolve::{ResolveOptions, has_threads, resolve_threads};
use hardbop_bp::language::text::decode;
use hardbop_bp::threads::{Method, Options, Report, check};
use reference::{Meaning, Program, meaning};

/// States after which a program is left out.
const STATES: usize = 6_000;

fn program(text: &str) -> Concurrent {
    let tree = parse(text, Dialect::default()).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    let options = ResolveOptions::default();
    resolve_threads(Source::new("random.bp", text), &tree, &options)
        .unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

/// The answer of a method.  That a trace replays is a part of [`check`].
fn asked(program: &Concurrent, method: Method, work: u64) -> Report {
    let options = Options { method, rounds: 2 };
    let budget = Budget::unlimited().trial(work);
    check(program, &options, &engine::Options::default(), &budget)
        .unwrap_or_else(|e| panic!("{method:?}: {e}\n{}", program.program.source.text))
}

/// Compares the methods on random programs; how often each one decided.
fn compared(seeds: std::ops::Range<u64>, with_broadcasts: bool) -> ([usize; 5], [usize; 2]) {
    let methods =
        [Method::Auto, Method::Modular, Method::States, Method::Coverability, Method::Rounds];
    let (mut decided, mut known) = ([0; 5], [0; 2]);
    for seed in seeds {
        let random = Program::random(seed, with_broadcasts);
        let Some(expected) = meaning(&random, STATES) else { continue };
        let text = random.text();
        let program = program(&text);
        known[usize::from(expected == Meaning::Unsafe)] += 1;
        for (method, decided) in methods.into_iter().zip(&mut decided) {
            let work = if method == Method::Rounds { 20_000 } else { 4_000 };
            let report = asked(&program, method, work);
            match (&report.outcome, expected) {
                (Outcome::Safe(_), Meaning::Unsafe) | (Outcome::Unsafe(_), Meaning::Safe) => {
                    panic!("{method:?}, seed {seed}: not {expected:?}\n{text}")
                }
                (Outcome::Unknown(_), _) => {}
                _ => *decided += 1,
            }
        }
    }
    (decided, known)
}

#[test]
fn random_programs() {
    let (decided, [safe, wrong]) = compared(0..220, false);
    assert!(safe + wrong > 180 && wrong > 60, "{safe} {wrong}");
    assert!(decided[0] * 10 > (safe + wrong) * 9, "{decided:?} of {safe} + {wrong}");
    assert!(decided[1..].iter().all(|&n| n > 20), "{decided:?}");
}

#[test]
fn random_programs_with_broadcasts() {
    let (decided, [safe, wrong]) = compared(10_000..10_110, true);
    assert!(decided[0] * 10 > (safe + wrong) * 9, "{decided:?} of {safe} + {wrong}");
}

/// Whether an error is reached.
fn is_unsafe(text: &str) -> bool {
    match asked(&program(text), Method::Auto, 20_000).outcome {
        Outcome::Safe(_) => false,
        Outcome::Unsafe(_) => true,
        Outcome::Unknown(why) => panic!("{why}\n{text}"),
    }
}

#[test]
fn what_threads_mean() {
    // What the text says in a hole, and whether an error is then reached.
    let rows: [(&str, &[(&str, bool)]); 8] = [
        (
            // The end of `main` is not that of the others; `assume` waits.
            "decl g; void t() begin assume(g); assert(@); end
             void main() begin g := F; start_thread t(); g := T; end",
            &[("!g", true), ("g", false)],
        ),
        (
            // A started thread has a copy of the variables, with the values of that moment.
            "void main() begin decl l; l := F; start_thread goto L; @ goto E; L: assert(!l); E: skip; end",
            &[("l := T;", false), ("l := T; start_thread goto L;", true), ("l$ := T;", true)],
        ),
        (
            // Nobody steps within an atomic section, whatever is called there.
            "decl g; void t() begin g := T; end void f() begin assert(!g); end
             void main() begin g := F; start_thread t(); @ end",
            &[
                ("atomic_begin; assume(!g); f(); atomic_end;", false),
                ("atomic_begin; assume(!g); atomic_end; f();", true),
            ],
        ),
        (
            // A thread that ends lets others step again.
            "decl g; void t() begin atomic_begin; @ end
             void main() begin g := F; start_thread t(); assume(g); assert(F); end",
            &[("g := T; end_thread;", true), ("g := T;", true), ("g := T; assume(!g);", false)],
        ),
        (
            // No other thread steps during a procedure of this name.
            "decl g; void t() begin g := T; end void @() begin g := F; assert(!g); end
             void main() begin start_thread t(); @(); end",
            &[("__VERIFIER_atomic_f", false), ("atomic_f", true)],
        ),
        (
            "decl g := @, h := g; void main() begin assert(!h); ASYNC_1: t(); end void t() begin end",
            &[("F", false), ("T", true), ("*", true)],
        ),
        (
            // Getafix: `init` runs first, and `atomic` is a lock.
            "decl atomic, g; void init() begin atomic := F; g := F; endinit: skip; end
             void main() begin @ g := T; g := F; atomic := F; end
             void thread1() begin assert(!g); end",
            &[("atomic := T;", false), ("", true)],
        ),
        (
            // Each thread has its own.
            "thread_local decl l; decl g; void t() begin l := !l; g := l; end
             void main() begin l := F; start_thread t(); @ assert(!l); end",
            &[("assume(g);", false), ("t();", true)],
        ),
    ];
    for (text, holes) in rows {
        for (hole, expected) in holes {
            let text = text.replace('@', hole);
            assert_eq!(is_unsafe(&text), *expected, "{text}");
        }
    }
}

#[test]
fn any_number_of_threads() {
    // duet: after `init`, any number of threads execute `main`; the error needs three of them.
    let text = "decl a, b; void init() begin a, b := F, F; end
        void main() begin if (b) then assert(F); elsif (a) then b := T; else a := T; fi end";
    assert!(is_unsafe(text));
    assert!(!is_unsafe(&text.replace("b := T", "b := F")));
    // With recursion, and more bits than states can be looked at, a few rounds show the error.
    let bits: Vec<String> = (0..40).map(|i| format!("b{i}")).collect();
    let text = format!(
        "decl g, {}; void f() begin if (*) then f(); fi g := T; end
         void main() begin {} := {}; g := F; start_thread f(); assert(!g); end",
        bits.join(", "),
        bits.join(", "),
        vec!["F"; 40].join(", ")
    );
    assert!(is_unsafe(&text));
}

/// The files that are there, with the verdicts of their sources.
fn files() -> Option<Vec<(PathBuf, String)>> {
    let folder = crate::support::shared().map(|shared| shared.join("benchmarks/threads"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        eprintln!("skipped: no folder with programs of other tools (set HARDBOP_SHARED)");
        return None;
    };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("a table");
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or("").to_owned();
        (folder.join(next()), next())
    });
    Some(rows.collect())
}

/// Files that are no Boolean programs, or have a mistake: it is named.
const REFUSED: [&str; 1] = ["WorkStealQueue"];

/// Some of these have a mistake; `tests/language/c_like/files.rs` says which.
const C_LIKE: &str = "/lpzun-cuba/";

/// Files that need more work than a test may do.
const LARGE: [&str; 3] = ["SafeStack", "fib_3", "fib_5"];

#[test]
fn files_of_other_tools() {
    let Some(files) = files() else { return };
    let is_among = |names: &[&str], path: &Path| {
        names.iter().any(|name| path.to_string_lossy().contains(name))
    };
    let (mut right, mut decided) = (0, 0);
    for (path, expected) in &files {
        let bytes = std::fs::read(path).expect("a file");
        let text = decode(bytes).expect("a text");
        let source = Source::new(path.display().to_string(), text.as_str());
        let options = ResolveOptions::default();
        let read = parse(&text, Dialect::default()).and_then(|tree| {
            assert!(has_threads(&tree, &options), "{}", path.display());
            resolve_threads(source, &tree, &options)
        });
        if is_among(&REFUSED, path) {
            assert!(read.is_err_and(|found| !found.is_empty()), "{}", path.display());
            continue;
        }
        let program = match read {
            Err(_) if is_among(&[C_LIKE], path) => continue,
            read => read.unwrap_or_else(|d| panic!("{}: {:?}", path.display(), d.first())),
        };
        if is_among(&LARGE, path) {
            continue;
        }
        let report = asked(&program, Method::Auto, 40_000);
        let verdict = match report.outcome {
            Outcome::Safe(_) => "safe",
            Outcome::Unsafe(_) => "unsafe",
            Outcome::Unknown(_) => "unknown",
        };
        let is_known = expected != "unknown";
        assert!(!is_known || verdict == expected, "{}: {verdict}", path.display());
        decided += usize::from(verdict != "unknown");
        right += usize::from(is_known);
    }
    assert!(right >= 34 && decided >= 80, "{right} right, {decided} decided of {}", files.len());
}
