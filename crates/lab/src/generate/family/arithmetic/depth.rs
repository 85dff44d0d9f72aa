//! `depth`: a procedure calls itself until a counter with as many bits as the size is at a limit in
//! the upper half of its range, and counts back on its way out.
//!
//! *Safe*: after each call, the lowest bit is as it was before.  *Unsafe*: at the limit, an
//! assertion fails: that many calls are open then.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::{decrement, increment, is};
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let bits = names("bit", size);
    let limit: Vec<bool> = (0..size).map(|i| i + 1 == size || random.chance(50)).collect();
    format!(
        "{}decl deepest;
         void down() begin
           decl carry, before;
           if ({}) then
             deepest := {};
           else
             before := {};
             {}
             down();
             {}
             assert(before = {});
           fi;
           assert(!deepest);
         end
         void main() begin
           {}, deepest := {}, F;
           down();
         end",
        declarations(&bits),
        is(&bits, &limit),
        if options.bug { "T" } else { "F" },
        bits[0],
        increment(&bits, "carry"),
        decrement(&bits, "carry"),
        bits[0],
        list(&bits),
        repeated("F", size),
    )
}
