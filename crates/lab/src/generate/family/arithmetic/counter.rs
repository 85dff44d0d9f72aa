//! `counter`: a counter with as many bits as the size starts at 0, and wraps to 0 after a limit in
//! the upper quarter of its range.  Only counting up to the limit shows what is reachable.
//!
//! *Safe*: an assertion excludes a number beyond the limit.  *Unsafe*: it excludes the limit, which
//! takes that many rounds to reach.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::{high_number, increment, is};
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 3..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let bits = names("bit", options.size);
    let limit = high_number(options.size, random);
    let mut excluded = limit.clone();
    if !options.bug
        && let Some(zero) = excluded.iter().position(|&bit| !bit)
    {
        excluded[zero] = true;
    }
    let (all, zero) = (list(&bits), repeated("F", options.size));
    format!(
        "{}void tick() begin
           decl carry;
           if ({}) then
             {all} := {zero};
           else
             {}
           fi;
         end
         void main() begin
           {all} := {zero};
           while (*) do
             tick();
             assert(!({}));
           od;
         end",
        declarations(&bits),
        is(&bits, &limit),
        increment(&bits, "carry"),
        is(&bits, &excluded),
    )
}
