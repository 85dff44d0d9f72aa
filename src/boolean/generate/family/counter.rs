//! `counter`: a counter with as many bits as the size starts at 0, and wraps to 0 after a limit in
//! the upper quarter of its range.  Only counting up to the limit shows what is reachable.
//!
//! *Safe*: an assertion excludes a number beyond the limit.  *Unsafe*: it excludes the limit, which
//! takes that many rounds to reach.

use super::options::FamilyOptions;
use super::text::{declarations, list, literal, names, repeated};
use super::writer::Writer;
use crate::base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 3..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let bits = names("bit", options.size);
    // Lowest bit first.  Some lower bit is F, so there are numbers beyond the limit.
    let lower = options.size - 2;
    let mut limit: Vec<bool> = (0..options.size).map(|i| i >= lower || random.chance(50)).collect();
    limit[random.below(lower)] = false;
    let mut excluded = limit.clone();
    if !options.bug
        && let Some(zero) = excluded.iter().position(|&bit| !bit)
    {
        excluded[zero] = true;
    }
    let is = |number: &[bool]| {
        let literals: Vec<String> =
            bits.iter().zip(number).map(|(name, &bit)| literal(name, bit)).collect();
        literals.join(" & ")
    };
    let count: String =
        bits.iter().map(|b| format!("{b}, carry := {b} ^ carry, {b} & carry;\n")).collect();
    let (all, zero) = (list(&bits), repeated("F", options.size));
    format!(
        "{}void tick() begin
           decl carry;
           if ({}) then
             {all} := {zero};
           else
             carry := T;
             {count}
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
        is(&limit),
        is(&excluded),
    )
}
