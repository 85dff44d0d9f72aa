//! `twins`: two numbers with as many bits as the size, each counted by a procedure of its own, must
//! stay equal.
//!
//! *Safe*: both are counted in each round.  *Unsafe*: the second one loses its last carry, so the
//! two differ when the highest bit should be set, after half of the range.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::increment;
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let (left, right) = (names("left", options.size), names("right", options.size));
    let counted = &right[..options.size - usize::from(options.bug)];
    let mut all = [left.clone(), right.clone()].concat();
    let zero = format!("{} := {};", list(&all), repeated("F", all.len()));
    random.shuffle(&mut all);
    let mut order = ["count_left();", "count_right();"];
    random.shuffle(&mut order);
    let equal: Vec<String> = left.iter().zip(&right).map(|(l, r)| format!("({l} = {r})")).collect();
    format!(
        "{}void count_left() begin
           decl carry;
           {}
         end
         void count_right() begin
           decl carry;
           {}
         end
         void main() begin
           {zero}
           while (*) do
             {}
             assert({});
           od;
         end",
        declarations(&all),
        increment(&left, "carry"),
        increment(counted, "carry"),
        order.concat(),
        equal.join(" & "),
    )
}
