//! A program made from the bytes: all engines, with and without what saves work, against explicit
//! states; traces are replayed, invariants proved.

#![no_main]

use arbitrary::Unstructured;
use hardbop::bp::interpret::replay;
use hardbop::budget::Budget;
use hardbop::summary::{Engine, Options, Silent, check};
use hardbop::verdict::failure::Effort;
use hardbop::verdict::{Outcome, check as certificate};
use hardbop::{qbf, sat};
use hardbop_fuzz::program::program;
use hardbop_fuzz::{explicit, resolved};
use libfuzzer_sys::fuzz_target;

/// States after which the third opinion is left out.
const STATES: usize = 50_000;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = program(&mut Unstructured::new(rest)) else { return };
    let program = resolved(&text);
    let Some(is_unsafe) = explicit::error_reachable(&program, STATES) else { return };
    // One of the solvers at a time.
    let sat = if first % 2 == 0 { sat::Backend::Cadical } else { sat::Backend::Varisat };
    for engine in [Engine::Bdd, Engine::Qbf, Engine::Universal, Engine::Auto] {
        for plain in [false, true] {
            let qbf = qbf::Backend::Embedded;
            let options =
                Options { engine, plain, sat, qbf, certify: true, ..Options::default() };
            let report = check(&program, &options, &Budget::unlimited(), &mut Silent)
                .unwrap_or_else(|e| panic!("{e}: {options:?}\n{text}"));
            match report.outcome {
                Outcome::Safe(invariant) => {
                    assert!(!is_unsafe, "SAFE, but unsafe: {options:?}\n{text}");
                    let (checker, budget) = (certificate::Options::default(), Budget::unlimited());
                    let (observer, effort) = (&mut certificate::Silent, &mut Effort::default());
                    certificate::check(&program, &invariant, &checker, &budget, observer, effort)
                        .unwrap_or_else(|e| panic!("not proved: {e:?}: {options:?}\n{text}"));
                }
                Outcome::Unsafe(trace) => {
                    assert!(is_unsafe, "UNSAFE, but safe: {options:?}\n{text}");
                    if let Err(e) = replay(&program, &trace) {
                        panic!("no execution: {e}: {options:?}\n{text}");
                    }
                }
                Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}): {options:?}\n{text}"),
            }
        }
    }
});
