//! A program made from the bytes: all engines, with and without what saves work, against explicit
//! states; traces are replayed, invariants proved.  With `HARDBOP_FUZZ_SHOW=1` the program is printed
//! first, to see what an artifact stands for.

#![no_main]

use arbitrary::Unstructured;
use hardbop_logic::sat::Backend;
use hardbop_fuzz::agreement::agree;
use hardbop_fuzz::maker::program;
use hardbop_fuzz::{explicit, resolved};
use libfuzzer_sys::fuzz_target;

/// States after which the third opinion is missing, and so nothing is compared.
const STATES: usize = 50_000;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = program(&mut Unstructured::new(rest)) else { return };
    if std::env::var_os("HARDBOP_FUZZ_SHOW").is_some() {
        eprintln!("{text}");
    }
    let program = resolved(&text);
    let Some(is_unsafe) = explicit::error_reachable(&program, STATES) else { return };
    // One of the solvers at a time.
    let sat = if first % 2 == 0 { Backend::Cadical } else { Backend::Varisat };
    agree(&program, &text, is_unsafe, sat);
});
