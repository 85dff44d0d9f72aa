//! `depth`: a procedure calls itself until a counter with as many bits as the size is at a limit in the upper half of
//! its range, and counts back on its way out.
//!
//! *Safe*: after each call, the lowest bit is as it was before.  *Unsafe*: at the limit, an assertion fails: that many
//! calls are open then.

use super::options::FamilyOptions;
use super::text::{declarations, list, literal, names, repeated};
use super::writer::Writer;
use crate::base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let bits = names("bit", size);
    let limit: Vec<bool> = (0..size).map(|i| i + 1 == size || random.chance(50)).collect();
    let is_limit: Vec<String> = bits.iter().zip(&limit).map(|(b, &one)| literal(b, one)).collect();
    let up: String =
        bits.iter().map(|b| format!("{b}, carry := {b} ^ carry, {b} & carry;\n")).collect();
    let down: String =
        bits.iter().map(|b| format!("{b}, carry := {b} ^ carry, !{b} & carry;\n")).collect();
    format!(
        "{}decl deepest;
         void down() begin
           decl carry, before;
           if ({}) then
             deepest := {};
           else
             before := {};
             carry := T;
             {up}
             down();
             carry := T;
             {down}
             assert(before = {});
           fi;
           assert(!deepest);
         end
         void main() begin
           {}, deepest := {}, F;
           down();
         end",
        declarations(&bits),
        is_limit.join(" & "),
        if options.bug { "T" } else { "F" },
        bits[0],
        bits[0],
        list(&bits),
        repeated("F", size),
    )
}
