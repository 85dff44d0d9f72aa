//! `queue`: a queue with numbers of as many bits as the size for its head, its tail, and how many
//! entries there are.  Entries come and go as long as there is room, or there are some.
//!
//! *Safe*: head and number add up to the tail.  *Unsafe*: an entry that goes while there is one is not
//! counted.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::{add, decrement, increment};
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let (head, tail, count) = (names("head", size), names("tail", size), names("count", size));
    let sum = names("sum", size);
    let mut all = [head.clone(), tail.clone(), count.clone()].concat();
    let zero = repeated("F", all.len());
    random.shuffle(&mut all);
    let equal: Vec<String> = sum.iter().zip(&tail).map(|(s, t)| format!("({s} = {t})")).collect();
    format!(
        "{}void come() begin decl carry;
           if (!({})) then {}{} fi;
         end
         void go() begin decl carry;
           if ({}) then {}{} fi;
         end
         void main() begin
           decl carry;
           {}{} := {zero};
           while (*) do
             if (*) then come(); else go(); fi;
             {} := {};
             {}
             assert({});
           od;
         end",
        declarations(&all),
        count.join(" & "),
        increment(&tail, "carry"),
        increment(&count, "carry"),
        count.join(" | "),
        increment(&head, "carry"),
        if options.bug { String::new() } else { decrement(&count, "carry") },
        declarations(&sum),
        list(&all),
        list(&sum),
        list(&head),
        add(&sum, &count, "carry"),
        equal.join(" & "),
    )
}
