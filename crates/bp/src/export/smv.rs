//! A circuit in the language of NuSMV 2 and nuXmv, as the "NuSMV 2.6 User Manual" (Cavada et al.)
//! defines it.
//!
//! Latches are state variables with `init` and `next`, gates are definitions.  Inputs are variables
//! without assignments, which have any value in every step: the invariant reads them, and may not
//! read an `IVAR`.

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

use super::names::{escaped, is_word};
use hardbop_logic::{Aig, Lit, Node, Sequential};

/// The circuit as a module `main` with one `INVARSPEC`, which holds if and only if the bad state
/// cannot be reached.
///
/// A latch that is called `f::x` is the variable `f#x`, `::g` is `_#g`, blanks are `-`.  What an
/// identifier cannot contain is `$` and two hexadecimal digits.
pub fn smv(circuit: &Sequential) -> String {
    let aig = circuit.graph();
    let mut names = FxHashMap::default();
    for latch in circuit.latches() {
        names.insert(aig.input(latch.state).node(), identifier(&latch.name));
    }
    let mut out = String::new();
    Writer { aig, names }.module(&mut out, circuit).expect("writing to a string cannot fail");
    out
}

struct Writer<'a> {
    aig: &'a Aig,
    /// The latch's identifier, by node of the graph.
    names: FxHashMap<usize, String>,
}

impl Writer<'_> {
    fn module(&self, out: &mut String, circuit: &Sequential) -> fmt::Result {
        let latches = circuit.latches();
        writeln!(out, "-- the invariant holds: no error can be reached")?;
        writeln!(out, "MODULE main")?;
        let inputs = circuit.inputs();
        if !latches.is_empty() || !inputs.is_empty() {
            writeln!(out, "VAR")?;
        }
        for latch in latches {
            write!(out, "  {} : boolean;", self.literal(self.aig.input(latch.state)))?;
            writeln!(out, " -- {}", latch.name)?;
        }
        for input in inputs {
            writeln!(out, "  {} : boolean;", self.literal(self.aig.input(input)))?;
        }
        writeln!(out, "DEFINE")?;
        for n in self.aig.cone(circuit.roots()) {
            if let Node::And(a, b) = self.aig.node(n) {
                writeln!(out, "  n{n} := {} & {};", self.literal(a), self.literal(b))?;
            }
        }
        writeln!(out, "  bad := {};", self.literal(circuit.bad()))?;
        if !latches.is_empty() {
            writeln!(out, "ASSIGN")?;
        }
        for latch in latches {
            let state = self.literal(self.aig.input(latch.state));
            writeln!(out, "  init({state}) := FALSE;")?;
            writeln!(out, "  next({state}) := {};", self.literal(latch.next))?;
        }
        writeln!(out, "INVARSPEC !bad;")
    }

    fn literal(&self, lit: Lit) -> String {
        match lit {
            Lit::FALSE => return "FALSE".to_owned(),
            Lit::TRUE => return "TRUE".to_owned(),
            _ => {}
        }
        let sign = if lit.is_negated() { "!" } else { "" };
        match (self.names.get(&lit.node()), self.aig.node(lit.node())) {
            (Some(name), _) => format!("{sign}{name}"),
            (None, Node::Input(input)) => format!("{sign}x{}", input.0),
            (None, _) => format!("{sign}n{}", lit.node()),
        }
    }
}

/// A name as an identifier that is neither a keyword nor that of an input or a gate: it contains
/// `#` or `-`, or begins with `_`.  Two names never have the same one, for a `_` at the begin is
/// always one that was added.
fn identifier(name: &str) -> String {
    let parts: Vec<String> = name
        .split("::")
        .map(|part| escaped(part, '$', |byte| is_word(byte) || byte == b' ').replace(' ', "-"))
        .collect();
    let joined = parts.join("#");
    let starts_well = joined.starts_with(|c: char| c.is_ascii_alphabetic());
    let mark = if starts_well && joined.contains(['#', '-']) { "" } else { "_" };
    format!("{mark}{joined}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_logic::Latch;

    #[test]
    fn identifiers() {
        let table = [
            ("::g", "_#g"),
            ("main::next", "main#next"),
            ("_::g", "__#g"),
            ("$p::a-b", "_$24p#a$2db"),
            ("{a::b}::{x == 0}", "_$7ba#b$7d#$7bx-$3d$3d-0$7d"),
            ("location bit 0", "location-bit-0"),
            ("next", "_next"),
            ("_next", "__next"),
        ];
        for (name, expected) in table {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn a_flip_flop_with_enable() {
        let mut aig = Aig::new();
        let (enable, state) = (aig.new_input_lit(), aig.new_input());
        let old = aig.input(state);
        let next = aig.and(!enable, !old);
        let latch = Latch { state, next, name: "f::x".to_owned() };
        let text = smv(&Sequential::new(aig, vec![latch], old));
        let expected = "MODULE main\nVAR\n  f#x : boolean; -- f::x\n  x0 : boolean;\nDEFINE\n  \
            n3 := !x0 & !f#x;\n  bad := f#x;\nASSIGN\n  init(f#x) := FALSE;\n  next(f#x) := n3;\n\
            INVARSPEC !bad;\n";
        assert_eq!(text.split_once('\n').map(|t| t.1), Some(expected));
    }
}
