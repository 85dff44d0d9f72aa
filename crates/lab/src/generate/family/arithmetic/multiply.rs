//! `multiply`: two procedures multiply two numbers with as many bits as the size, modulo the size's
//! power of 2: one adds shifted copies of the first factor from the lowest bit of the second on,
//! the other one from the highest.
//!
//! *Safe*: the products are equal.  *Unsafe*: one procedure leaves out a copy that is nonzero for
//! some factors.

use std::fmt::Write as _;

use super::super::options::FamilyOptions;
use super::super::text::{declarations, list, names, repeated};
use super::super::writer::Writer;
use super::numbers::add;
use hardbop_base::random::Random;

pub const WRITER: Writer = Writer { sizes: 2..=200, write };

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let size = options.size;
    let missing = options.bug.then(|| random.below(size));
    let (a, b) = (names("a", size), names("b", size));
    let (up, down) = (names("up", size), names("down", size));
    let mut all = [a.clone(), b.clone()].concat();
    random.shuffle(&mut all);
    let rising = product("rising", 0..size, (&a, &b), None);
    let falling = product("falling", (0..size).rev(), (&a, &b), missing);
    let equal: Vec<String> = up.iter().zip(&down).map(|(u, d)| format!("({u} = {d})")).collect();
    format!(
        "{}{rising}{falling}
         void main() begin
           {}{} := rising();
           {} := falling();
           assert({});
         end",
        declarations(&all),
        declarations(&[up.clone(), down.clone()].concat()),
        list(&up),
        list(&down),
        equal.join(" & "),
    )
}

/// A procedure that adds the copies in this order, but for one.
fn product(
    name: &str,
    order: impl Iterator<Item = usize>,
    (a, b): (&[String], &[String]),
    missing: Option<usize>,
) -> String {
    let size = a.len();
    let sum = names("sum", size);
    let mut text = format!(
        "bool<{size}> {name}() begin decl carry; {}{} := {};\n",
        declarations(&sum),
        list(&sum),
        repeated("F", size),
    );
    for i in order.filter(|&i| Some(i) != missing) {
        let copy = add(&sum[i..], &a[..size - i], "carry");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "if ({}) then {copy}fi;", b[i]);
    }
    format!("{text}return {}; end\n", list(&sum))
}
