//! Random programs against the explicit-state oracle of their generator.
//!
//! Skips, with a message, where the generator is not there.

mod support;

use hardbop::bp::interpret::replay;
use hardbop::budget::Budget;
use hardbop::sat::Backend;
use hardbop::summary::{Bound, Engine, Options, Silent, VariableOrder, check};
use hardbop::verdict::Outcome;

/// Checks `count` programs, by all engines and SAT solvers, with and without what saves work; every
/// trace is replayed.
fn agree(seed: u32, count: u32) {
    for (text, is_unsafe) in support::generated(seed, count) {
        for engine in [Engine::Qbf, Engine::Universal, Engine::Bdd] {
            for plain in [false, true] {
                agrees(&text, is_unsafe, &Options { engine, plain, ..Options::default() });
            }
        }
        let (engine, bound) = (Engine::Universal, Bound::Fixpoint);
        agrees(&text, is_unsafe, &Options { engine, bound, plain: true, ..Options::default() });
        for bdd_order in [VariableOrder::DepthFirst, VariableOrder::Declaration] {
            let engine = Engine::Bdd;
            agrees(
                &text,
                is_unsafe,
                &Options { engine, bdd_order, plain: true, ..Options::default() },
            );
        }
        for plain in [false, true] {
            let (engine, sat) = (Engine::Auto, Backend::Varisat);
            agrees(&text, is_unsafe, &Options { engine, sat, plain, ..Options::default() });
        }
    }
}

fn agrees(text: &str, is_unsafe: bool, options: &Options) {
    let program = support::program(text);
    let report = check(&program, options, &Budget::unlimited(), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    match report.outcome {
        Outcome::Safe(_) => assert!(!is_unsafe, "SAFE, but an error is reachable:\n{text}"),
        Outcome::Unsafe(trace) => {
            assert!(is_unsafe, "UNSAFE, but no error is reachable:\n{text}");
            if let Err(e) = replay(&program, &trace) {
                panic!("the trace does not replay: {e}\n{text}");
            }
        }
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}) without limits:\n{text}"),
    }
}

#[test]
fn seed_101() {
    agree(101, 75);
}

#[test]
fn seed_102() {
    agree(102, 75);
}

#[test]
fn seed_103() {
    agree(103, 75);
}

#[test]
fn seed_104() {
    agree(104, 75);
}
