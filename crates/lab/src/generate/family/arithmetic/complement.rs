//! `complement`: of two numbers with as many bits as the size, one counts up from 0 and the other
//! down from the largest number; each is always the other's complement.
//!
//! *Safe*: both are counted in each round.  *Unsafe*: the second one loses its last borrow, so its
//! highest bit stays set after half of the range.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::{decrement, increment};
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let (up, down) = (names("up", size), names("down", size));
    let counted = &down[..size - usize::from(options.bug)];
    let mut all = [up.clone(), down.clone()].concat();
    random.shuffle(&mut all);
    let (more, less) = (increment(&up, "carry"), decrement(counted, "carry"));
    let mut order = [more, less];
    random.shuffle(&mut order);
    let opposite: Vec<String> =
        up.iter().zip(&down).map(|(u, d)| format!("({u} != {d})")).collect();
    format!(
        "{}void main() begin
           decl carry;
           {} := {};
           {} := {};
           while (*) do
             {}
             assert({});
           od;
         end",
        declarations(&all),
        list(&up),
        repeated("F", size),
        list(&down),
        repeated("T", size),
        order.concat(),
        opposite.join(" & "),
    )
}
