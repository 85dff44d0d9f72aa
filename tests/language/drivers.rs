//! Generated drivers: the verdict is the one that they are constructed for.

use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::Outcome;
use hardbop_lab::generate::{DriverOptions, driver};
use hardbop_logic::sat::Backend;

/// (variables, procedures, depth, statements), and how many seeds.
const SIZES: [((usize, usize, usize, usize), u64); 7] = [
    ((4, 1, 1, 8), 4),
    ((6, 3, 2, 8), 4),
    ((12, 5, 4, 10), 4),
    ((24, 8, 5, 12), 4),
    ((40, 10, 6, 16), 3),
    ((60, 10, 6, 20), 3),
    ((400, 30, 8, 25), 1),
];

#[test]
fn verdict_as_constructed() {
    for ((vars, procs, depth, statements), seeds) in SIZES {
        for seed in 0..seeds {
            for bug in [false, true] {
                let options = DriverOptions { vars, procs, depth, statements, seed, bug };
                let text = driver(&options).expect("a driver of that size");
                let program = crate::support::program(&text);
                let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
                // Both SAT solvers, in turn.
                let sat = if seed % 2 == 0 { Backend::Cadical } else { Backend::Varisat };
                let chosen = Options { sat, ..Options::default() };
                let report = check(&program, &chosen, &budget, &mut Silent)
                    .unwrap_or_else(|e| panic!("{options:?}: {e}"));
                match report.outcome {
                    Outcome::Safe(_) => assert!(!bug, "{options:?}: SAFE"),
                    Outcome::Unsafe(trace) => {
                        assert!(bug, "{options:?}: UNSAFE");
                        replay(&program, &trace).unwrap_or_else(|e| panic!("{options:?}: {e}"));
                    }
                    Outcome::Unknown(reason) => panic!("{options:?}: UNKNOWN ({reason})"),
                }
            }
        }
    }
}

#[test]
fn large_drivers_are_well_formed() {
    for (vars, procs) in [(800, 60), (2_000, 60), (2_000, 300), (300, 1)] {
        for bug in [false, true] {
            let options = DriverOptions { vars, procs, bug, ..DriverOptions::default() };
            let program =
                crate::support::program(&driver(&options).expect("a driver of that size"));
            assert_eq!(program.globals.len(), vars);
            assert!(program.procedures.len() > procs, "the protocol comes on top");
        }
    }
}
