//! The AIGER 1.9 format (Biere), ASCII and binary: combinational circuits, and circuits with latches and one bad state.
//!
//! Only the cone of the outputs is written.  Inputs keep their order; the name of each is its number in the graph.

use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::aig::{Aig, Input, Lit, Node};
use super::sequential::Sequential;

/// Writes `outputs` in the ASCII variant (`aag`).
///
/// # Errors
/// If writing to `out` fails.
pub fn write_ascii(aig: &Aig, outputs: &[Lit], out: &mut impl Write) -> io::Result<()> {
    Circuit::combinational(aig, outputs).ascii(out)
}

/// Writes `outputs` in the binary variant (`aig`).
///
/// # Errors
/// If writing to `out` fails.
pub fn write_binary(aig: &Aig, outputs: &[Lit], out: &mut impl Write) -> io::Result<()> {
    Circuit::combinational(aig, outputs).binary(out)
}

impl Sequential {
    /// Writes the circuit in the ASCII variant (`aag`).
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_ascii(&self, out: &mut impl Write) -> io::Result<()> {
        Circuit::sequential(self).ascii(out)
    }

    /// Writes the circuit in the binary variant (`aig`).
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_binary(&self, out: &mut impl Write) -> io::Result<()> {
        Circuit::sequential(self).binary(out)
    }
}

/// Seven bits in a byte, the lowest first; the top bit says that more follow.
fn write_delta(mut delta: usize, out: &mut impl Write) -> io::Result<()> {
    while delta >= 0x80 {
        out.write_all(&[(delta & 0x7f) as u8 | 0x80])?;
        delta >>= 7;
    }
    out.write_all(&[delta as u8])
}

/// The cone in AIGER's numbering: inputs, latches, then ands, children first.
struct Circuit<'a> {
    inputs: Vec<Input>,
    /// Next values, and names.  All latches are 0 at the start.
    latches: Vec<(usize, &'a str)>,
    /// Children, the larger one first.
    ands: Vec<(usize, usize)>,
    outputs: Vec<usize>,
    bad: Vec<usize>,
}

impl<'a> Circuit<'a> {
    fn combinational(aig: &Aig, outputs: &[Lit]) -> Self {
        let inputs = aig.support(outputs.iter().copied());
        let (mut this, number) = Self::new(aig, inputs, &[], outputs);
        this.outputs = outputs.iter().map(|&l| literal(&number, l)).collect();
        this
    }

    fn sequential(circuit: &'a Sequential) -> Self {
        let latches = circuit.latches();
        let states: Vec<Input> = latches.iter().map(|l| l.state).collect();
        let inputs = circuit.inputs();
        let (mut this, number) = Self::new(circuit.graph(), inputs, &states, &circuit.roots());
        let next = latches.iter().map(|l| (literal(&number, l.next), l.name.as_str()));
        this.latches = next.collect();
        this.bad = vec![literal(&number, circuit.bad())];
        this
    }

    /// The ands of a cone over inputs and latches, and the numbers of its nodes.
    fn new(
        aig: &Aig,
        inputs: Vec<Input>,
        states: &[Input],
        roots: &[Lit],
    ) -> (Self, FxHashMap<usize, usize>) {
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        number.insert(0, 0);
        for (k, &i) in inputs.iter().chain(states).enumerate() {
            number.insert(aig.input(i).node(), k + 1);
        }
        let leaves = inputs.len() + states.len();
        let mut ands = Vec::new();
        for n in aig.cone(roots.iter().copied()) {
            if let Node::And(a, b) = aig.node(n) {
                let (a, b) = (literal(&number, a), literal(&number, b));
                ands.push((a.max(b), a.min(b)));
                number.insert(n, leaves + ands.len());
            }
        }
        (Self { inputs, latches: vec![], ands, outputs: vec![], bad: vec![] }, number)
    }

    /// Inputs and latches.
    fn leaves(&self) -> usize {
        self.inputs.len() + self.latches.len()
    }

    fn header(&self) -> String {
        let (i, l, a) = (self.inputs.len(), self.latches.len(), self.ands.len());
        let bad = if self.bad.is_empty() { String::new() } else { format!(" {}", self.bad.len()) };
        format!("{} {i} {l} {} {a}{bad}", i + l + a, self.outputs.len())
    }

    fn ascii(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "aag {}", self.header())?;
        for k in 1..=self.inputs.len() {
            writeln!(out, "{}", 2 * k)?;
        }
        for (k, (next, _)) in self.latches.iter().enumerate() {
            writeln!(out, "{} {next}", 2 * (self.inputs.len() + 1 + k))?;
        }
        for l in self.outputs.iter().chain(&self.bad) {
            writeln!(out, "{l}")?;
        }
        for (k, (a, b)) in self.ands.iter().enumerate() {
            writeln!(out, "{} {a} {b}", 2 * (self.leaves() + 1 + k))?;
        }
        self.write_symbols(out)
    }

    fn binary(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "aig {}", self.header())?;
        for (next, _) in &self.latches {
            writeln!(out, "{next}")?;
        }
        for l in self.outputs.iter().chain(&self.bad) {
            writeln!(out, "{l}")?;
        }
        for (k, &(a, b)) in self.ands.iter().enumerate() {
            let lhs = 2 * (self.leaves() + 1 + k);
            write_delta(lhs - a, out)?;
            write_delta(a - b, out)?;
        }
        self.write_symbols(out)
    }

    fn write_symbols(&self, out: &mut impl Write) -> io::Result<()> {
        for (k, i) in self.inputs.iter().enumerate() {
            writeln!(out, "i{k} x{}", i.0)?;
        }
        for (k, (_, name)) in self.latches.iter().enumerate() {
            writeln!(out, "l{k} {name}")?;
        }
        Ok(())
    }
}

/// A literal in AIGER's numbering.
fn literal(number: &FxHashMap<usize, usize>, l: Lit) -> usize {
    2 * number[&l.node()] + usize::from(l.is_negated())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequential::Latch;

    #[test]
    fn the_half_adder_of_the_format_description() {
        let mut aig = Aig::new();
        let (x, y) = (aig.new_input_lit(), aig.new_input_lit());
        let (sum, carry) = (aig.xor(x, y), aig.and(x, y));
        let mut ascii = Vec::new();
        write_ascii(&aig, &[sum, carry], &mut ascii).expect("a vector takes everything");
        let text = "aag 5 2 0 2 3\n2\n4\n10\n6\n6 4 2\n8 5 3\n10 9 7\ni0 x0\ni1 x1\n";
        assert_eq!(String::from_utf8_lossy(&ascii), text);
        let mut binary = Vec::new();
        write_binary(&aig, &[sum, carry], &mut binary).expect("a vector takes everything");
        let mut expected = b"aig 5 2 0 2 3\n10\n6\n".to_vec();
        expected.extend([2, 2, 3, 2, 1, 2]);
        expected.extend(b"i0 x0\ni1 x1\n");
        assert_eq!(binary, expected);
    }

    #[test]
    fn the_toggle_flip_flop_with_enable_of_the_format_description() {
        // There its output is an output; here it is bad.
        let mut aig = Aig::new();
        let (enable, state) = (aig.new_input_lit(), aig.new_input());
        let next = {
            let q = aig.input(state);
            aig.xor(enable, q)
        };
        let bad = aig.input(state);
        let latch = Latch { state, next, name: "q".to_owned() };
        let circuit = Sequential::new(aig, vec![latch], bad);
        let mut ascii = Vec::new();
        circuit.write_ascii(&mut ascii).expect("a vector takes everything");
        let text = "aag 5 1 1 0 3 1\n2\n4 10\n4\n6 4 2\n8 5 3\n10 9 7\ni0 x0\nl0 q\n";
        assert_eq!(String::from_utf8_lossy(&ascii), text);
        let mut binary = Vec::new();
        circuit.write_binary(&mut binary).expect("a vector takes everything");
        let mut expected = b"aig 5 1 1 0 3 1\n10\n4\n".to_vec();
        expected.extend([2, 2, 3, 2, 1, 2]);
        expected.extend(b"i0 x0\nl0 q\n");
        assert_eq!(binary, expected);
    }

    #[test]
    fn long_deltas() {
        let mut out = Vec::new();
        write_delta(16387, &mut out).expect("a vector takes everything");
        assert_eq!(out, [0x83, 0x80, 0x01]);
    }
}
