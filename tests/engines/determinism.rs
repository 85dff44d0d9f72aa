//! Same input, same options, same answer: traces and counters are equal from run to run.

use std::num::NonZeroUsize;

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Limits, Options, Silent, Statistics, Strategy, check};
use hardbop_bp::language::program::Program;
use hardbop_bp::language::trace::Trace;
use hardbop_bp::proof::{Invariant, Outcome, UnknownReason};
use hardbop_lab::generate::{DriverOptions, driver};

/// The answer without what is measured.
fn run(program: &Program, options: &Options) -> (Result<Invariant, Trace>, Statistics) {
    let report = check(program, options, &Budget::unlimited(), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}\n{}", program.source.text));
    let answer = match report.outcome {
        Outcome::Safe(invariant) => Ok(invariant),
        Outcome::Unsafe(trace) => Err(trace),
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason})\n{}", program.source.text),
    };
    let counts = Statistics {
        qbf_milliseconds: 0.0,
        sat_milliseconds: 0.0,
        peak_memory_bytes: 0,
        ..report.statistics
    };
    (answer, counts)
}

/// Runs a text twice, each time from the beginning, and once more in another thread.
fn same(text: &str, seed: u64) {
    same_with(text, &Options { seed, ..Options::default() });
    for engine in [Engine::Bdd, Engine::Pdr] {
        same_with(text, &Options { engine, plain: true, ..Options::default() });
    }
}

fn same_with(text: &str, options: &Options) {
    let fresh = || run(&crate::support::program(text), options);
    let first = fresh();
    assert_eq!(first, fresh(), "{text}");
    let other = std::thread::scope(|s| s.spawn(fresh).join().expect("does not panic"));
    assert_eq!(first, other, "{text}");
}

#[test]
fn generated_drivers() {
    for (vars, procs) in [(6, 2), (16, 5), (32, 8)] {
        for seed in 0..3 {
            for bug in [false, true] {
                let (depth, statements) = (4, 10);
                let options = DriverOptions { vars, procs, depth, statements, seed, bug };
                same(&driver(&options).expect("a driver of that size"), seed);
            }
        }
    }
}

/// Who is scheduled when makes no difference to a race: neither does company.
#[test]
fn races() {
    let race = |text: &str, threads: usize| {
        let threads = NonZeroUsize::new(threads).expect("some");
        let options = Options { engine: Engine::Race, threads, ..Options::default() };
        run(&crate::support::program(text), &options)
    };
    for bug in [false, true] {
        for seed in 0..3 {
            let (vars, procs, depth, statements) = (32, 8, 4, 12);
            let options = DriverOptions { vars, procs, depth, statements, seed, bug };
            let text = driver(&options).expect("a driver of that size");
            let alone = race(&text, 3);
            assert_eq!(alone.0.is_err(), bug, "{text}");
            std::thread::scope(|s| {
                let all: Vec<_> = (0..4).map(|_| s.spawn(|| race(&text, 3))).collect();
                for other in all {
                    assert_eq!(alone, other.join().expect("does not panic"), "{text}");
                }
            });
        }
    }
}

/// Goals are decided side by side, and the answer, the evidence and every counter are those of one
/// thread.
#[test]
fn threads() {
    // Nothing but the goals' turns is to decide.
    let mut limits = Limits::default();
    limits.clausal.pairs = 0;
    limits.clausal.wide_clauses = 0;
    limits.bounded.quick_nodes = 0;
    limits.bounded.first_nodes = 0;
    limits.bounded.small_nodes = 0;
    let steps =
        br#"{"attempt": [], "search": [{"do": "bdd", "most-variables": 11, "work": 2000000}]}"#;
    let engine_strategy = Strategy::read(steps).expect("a strategy");
    for (vars, bug) in [(30, false), (60, false), (30, true), (60, true), (100, true)] {
        let (procs, depth, statements, seed) = (vars / 5, 6, 15, 1);
        let options = DriverOptions { vars, procs, depth, statements, seed, bug };
        let program = crate::support::program(&driver(&options).expect("a driver of that size"));
        let on = |threads: usize| {
            let threads = NonZeroUsize::new(threads).expect("some");
            let engine_strategy = engine_strategy.clone();
            let own = Options { threads, certify: true, limits, ..Options::default() };
            run(&program, &Options { engine_strategy, ..own })
        };
        let alone = on(1);
        assert_eq!(alone.0.is_err(), bug, "{vars} variables");
        // Were there goals to be shared out?
        assert!(alone.1.refinements > 0, "{:?}", alone.1);
        for threads in [2, 3, 8] {
            assert!(alone == on(threads), "{vars} variables on {threads} threads");
        }
    }
}

#[test]
fn a_race_can_be_cancelled() {
    // 2^40 states, one after the other.
    let names: Vec<String> = (0..40).map(|i| format!("b{i}")).collect();
    let step: Vec<String> = (0..40)
        .map(|i| format!("b{i} ^ ({})", [&["T".into()], &names[..i]].concat().join(" & ")))
        .collect();
    let text = format!(
        "decl {0}; void main() begin {0} := {1}; while (*) do {0} := {2}; od; assert(!({3})); end",
        names.join(", "),
        vec!["F"; 40].join(", "),
        step.join(", "),
        names.join(" & "),
    );
    let budget = Budget::unlimited();
    let flag = budget.cancel_flag();
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let threads = NonZeroUsize::new(3).expect("some");
    let options = Options { engine: Engine::Race, threads, ..Options::default() };
    let report =
        check(&crate::support::program(&text), &options, &budget, &mut Silent).expect("no bug");
    assert!(matches!(report.outcome, Outcome::Unknown(UnknownReason::Interrupted)));
}

#[test]
fn random_programs() {
    for (text, _) in crate::support::generated(505, 40) {
        same(&text, 1);
    }
}

#[test]
fn recursion_and_nondeterminism() {
    for text in [
        "decl c0, c1, c2;
         void main() begin c0, c1, c2 := F, F, F; f(); assert(!(c0 & c1 & c2)); end
         void f() begin
           if (*) then f(); c0, c1, c2 := !c0, c1 ^ c0, c2 ^ (c0 & c1); fi;
         end",
        "decl a, b, c;
         void main() begin
           a, b, c := *, *, * constrain ('a => 'b) & ('b => 'c);
           while (*) do a, b, c := c & *, schoose[a, !c], b; f(a); od;
           assert(a | b | c | *);
         end
         void f(x) begin if (x & c) then b := !b; f(b); fi; end",
        "decl g;
         void main() begin decl before; g := before; f(); assert(g = before); end
         void f() begin if (*) then f(); g := !g; f(); g := !g; fi; end",
    ] {
        for seed in 0..3 {
            same(text, seed);
        }
    }
}
