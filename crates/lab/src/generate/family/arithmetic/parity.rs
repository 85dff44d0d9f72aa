//! `parity`: as many bits as the size are flipped in any order, each with a bit for the parity of
//! all.
//!
//! *Safe*: it is their parity.  *Unsafe*: one bit is flipped without it when all others are set.

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 2..=10_000, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let bits = names("bit", options.size);
    let mut order: Vec<usize> = (0..options.size).collect();
    random.shuffle(&mut order);
    let wrong = order[0];
    let others: Vec<&str> =
        (0..options.size).filter(|&i| i != wrong).map(|i| bits[i].as_str()).collect();
    let flips: String = order
        .iter()
        .map(|&i| {
            let bit = &bits[i];
            let flip = match options.bug && i == wrong {
                true => format!("odd := !({}) ^ odd;", others.join(" & ")),
                false => "odd := !odd;".to_owned(),
            };
            format!("if (*) then {bit} := !{bit}; {flip} fi;\n")
        })
        .collect();
    random.shuffle(&mut order);
    let sum =
        order.iter().map(|&i| format!("parity := parity ^ {};\n", bits[i])).collect::<String>();
    format!(
        "decl odd;
         {}void flip() begin
           {flips}
         end
         bool count() begin
           decl parity;
           parity := F;
           {sum}return parity;
         end
         void main() begin
           decl parity;
           {}, odd := {}, F;
           while (*) do
             flip();
             parity := count();
             assert(parity = odd);
           od;
         end",
        declarations(&bits),
        list(&bits),
        repeated("F", options.size),
    )
}
