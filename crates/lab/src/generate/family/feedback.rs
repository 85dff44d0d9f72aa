//! `feedback`: two shift registers with as many stages as the size, whose inputs are parities of
//! four of their stages, are shifted together, now and then; the second may have all its values
//! inverted.
//!
//! *Safe*: both start with the same values, up to inverters, and the parity of four inverted values
//! is theirs, so they stay equal up to inverters.  *Unsafe*: one of the other register's stages is
//! wrong at the start.

use super::options::FamilyOptions;
use super::text::{declarations, list, literal, names};
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 4..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let (first, second) = (names("first", size), names("second", size));
    let is_inverted = random.chance(50);
    let mut taps: Vec<usize> = (0..size - 1).collect();
    random.shuffle(&mut taps);
    // With the last stage, so that nothing is lost.
    taps.truncate(3);
    taps.push(size - 1);
    let mut all = [first.clone(), second.clone()].concat();
    random.shuffle(&mut all);
    let mut start: Vec<bool> = (0..size).map(|_| random.chance(50)).collect();
    let value = |&bit: &bool| if bit { "T" } else { "F" };
    let before: Vec<&str> = start.iter().map(value).collect();
    start.iter_mut().for_each(|bit| *bit ^= is_inverted);
    let checked = random.below(size);
    start[checked] ^= options.bug;
    let after: Vec<&str> = start.iter().map(value).collect();
    let shift = |bits: &[String]| {
        let parity: Vec<&str> = taps.iter().map(|&t| bits[t].as_str()).collect();
        let parity = literal(&format!("({})", parity.join(" ^ ")), !is_inverted || bits == first);
        format!("{} := {parity}, {};", list(bits), list(&bits[..size - 1]))
    };
    format!(
        "{}void main() begin
           {} := {};
           {} := {};
           while (*) do
             if (*) then
               {}
               {}
             fi;
             assert({} = {});
           od;
         end",
        declarations(&all),
        list(&first),
        list(&before),
        list(&second),
        list(&after),
        shift(&first),
        shift(&second),
        first[checked],
        literal(&second[checked], !is_inverted),
    )
}
