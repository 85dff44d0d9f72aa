//! `ring`: as many stations as the size hand a token around; a station that wants to works while it
//! has the token.
//!
//! *Safe*: no two stations work at the same time.  *Unsafe*: the last station keeps the token when
//! it hands it on while it works.

use super::options::FamilyOptions;
use super::text::{declarations, list, names, repeated};
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 2..=2_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let (token, works) = (names("token", size), names("works", size));
    let mut all = [token.clone(), works.clone()].concat();
    random.shuffle(&mut all);
    let steps: String = (0..size)
        .map(|i| {
            let next = (i + 1) % size;
            let kept = if options.bug && i + 1 == size { works[i].as_str() } else { "F" };
            format!(
                "{} ({} & *) then
                   if (*) then {} := *; else {}, {}, {} := {kept}, {kept}, T; fi;\n",
                if i == 0 { "if" } else { "elsif" },
                token[i],
                works[i],
                token[i],
                works[i],
                token[next],
            )
        })
        .collect();
    // Lowest first: some station before this one works.
    let check: String =
        works.iter().map(|w| format!("assert(!({w} & busy)); busy := busy | {w};\n")).collect();
    format!(
        "{}void step() begin
           {steps} fi;
         end
         void main() begin
           decl busy;
           {}, {} := {}, T, {};
           while (*) do
             step();
             busy := F;
             {check}
           od;
         end",
        declarations(&all),
        list(&works),
        list(&token),
        repeated("F", size),
        repeated("F", size - 1),
    )
}
