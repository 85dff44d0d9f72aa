//! Random programs against the explicit-state oracle of their generator.  Every verdict is checked:
//! the interpreter replays traces, the checker of invariants proves SAFE.
//!
//! Skips, with a message, where the generator is not there.  `HARDBOP_FUZZ=N` checks N programs of
//! each seed instead of 75; `HARDBOP_FUZZ_ALL=1` checks every one in all configurations, instead
//! of all engines and one of the others in turn; `HARDBOP_FUZZ_SEED=S` moves on to other programs.

use std::process::{Command, Stdio};

use clap::ValueEnum;
use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Bound, Engine, Options, Silent, VariableOrder, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::failure::Effort;
use hardbop_bp::proof::{Outcome, check as certificate};
use hardbop_logic::sat;
use hardbop_qbf as qbf;

/// The 2QBF solvers that are there.
fn qbf_solvers() -> Vec<qbf::Backend> {
    let mut solvers = vec!["embedded"];
    if cfg!(feature = "depqbf") {
        solvers.push("depqbf");
    }
    let mut help = Command::new("depqbf");
    help.arg("--help").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match help.status() {
        Ok(_) => solvers.push("cmd:depqbf {}"),
        Err(_) => eprintln!("skipped: no program depqbf"),
    }
    solvers.into_iter().map(|s| s.parse().expect("a back end")).collect()
}

/// What every program is checked with: all engines, with and without what saves work.
fn always() -> Vec<Options> {
    let mut all = vec![];
    for &engine in Engine::value_variants() {
        for plain in [false, true] {
            all.push(Options { engine, plain, certify: true, ..Options::default() });
        }
    }
    all
}

/// The same with every other combination of solvers, and with every bound.
fn others() -> Vec<Options> {
    let mut all = vec![];
    for qbf in qbf_solvers() {
        for sat in [sat::Backend::Cadical, sat::Backend::Varisat] {
            // BDDs need no 2QBF solver.
            let needs = |o: &Options| o.engine != Engine::Bdd || qbf == qbf::Backend::Embedded;
            for options in always().into_iter().filter(needs) {
                let (sat, qbf) = (sat, qbf.clone());
                all.push(Options { sat, qbf, ..options });
            }
        }
    }
    all.retain(|o| !always().contains(o));
    for bound in [Bound::Rrd, Bound::Fixpoint] {
        let (engine, plain) = (Engine::Universal, true);
        all.push(Options { engine, bound, plain, certify: true, ..Options::default() });
    }
    for bdd_order in [VariableOrder::DepthFirst, VariableOrder::Declaration] {
        let (engine, plain) = (Engine::Bdd, true);
        all.push(Options { engine, bdd_order, plain, ..Options::default() });
    }
    all
}

/// A number from the environment.
fn number(name: &str) -> Option<u32> {
    std::env::var(name).ok().map(|n| n.parse().expect("a number"))
}

/// Checks programs of one seed; every trace is replayed.
fn agree(seed: u32) {
    let (count, all) = (number("HARDBOP_FUZZ"), number("HARDBOP_FUZZ_ALL"));
    let seed = seed + number("HARDBOP_FUZZ_SEED").unwrap_or(0);
    let others = others();
    for (i, (text, is_unsafe)) in
        crate::support::generated(seed, count.unwrap_or(75)).iter().enumerate()
    {
        let turn = if all.is_some() { &others[..] } else { &others[i % others.len()..][..1] };
        for options in always().iter().chain(turn) {
            agrees(text, *is_unsafe, options);
        }
    }
}

fn agrees(text: &str, is_unsafe: bool, options: &Options) {
    let program = crate::support::program(text);
    let report = check(&program, options, &Budget::unlimited(), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}: {options:?}\n{text}"));
    match report.outcome {
        Outcome::Safe(invariant) => {
            assert!(!is_unsafe, "SAFE, but unsafe: {options:?}\n{text}");
            if options.certify {
                let checker = certificate::CheckerOptions::other_than(options.sat);
                let budget = Budget::unlimited();
                let (observer, effort) = (&mut certificate::Silent, &mut Effort::default());
                certificate::check(&program, &invariant, &checker, &budget, observer, effort)
                    .unwrap_or_else(|e| panic!("not proved: {e:?}: {options:?}\n{text}"));
            }
        }
        Outcome::Unsafe(trace) => {
            assert!(is_unsafe, "UNSAFE, but safe: {options:?}\n{text}");
            if let Err(e) = replay(&program, &trace) {
                panic!("the trace does not replay: {e}: {options:?}\n{text}");
            }
        }
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}): {options:?}\n{text}"),
    }
}

/// No execution comes round the inner loop, so no engine treats it as one; nor may the checker.
#[test]
fn a_cycle_that_is_none() {
    let text = "decl a, b;
        void main() begin
          a := T;
          while (*) do
            b := a;
            while (!b) do b := *; assume(F); od;
            assert(a);
          od;
        end";
    always().iter().for_each(|options| agrees(text, false, options));
}

#[test]
fn seed_101() {
    agree(101);
}

#[test]
fn seed_102() {
    agree(102);
}

#[test]
fn seed_103() {
    agree(103);
}

#[test]
fn seed_104() {
    agree(104);
}
