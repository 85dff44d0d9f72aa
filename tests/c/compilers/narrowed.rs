//! Inputs that are narrowed and shifted: no verdict contradicts gcc, and no proof is rejected.

use std::ops::Range;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_c::on_large_stack;
use hardbop_c::types::DataModel;
use hardbop_verify::{CProgram, Options, Outcome, check};

use crate::support::c::narrowed::{LARGE, SMALL, programs, truths};
use crate::support::c::{flow, number};

/// How many programs gcc compiles at once.
const BATCH: usize = 50;

/// Checks so many programs whose inputs have one of these types.
fn agree(count: usize, seed: u64, types: Range<usize>) {
    let mut random = Random::new(seed);
    let (mut decided, mut errors, mut done) = (0, 0, 0);
    while done < count {
        let programs = programs(&mut random, BATCH.min(count - done), types.clone());
        for (made, truth) in programs.iter().zip(truths(&programs)) {
            let text = &made.text;
            let flow = flow("p.c", text, DataModel::Lp64);
            let budget = Budget::unlimited().with_time_limit(Duration::from_secs(20));
            let work = || check(CProgram::new(&flow), &Options::default(), &budget, &mut ());
            let report = on_large_stack(work).expect("a thread");
            let report = report.unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(report.rejected, [], "{text}");
            match report.outcome {
                Outcome::Safe(_) => assert!(!truth, "it is unsafe\n{text}"),
                Outcome::Unsafe(_) => {
                    assert!(truth || !made.is_exhausted(), "it is safe\n{text}");
                    errors += 1;
                }
                Outcome::Unknown(reason) => {
                    eprintln!("{reason}\n{text}");
                    continue;
                }
            }
            decided += 1;
        }
        done += programs.len();
    }
    eprintln!("seed {seed}: {count} programs, {decided} decided, {errors} with an error");
    assert!(decided * 20 >= count * 19, "{decided} of {count}");
    let is_mixed = errors * 10 >= count && errors * 10 <= 9 * count;
    assert!(count < 50 || is_mixed, "{errors} of {count} have an error");
}

/// Set `HARDBOP_PROGRAMS` for more, `HARDBOP_SEED` for others.
#[test]
fn inputs_around_all_constants() {
    agree(number("HARDBOP_PROGRAMS", 100), number("HARDBOP_SEED", 1) as u64, LARGE);
}

/// The same with inputs of 8 and 16 bits: each one is tried.
#[test]
fn inputs_exhausted() {
    agree(number("HARDBOP_PROGRAMS", 40), number("HARDBOP_SEED", 1) as u64, SMALL);
}
