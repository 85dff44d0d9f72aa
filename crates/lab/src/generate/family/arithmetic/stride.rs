//! `stride`: a number with as many bits as the size is counted in steps of 4, so its two lowest
//! bits stay as they are.
//!
//! *Safe*: they do.  *Unsafe*: a carry out of the highest bit changes one of them, after all
//! numbers with these lowest bits.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names};
use super::super::writer::Writer;
use super::numbers::{increment, is};
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 3..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let bits = names("bit", options.size);
    let lowest = [random.chance(50), random.chance(50)];
    let wrapped = match options.bug {
        true => format!("if (carry) then {0} := !{0}; fi;", bits[random.below(2)]),
        false => String::new(),
    };
    let start: Vec<&str> =
        (0..options.size).map(|i| if i < 2 && lowest[i] { "T" } else { "F" }).collect();
    format!(
        "{}void step() begin
           decl carry;
           {}{wrapped}
         end
         void main() begin
           {} := {};
           while (*) do
             step();
             assert({});
           od;
         end",
        declarations(&bits),
        increment(&bits[2..], "carry"),
        list(&bits),
        list(&start),
        is(&bits[..2], &lowest),
    )
}
