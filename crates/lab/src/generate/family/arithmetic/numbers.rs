//! Numbers as bits, lowest bit first: statements that count, and expressions.

use hardbop_base::random::Random;

use super::super::text::literal;

/// Statements that add 1 to a number, lowest bit first, with a variable for the carry.
pub(super) fn increment(bits: &[String], carry: &str) -> String {
    let step = |b: &String| format!("{b}, {carry} := {b} ^ {carry}, {b} & {carry};\n");
    format!("{carry} := T;\n{}", bits.iter().map(step).collect::<String>())
}

/// Statements that subtract 1 from it.
pub(super) fn decrement(bits: &[String], borrow: &str) -> String {
    let step = |b: &String| format!("{b}, {borrow} := {b} ^ {borrow}, !{b} & {borrow};\n");
    format!("{borrow} := T;\n{}", bits.iter().map(step).collect::<String>())
}

/// Statements that add a number to another one, lowest bit first.
pub(super) fn add(sum: &[String], number: &[String], carry: &str) -> String {
    let step = |(s, x): (&String, &String)| {
        format!("{s}, {carry} := {s} ^ {x} ^ {carry}, ({s} & {x}) | ({carry} & ({s} ^ {x}));\n")
    };
    format!("{carry} := F;\n{}", sum.iter().zip(number).map(step).collect::<String>())
}

/// An expression: a number, lowest bit first, is this one.
pub(super) fn is(bits: &[String], number: &[bool]) -> String {
    let literals: Vec<String> =
        bits.iter().zip(number).map(|(name, &bit)| literal(name, bit)).collect();
    literals.join(" & ")
}

/// A number in the upper quarter of the range, lowest bit first; some lower bit is F, so that there
/// are larger ones.
pub(super) fn high_number(size: usize, random: &mut Random) -> Vec<bool> {
    let lower = size - 2;
    let mut number: Vec<bool> = (0..size).map(|i| i >= lower || random.chance(50)).collect();
    number[random.below(lower)] = false;
    number
}
