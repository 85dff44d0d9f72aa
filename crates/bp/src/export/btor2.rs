//! A circuit in BTOR2: Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0" (2018),
//! which defines the format.
//!
//! Everything is a bit-vector of one bit.  A negative number is the negation of that node.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::names::escaped;
use hardbop_logic::{Lit, Node, Sequential};

/// The sort of all nodes, and the constant 0: the first two lines.
const SORT: usize = 1;
const ZERO: usize = 2;

/// The circuit in BTOR2, with one `bad` property.  Latches have their names as symbols, with `%`
/// and two hexadecimal digits for what a symbol cannot contain.
pub fn btor2(circuit: &Sequential) -> String {
    let mut writer = Writer {
        out: "; bad can be reached: so can an error\n".to_owned(),
        lines: 0,
        numbers: FxHashMap::default(),
    };
    writer.line("sort bitvec 1");
    writer.line(&format!("zero {SORT}"));
    writer.numbers.insert(Lit::FALSE.node(), ZERO);
    writer.circuit(circuit);
    writer.out
}

struct Writer {
    out: String,
    /// Numbered ones so far.
    lines: usize,
    /// The line of each node of the graph.
    numbers: FxHashMap<usize, usize>,
}

impl Writer {
    fn circuit(&mut self, circuit: &Sequential) {
        let (aig, latches) = (circuit.graph(), circuit.latches());
        for input in circuit.inputs() {
            let line = self.line(&format!("input {SORT} x{}", input.0));
            self.numbers.insert(aig.input(input).node(), line);
        }
        for latch in latches {
            let line = self.line(format!("state {SORT} {}", symbol(&latch.name)).trim_end());
            self.numbers.insert(aig.input(latch.state).node(), line);
            self.line(&format!("init {SORT} {line} {ZERO}"));
        }
        for n in aig.cone(circuit.roots()) {
            if let Node::And(a, b) = aig.node(n) {
                let gate = format!("and {SORT} {} {}", self.literal(a), self.literal(b));
                let line = self.line(&gate);
                self.numbers.insert(n, line);
            }
        }
        for latch in latches {
            let state = self.literal(aig.input(latch.state));
            let next = self.literal(latch.next);
            self.line(&format!("next {SORT} {state} {next}"));
        }
        let bad = self.literal(circuit.bad());
        self.line(&format!("bad {bad}"));
    }

    /// Writes a line, and tells its number.
    fn line(&mut self, text: &str) -> usize {
        self.lines += 1;
        writeln!(self.out, "{} {text}", self.lines).expect("writing to a string cannot fail");
        self.lines
    }

    /// A literal of the graph as an operand.
    fn literal(&self, lit: Lit) -> String {
        let sign = if lit.is_negated() { "-" } else { "" };
        format!("{sign}{}", self.numbers[&lit.node()])
    }
}

/// A symbol has no blanks; a `;` begins a comment.
fn symbol(name: &str) -> String {
    escaped(name, '%', |byte| byte.is_ascii_graphic() && !b"%;".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_logic::{Aig, Latch};

    #[test]
    fn a_flip_flop_with_enable() {
        let mut aig = Aig::new();
        let (enable, state) = (aig.new_input_lit(), aig.new_input());
        let old = aig.input(state);
        let next = aig.and(!enable, !old);
        let latch = Latch { state, next, name: "f::{x; y}%".to_owned() };
        let text = btor2(&Sequential::new(aig, vec![latch], old));
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let expected = [
            "1 sort bitvec 1",
            "2 zero 1",
            "3 input 1 x0",
            "4 state 1 f::{x%3b%20y}%25",
            "5 init 1 4 2",
            "6 and 1 -3 -4",
            "7 next 1 4 6",
            "8 bad 4",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn constants() {
        let text = btor2(&Sequential::new(Aig::new(), vec![], Lit::TRUE));
        assert!(text.ends_with("3 bad -2\n"), "{text}");
    }
}
