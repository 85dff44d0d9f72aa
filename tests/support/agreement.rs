//! One program, all engines, with and without what saves work: each finds the known verdict; traces
//! are replayed, invariants proved.

use clap::ValueEnum;
use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, Statistics, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::language::program::Program;
use hardbop_bp::proof::failure::Effort;
use hardbop_bp::proof::{Outcome, check as certificate};
use hardbop_logic::sat;
use hardbop_qbf as qbf;

/// Panics where anything is not as it is to be; `text` is that of the program, for the message.
pub fn agree(program: &Program, text: &str, is_unsafe: bool, sat: sat::Backend) {
    for &engine in Engine::value_variants() {
        for plain in [false, true] {
            let qbf = qbf::Backend::Embedded;
            let options = Options { engine, plain, sat, qbf, ..Options::default() };
            agree_with(program, text, is_unsafe, options);
        }
    }
}

/// The same with these options; the statistics of the run.
pub fn agree_with(program: &Program, text: &str, is_unsafe: bool, options: Options) -> Statistics {
    let options = Options { certify: true, ..options };
    let report = check(program, &options, &Budget::unlimited(), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}: {options:?}\n{text}"));
    match report.outcome {
        Outcome::Safe(invariant) => {
            assert!(!is_unsafe, "SAFE, but unsafe: {options:?}\n{text}");
            let checker = certificate::CheckerOptions::other_than(options.sat);
            let budget = Budget::unlimited();
            let (observer, effort) = (&mut certificate::Silent, &mut Effort::default());
            certificate::check(program, &invariant, &checker, &budget, observer, effort)
                .unwrap_or_else(|e| panic!("not proved: {e:?}: {options:?}\n{text}"));
        }
        Outcome::Unsafe(trace) => {
            assert!(is_unsafe, "UNSAFE, but safe: {options:?}\n{text}");
            if let Err(e) = replay(program, &trace) {
                panic!("no execution: {e}: {options:?}\n{text}");
            }
        }
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}): {options:?}\n{text}"),
    }
    report.statistics
}
