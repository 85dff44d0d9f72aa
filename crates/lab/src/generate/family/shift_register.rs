//! `shift-register`: the same bits are shifted through two registers with as many stages as the
//! size; the second has inverters between some stages.  The input is arbitrary.
//!
//! *Safe*: bit i of the second is bit i of the first, possibly inverted, so the last bits agree up
//! to the inverters before them.  *Unsafe*: on one pattern, which both registers can contain from
//! the start, the first stage of the second gets the wrong bit, which passes all other stages
//! before it reaches the last.

use super::options::FamilyOptions;
use super::text::{declarations, list, literal, names};
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let (first, second) = (names("first", size), names("second", size));
    let inverted: Vec<bool> = (0..size).map(|_| random.chance(50)).collect();
    let mut all = [first.clone(), second.clone()].concat();
    random.shuffle(&mut all);

    let start: Vec<String> = (0..size).map(|i| literal(&first[i], !inverted[i])).collect();
    let mut input = literal("input", !inverted[0]);
    if options.bug {
        input = format!("{input} ^ ({} & !{})", first[size - 1], first[0]);
    }
    let mut shifted = vec!["input".to_owned()];
    shifted.extend(first[..size - 1].iter().cloned());
    shifted.push(input);
    shifted.extend((1..size).map(|i| literal(&second[i - 1], inverted[i - 1] == inverted[i])));
    format!(
        "{}void shift(input) begin
           {}, {} := {};
         end
         void main() begin
           {} := {};
           while (*) do
             shift(*);
             assert({} = {});
           od;
         end",
        declarations(&all),
        list(&first),
        list(&second),
        list(&shifted),
        list(&second),
        list(&start),
        second[size - 1],
        literal(&first[size - 1], !inverted[size - 1]),
    )
}
