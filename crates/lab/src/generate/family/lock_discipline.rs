//! `lock-discipline`: as many locks as the size, each with a critical section that may contain
//! those of later locks. No lock is taken twice, released twice or taken after a later one, and the
//! data it protects is consistent while it is free.
//!
//! *Safe*: section i is entered only while the locks from i on are free, and leaves them as it
//! found them: it releases its lock under the condition under which it took it, after making its
//! data consistent.  *Unsafe*: the last section keeps its lock for one value of its data.  All
//! sections lie on a chain of calls that nothing prevents, so `main` then finds the lock held.

use std::fmt::Write as _;

use super::options::FamilyOptions;
use super::text::{declarations, list, names, repeated};
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 1..=10_000, write };

/// A section calls others at most this far beyond the next one.
const JUMP: usize = 5;

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let (held, data, copy) = (names("held", size), names("data", size), names("copy", size));
    let mut text = declarations(&[held.clone(), data.clone(), copy.clone()].concat());
    for i in 0..size {
        let (held_i, data_i, copy_i) = (&held[i], &data[i], &copy[i]);
        let later = held.get(i + 1).map_or_else(String::new, |next| format!(" | {next}"));
        let release = match options.bug && i + 1 == size {
            true => format!("mine & {data_i}"),
            false => "mine".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "void acquire{i}() begin
               if ({held_i}{later}) then ERROR: skip; fi;
               assert({data_i} = {copy_i});
               {held_i} := T;
             end
             void release{i}() begin
               if (!{held_i}) then ERROR: skip; fi;
               {held_i} := F;
             end
             void section{i}() begin
               decl mine;
               mine := *;
               if (mine) then acquire{i}(); {data_i} := *; fi;
               {}
               if (mine) then {copy_i} := {data_i}; fi;
               if ({release}) then release{i}(); fi;
             end
             ",
            inside(i, size, random),
        );
    }
    format!(
        "{text}void main() begin
           {} := {};
           {} := {};
           while (*) do
             section0();
             assert(!({}));
           od;
         end",
        list(&held),
        repeated("F", size),
        list(&copy),
        list(&data),
        held.join(" | "),
    )
}

/// The calls in the section of lock i.
fn inside(i: usize, size: usize, random: &mut Random) -> String {
    let next = i + 1;
    if next >= size {
        return "skip;".to_owned();
    }
    let other = random.range(next, (next + JUMP).min(size - 1));
    let more = match random.below(3) {
        0 => format!("if (*) then section{other}(); fi;"),
        1 => format!("while (*) do section{other}(); od;"),
        _ => String::new(),
    };
    format!("section{next}(); {more}")
}
