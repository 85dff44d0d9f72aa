//! `saturating`: a number with as many bits as the size counts up to a limit in the upper quarter
//! of its range, and stays there.
//!
//! *Safe*: it is never above the limit, which is inductive.  *Unsafe*: it goes on when it is at the
//! limit, once, after as many rounds as that is large.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::{high_number, increment};
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 3..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let bits = names("bit", options.size);
    let limit = high_number(options.size, random);
    // Lowest bit first: what a lower bit says counts where the higher ones are equal.
    let compare = |name: &str, equal: &str| -> String {
        let step = |(b, &one): (&String, &bool)| match one {
            true => format!("{name} := !{b} | {name};\n"),
            false => format!("{name} := !{b} & {name};\n"),
        };
        format!("{name} := {equal};\n{}", bits.iter().zip(&limit).map(step).collect::<String>())
    };
    // With the bug, the number after the limit stays instead.
    let stop = if options.bug { compare("go", "T") } else { compare("go", "F") };
    format!(
        "{}void step() begin
           decl go, carry;
           {stop}
           if (go) then
             {}
           fi;
         end
         void main() begin
           decl small;
           {} := {};
           while (*) do
             step();
             {}
             assert(small);
           od;
         end",
        declarations(&bits),
        increment(&bits, "carry"),
        list(&bits),
        repeated("F", options.size),
        compare("small", "T"),
    )
}
