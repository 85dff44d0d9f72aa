//! Random programs against the explicit-state oracle of their generator.
//!
//! Skips, with a message, where the generator is not there.

mod support;

use hardbop::bp::interpret::replay;
use hardbop::budget::Budget;
use hardbop::sat::Backend;
use hardbop::summary::{Options, Silent, check};
use hardbop::verdict::Outcome;

/// Checks `count` programs, with and without what saves work, on each SAT solver; every trace is
/// replayed.
fn agree(seed: u32, count: u32) {
    for (text, is_unsafe) in support::generated(seed, count) {
        for plain in [false, true] {
            for sat in [Backend::Cadical, Backend::Varisat] {
                agrees(&text, is_unsafe, plain, sat);
            }
        }
    }
}

fn agrees(text: &str, is_unsafe: bool, plain: bool, sat: Backend) {
    let program = support::program(text);
    let options = Options { plain, sat, ..Options::default() };
    let report = check(&program, &options, &Budget::unlimited(), &mut Silent)
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
