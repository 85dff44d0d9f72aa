//! The ∀∃ queries of real runs: what `--dump-qbf` writes is what DepQBF reads, and both solvers
//! agree on it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Observer, Options, check};
use hardbop_lab::generate::{DriverOptions, driver};
use hardbop_logic::Aig;
use hardbop_qbf::{Embedded, ForallExists, QbfSolver, Validity};

/// For one query; DepQBF may need long where the embedded solver does not.
const LIMIT: Duration = Duration::from_secs(10);
/// For all of a test: beyond it the rest is not compared.
const LIMIT_OF_A_TEST: Duration = Duration::from_secs(40);

/// Programs that lead to queries, with names for messages.
fn programs() -> Vec<(String, String)> {
    let mut programs: Vec<(String, String)> = [
        (
            "counter",
            "decl c0, c1, c2;
             void main() begin c0, c1, c2 := F, F, F; f(); assert(c0 | c1 | c2 | !c0); end
             void f() begin
               if (*) then f(); c0, c1, c2 := !c0, c1 ^ c0, c2 ^ (c0 & c1); fi;
             end",
        ),
        (
            "parity",
            "decl g;
             void main() begin decl before; before := *; g := before; f(); assert(g = before); end
             void f() begin if (*) then f(); g := !g; f(); g := !g; fi; end",
        ),
        ("rotation", crate::support::ROTATION),
    ]
    .map(|(name, text)| (name.to_owned(), text.to_owned()))
    .into();
    for seed in 0..3 {
        let options =
            DriverOptions { vars: 24, procs: 6, depth: 4, statements: 12, seed, bug: false };
        let text = driver(&options).expect("a driver of that size");
        programs.push((format!("driver {seed}"), text));
    }
    programs.extend(
        crate::support::generated(606, 25)
            .into_iter()
            .enumerate()
            .map(|(i, (text, _))| (format!("random {i}"), text)),
    );
    programs
}

/// Starts DepQBF on a file; nothing where it is not installed.
fn start(file: &Path) -> Option<Child> {
    let mut depqbf = Command::new("depqbf");
    depqbf.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

fn installed() -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("true.qdimacs");
    std::fs::write(&file, "p cnf 1 1\ne 1 0\n1 0\n").expect("writes");
    match start(&file) {
        Some(child) => answer(child) == Some(true),
        None => false,
    }
}

/// Its answer; nothing after [`LIMIT`].
fn answer(mut child: Child) -> Option<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a process can be waited for") {
            return match status.code() {
                Some(10) => Some(true),
                Some(20) => Some(false),
                other => panic!("the file is not accepted: {other:?}"),
            };
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("a process can be ended");
            child.wait().expect("a process can be waited for");
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Keeps the queries of a run.
#[derive(Default)]
struct Keep(Vec<(Aig, ForallExists)>);

impl Observer for Keep {
    fn query(&mut self, aig: &Aig, query: &ForallExists) {
        self.0.push((aig.clone(), query.clone()));
    }
}

#[test]
fn depqbf_agrees_on_dumped_queries() {
    if !installed() {
        return eprintln!("skipped: no depqbf on this machine");
    }
    let begin = Instant::now();
    // What saves work saves most queries.
    let options = Options { engine: Engine::Qbf, plain: true, ..Options::default() };
    let (mut valid, mut invalid, mut late) = (0, 0, 0);
    for (name, text) in programs() {
        let mut keep = Keep::default();
        check(&crate::support::program(&text), &options, &Budget::unlimited(), &mut keep)
            .unwrap_or_else(|e| panic!("{name}: {e}"));

        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = folder.path().join("program.bp");
        std::fs::write(&program, &text).expect("writes");
        let queries = folder.path().join("queries");
        let run = Command::new(env!("CARGO_BIN_EXE_hardbop"))
            .args(["check", "--quiet", "--plain", "--engine", "qbf", "--dump-qbf"])
            .args([&queries, &program])
            .output()
            .expect("hardbop runs");
        assert!(matches!(run.status.code(), Some(0 | 10)), "{name}: {run:?}");
        let mut files: Vec<_> = std::fs::read_dir(&queries)
            .expect("a folder")
            .map(|f| f.expect("an entry of the folder").path())
            .collect();
        files.sort();
        // Runs are reproducible, so the files are the queries that were kept, in order.
        assert_eq!(files.len(), keep.0.len(), "{name}");

        for (file, (mut aig, query)) in files.iter().zip(keep.0) {
            let mut expected = Vec::new();
            query.to_qdimacs(&mut aig.clone(), &mut expected).expect("a vector takes everything");
            assert!(std::fs::read(file).expect("a file") == expected, "{name}: {file:?}");

            let ours = match Embedded::new(1).solve(&mut aig, &query, &Budget::unlimited()).validity
            {
                Validity::Valid => true,
                Validity::Invalid { counterexample } => {
                    let counterexample = counterexample.expect("ours tells");
                    assert!(query.refutes(&aig, &counterexample), "{name}: {file:?}");
                    false
                }
                Validity::Unknown(reason) => panic!("{name}: {reason} without limits"),
            };
            if begin.elapsed() > LIMIT_OF_A_TEST {
                late += 1;
                continue;
            }
            match answer(start(file).expect("it is installed")) {
                Some(theirs) => assert_eq!(ours, theirs, "{name}: {file:?}"),
                None => {
                    late += 1;
                    continue;
                }
            }
            if ours { valid += 1 } else { invalid += 1 }
        }
    }
    eprintln!("{valid} valid and {invalid} invalid queries; DepQBF was too late for {late}");
    assert!(valid > 0 && invalid > 0, "{valid} valid, {invalid} invalid, {late} undecided");
}

/// Every check is counted once, by who decided it; the solver's queries are among them.
#[test]
fn checks_are_counted_by_who_decided_them() {
    let options = Options { engine: Engine::Qbf, plain: true, ..Options::default() };
    let mut total = [0; 4];
    for (name, text) in programs() {
        let mut keep = Keep::default();
        let program = crate::support::program(&text);
        let statistics = check(&program, &options, &Budget::unlimited(), &mut keep)
            .unwrap_or_else(|e| panic!("{name}: {e}"))
            .statistics;
        let decided = [
            statistics.decided_by_structure,
            statistics.decided_by_simulation,
            statistics.decided_by_sat,
            statistics.decided_by_qbf,
        ];
        assert_eq!(decided.iter().sum::<u64>(), statistics.subsumption_checks, "{name}");
        assert_eq!(statistics.qbf_calls, statistics.decided_by_qbf, "{name}");
        assert!(keep.0.len() as u64 <= statistics.subsumption_checks, "{name}");
        total.iter_mut().zip(decided).for_each(|(t, d)| *t += d);
    }
    assert!(total.iter().all(|&n| n > 0), "{total:?}");
}
