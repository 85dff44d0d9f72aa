//! `modules`: as many modules as the size, each with a switch, a counter of three bits and an
//! assertion of its own; all are called in any order.
//!
//! *Safe*: in each module the counter is odd just when the switch is on.  *Unsafe*: one module
//! forgets its switch when its counter wraps.

use std::fmt::Write as _;

use super::options::FamilyOptions;
use super::text::declarations;
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 1..=5_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let wrong = options.bug.then(|| random.below(options.size));
    let mut all: Vec<String> = (0..options.size)
        .flat_map(|i| {
            [format!("on{i}"), format!("low{i}"), format!("middle{i}"), format!("high{i}")]
        })
        .collect();
    random.shuffle(&mut all);
    let mut text = declarations(&all);
    let (mut starts, mut calls) = (String::new(), String::new());
    for i in 0..options.size {
        let switch = match wrong == Some(i) {
            true => format!("on{i} := low{i} & !(low{i} & middle{i} & high{i});"),
            false => format!("on{i} := !on{i};"),
        };
        let guard = random.below(options.size);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "void module{i}(go) begin
               if (go) then
                 low{i}, middle{i}, high{i} := !low{i}, middle{i} ^ low{i}, high{i} ^ (middle{i} & low{i});
                 {switch}
               fi;
               assert(low{i} = on{i});
             end\n"
        );
        let _ = writeln!(starts, "on{i}, low{i}, middle{i}, high{i} := F, F, F, F;");
        let _ = writeln!(calls, "if (*) then module{i}(high{guard} | *); fi;");
    }
    format!("{text}void main() begin {starts} while (*) do {calls} od; end")
}
