//! `terminator`: does a nest of three loops end?  The question is asked as in Terminator (Cook,
//! Podelski, Rybalchenko, PLDI 2006; the last rows of Table 2 of the SPIN'07 paper): the state at
//! the innermost loop is copied at some visit, and at each later one it must be smaller.  The state
//! is a number with as many bits as the size, in three parts, one per loop; each loop decreases its
//! part by any amount, and sets the parts of the loops inside it to arbitrary values.
//!
//! *Safe*: between two visits the highest part that changes decreases, so the number does.
//! *Unsafe*: one loop leaves its part unchanged when it should subtract the lowest bit; the parts
//! of the loops inside can return to their old values (0, from 1), and the copy is not smaller but
//! equal.

use std::fmt::Write as _;
use std::ops::Range;

use super::options::FamilyOptions;
use super::text::{declarations, list, names, repeated};
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: LOOPS..=10_000, write };

const LOOPS: usize = 3;

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    // Highest bit first.
    let (bits, old) = (names("bit", size), names("old", size));
    let wrong = options.bug.then(|| random.below(LOOPS));
    let mut all = [bits.clone(), old.clone()].concat();
    random.shuffle(&mut all);
    let mut text = format!("decl copied;\n{}", declarations(&all));
    for i in 0..LOOPS {
        let part = size * i / LOOPS..size * (i + 1) / LOOPS;
        text.push_str(&decrease(i, part, &bits, wrong == Some(i)));
    }
    let less: String = (0..size)
        .rev()
        .map(|i| format!("less := (!{0} & {1}) | (({0} = {1}) & less);\n", bits[i], old[i]))
        .collect();
    format!(
        "{text}bool smaller() begin
           decl less;
           less := F;
           {less}return less;
         end
         void visit() begin
           decl less;
           if (copied) then
             less := smaller();
             assert(less);
           elsif (*) then
             copied, {} := T, {};
           fi;
         end
         void main() begin
           copied := F;
           while (*) do
             decrease0();
             while (*) do
               decrease1();
               while (*) do
                 decrease2();
                 visit();
               od;
             od;
           od;
         end",
        list(&old),
        list(&bits),
    )
}

/// The procedure that decreases a part of the number and makes what is below it arbitrary.
fn decrease(index: usize, part: Range<usize>, bits: &[String], wrong: bool) -> String {
    let mut text = format!("void decrease{index}() begin decl done; done := F;\n");
    for i in part.clone() {
        let bit = &bits[i];
        let value = if wrong && i + 1 == part.end { "T" } else { "F" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "if (done) then {bit} := *; elsif ({bit} & *) then {bit}, done := {value}, T; fi;"
        );
    }
    text.push_str("assume(done);\n");
    let below = &bits[part.end..];
    if !below.is_empty() {
        let _ = writeln!(text, "{} := {};", list(below), repeated("*", below.len()));
    }
    text + "end\n"
}
