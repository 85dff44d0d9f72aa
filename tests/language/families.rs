//! Generated families: the verdict is the one that they are constructed for.

use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::print::print;
use hardbop_bp::proof::Outcome;
use hardbop_lab::generate::{Family, FamilyOptions, family};

/// Sizes for the explicit-state oracle, and sizes for the engines.
const SIZES: [(Family, &[usize], &[usize]); 18] = [
    (Family::Counter, &[3, 4, 6], &[3, 5]),
    (Family::ShiftRegister, &[2, 3, 5], &[2, 4, 8]),
    (Family::LockDiscipline, &[1, 2, 3], &[1, 3, 6]),
    (Family::RecursiveDescent, &[1, 2, 4], &[1, 3]),
    (Family::WideSummary, &[3, 4, 5], &[3, 6]),
    (Family::Terminator, &[3, 4, 5], &[3, 5]),
    (Family::SlamRegression, &[1, 2, 20], &[1, 20, 40]),
    (Family::Saturating, &[3, 4, 6], &[3, 6]),
    (Family::Twins, &[2, 3, 5], &[2, 5]),
    (Family::Complement, &[2, 3, 5], &[2, 5]),
    (Family::Stride, &[3, 4, 6], &[3, 7]),
    (Family::Parity, &[2, 3, 6], &[2, 6]),
    (Family::Multiply, &[2, 3], &[2, 4]),
    (Family::Ring, &[2, 3, 5], &[2, 5]),
    (Family::Depth, &[2, 3, 5], &[2, 5]),
    (Family::Modules, &[1, 2], &[1, 4]),
    (Family::Feedback, &[4, 6], &[4, 6]),
    (Family::Queue, &[2, 3], &[2, 3]),
];

/// Members of each family, of the sizes that `choose` picks: with and without a bug, for some
/// seeds.
fn members(
    choose: impl Fn(&(Family, &'static [usize], &'static [usize])) -> &'static [usize],
    seeds: u64,
    mut visit: impl FnMut(&FamilyOptions, &str),
) {
    for row in &SIZES {
        for &size in choose(row) {
            // The one unit of a small regression test is another one for each seed.
            let seeds = if (row.0, size) == (Family::SlamRegression, 1) { 64 } else { seeds };
            for seed in 0..seeds {
                for bug in [false, true] {
                    let options = FamilyOptions { family: row.0, size, seed, bug };
                    let text = family(&options).expect("a member of that size");
                    visit(&options, &text);
                }
            }
        }
    }
}

#[test]
fn verdict_of_the_oracle() {
    members(
        |row| row.1,
        5,
        |options, text| {
            let found = crate::support::explicit::error_reachable(
                &crate::support::program(text),
                5_000_000,
            );
            assert_eq!(found, Some(options.bug), "{options:?}\n{text}");
        },
    );
}

#[test]
fn verdict_of_the_engines() {
    members(
        |row| row.2,
        3,
        |options, text| {
            decided(options, text, &[Engine::Auto, Engine::Qbf, Engine::Universal]);
        },
    );
}

/// Every engine finds the verdict of the member, with a trace that replays.
fn decided(options: &FamilyOptions, text: &str, engines: &[Engine]) {
    let program = crate::support::program(text);
    for &engine in engines {
        let chosen = Options { engine, ..Options::default() };
        let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
        let report = check(&program, &chosen, &budget, &mut Silent)
            .unwrap_or_else(|e| panic!("{options:?}: {e}"));
        match report.outcome {
            Outcome::Safe(_) => assert!(!options.bug, "{options:?}, {engine:?}: SAFE"),
            Outcome::Unsafe(trace) => {
                assert!(options.bug, "{options:?}, {engine:?}: UNSAFE");
                replay(&program, &trace).unwrap_or_else(|e| panic!("{options:?}: {e}"));
            }
            Outcome::Unknown(reason) => panic!("{options:?}, {engine:?}: {reason}"),
        }
    }
}

/// Errors behind long loops, and diagrams that are small in a good order only: each takes a moment,
/// or for ever.
#[test]
fn large_members() {
    use Engine::{Auto, Bdd, Pdr, Qbf, Universal};
    for (family, size, bug, engines) in [
        (Family::ShiftRegister, 64, true, &[Auto, Bdd, Qbf, Universal][..]),
        (Family::Terminator, 30, false, &[Auto, Bdd]),
        (Family::LockDiscipline, 24, false, &[Auto]),
        // Equations modulo 2.
        (Family::Parity, 64, false, &[Auto, Pdr]),
        (Family::Twins, 32, false, &[Auto, Pdr]),
        // Long narrow runs, of steps and of calls.
        (Family::Counter, 14, true, &[Auto, Pdr]),
        (Family::Depth, 14, true, &[Auto, Pdr]),
        // Few inputs.
        (Family::Multiply, 10, false, &[Auto]),
    ] {
        let options = FamilyOptions { family, size, seed: 1, bug };
        let text = hardbop_lab::generate::family(&options).expect("a member of that size");
        decided(&options, &text, engines);
    }
}

#[test]
fn canonical_and_the_same_each_time() {
    members(
        |row| row.2,
        3,
        |options, text| {
            assert_eq!(family(options).as_deref(), Ok(text), "{options:?}");
            let verdict = if options.bug { "an error is" } else { "no error is" };
            let (comment, program) = text.split_once("\n\n").expect("a comment first");
            assert!(comment.ends_with(&format!("By construction, {verdict} reachable.")), "{text}");
            let tree = parse(text, Dialect::default()).expect("it parses");
            assert_eq!(print(&tree), program, "{options:?}");
        },
    );
}

#[test]
fn seeds_matter() {
    for (family, _, sizes) in SIZES {
        let size = sizes[sizes.len() - 1];
        let text = |seed| {
            let text =
                hardbop_lab::generate::family(&FamilyOptions { family, size, seed, bug: false });
            text.expect("a member").lines().skip(1).collect::<String>()
        };
        assert!((1..6).any(|seed| text(seed) != text(0)), "{family}");
    }
}
