//! `wide-summary`: a reversible circuit with as many wires as the size, cut into procedures that
//! take and return all wires; then its inverse.  At some places, a global chooses between two
//! gates.
//!
//! *Safe*: each gate x := x ^ (y & z) undoes itself, so the inverse returns the input.  *Unsafe*:
//! one gate of the inverse is missing.  All gates are bijections, so every state occurs before it,
//! including those in which it matters, and different states after it lead to different results.

use std::fmt::Write as _;

use super::options::FamilyOptions;
use super::text::{declarations, list, literal, names};
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 3..=1_000, write };

/// Procedures of the circuit, and also of its inverse.
const STAGES: usize = 3;

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let wires = names("wire", options.size);
    let stages: Vec<Vec<String>> =
        (0..STAGES).map(|_| (0..options.size).map(|_| place(&wires, random)).collect()).collect();
    let missing = (random.below(STAGES), random.below(options.size));

    let formals = list(&wires);
    let mut text = "decl mode;\n".to_owned();
    for (i, stage) in stages.iter().enumerate() {
        let mut back: Vec<&str> = stage.iter().map(String::as_str).collect();
        if options.bug && i == missing.0 {
            back[missing.1] = "skip;\n";
        }
        back.reverse();
        let width = options.size;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "bool<{width}> encode{i}({formals}) begin {} return {formals}; end
             bool<{width}> decode{i}({formals}) begin {} return {formals}; end\n",
            stage.concat(),
            back.concat(),
        );
    }
    let (before, after) = (names("before", options.size), names("after", options.size));
    let calls: String = (0..STAGES)
        .map(|i| format!("encode{i}"))
        .chain((0..STAGES).rev().map(|i| format!("decode{i}")))
        .map(|procedure| format!("{0} := {procedure}({0});\n", list(&after)))
        .collect();
    let same: Vec<String> =
        before.iter().zip(&after).map(|(b, a)| format!("({b} = {a})")).collect();
    format!(
        "{text}void main() begin
           {}{} := {};
           {calls}assert({});
         end",
        declarations(&[before.clone(), after.clone()].concat()),
        list(&after),
        list(&before),
        same.join(" & "),
    )
}

/// A gate, or a choice between two gates.
fn place(wires: &[String], random: &mut Random) -> String {
    if random.chance(25) {
        let (then, otherwise) = (gate(wires, random), gate(wires, random));
        format!("if (mode) then {then} else {otherwise} fi;\n")
    } else {
        gate(wires, random)
    }
}

fn gate(wires: &[String], random: &mut Random) -> String {
    let indices: Vec<usize> = (0..wires.len()).collect();
    let three = random.sample(&indices, 3);
    let name = |i: usize| &wires[three[i]];
    let (y, z) = (literal(name(1), random.chance(50)), literal(name(2), random.chance(50)));
    format!("{0} := {0} ^ ({y} & {z});\n", name(0))
}
