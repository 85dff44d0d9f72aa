//! Programs made from bytes, as the fuzz target `differential` makes them: random ones, and the
//! corpus of the target.  The oracle visits explicit states and shares nothing with the engines.

use arbitrary::Unstructured;
use hardbop_base::random::Random;
use hardbop_logic::sat::Backend;

/// States after which a program is left out.
const STATES: usize = 50_000;

/// Compares on the program that the bytes make; false where they make none that is small.
fn compared(bytes: &[u8]) -> bool {
    let Some((&first, rest)) = bytes.split_first() else { return false };
    let Ok(text) = crate::support::maker::program(&mut Unstructured::new(rest)) else {
        return false;
    };
    let program = crate::support::program(&text);
    let Some(is_unsafe) = crate::support::explicit::error_reachable(&program, STATES) else {
        return false;
    };
    let sat = if first % 2 == 0 { Backend::Cadical } else { Backend::Varisat };
    crate::support::agreement::agree(&program, &text, is_unsafe, sat);
    true
}

/// Random bytes of this seed.
fn random(seed: u64) {
    let mut random = Random::new(seed);
    let count = (0..250)
        .filter(|_| {
            let words = 16 + (random.bits() % 64) as usize;
            let bytes: Vec<u8> = (0..words).flat_map(|_| random.bits().to_le_bytes()).collect();
            compared(&bytes)
        })
        .count();
    assert!(count > 150, "only {count} programs were compared");
}

#[test]
fn random_1() {
    random(1);
}

#[test]
fn random_2() {
    random(2);
}

#[test]
fn random_3() {
    random(3);
}

#[test]
fn corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/differential");
    // A package without the fuzz targets has no corpus.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        compared(&std::fs::read(entry.expect("an entry").path()).expect("a file"));
    }
}
