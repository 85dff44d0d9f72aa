//! The AIGER 1.9 format (Biere) for combinational circuits, ASCII and binary.
//!
//! Only the cone of the outputs is written.  Inputs keep their order; the name of each is its number in the graph.

use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::aig::{Aig, Input, Lit, Node};

/// Writes `outputs` in the ASCII variant (`aag`).
///
/// # Errors
/// If writing to `out` fails.
pub fn write_ascii(aig: &Aig, outputs: &[Lit], out: &mut impl Write) -> io::Result<()> {
    let circuit = Circuit::new(aig, outputs);
    writeln!(out, "aag {}", circuit.header())?;
    for k in 1..=circuit.inputs.len() {
        writeln!(out, "{}", 2 * k)?;
    }
    for l in &circuit.outputs {
        writeln!(out, "{l}")?;
    }
    for (k, (a, b)) in circuit.ands.iter().enumerate() {
        writeln!(out, "{} {a} {b}", 2 * (circuit.inputs.len() + 1 + k))?;
    }
    circuit.write_symbols(out)
}

/// Writes `outputs` in the binary variant (`aig`).
///
/// # Errors
/// If writing to `out` fails.
pub fn write_binary(aig: &Aig, outputs: &[Lit], out: &mut impl Write) -> io::Result<()> {
    let circuit = Circuit::new(aig, outputs);
    writeln!(out, "aig {}", circuit.header())?;
    for l in &circuit.outputs {
        writeln!(out, "{l}")?;
    }
    for (k, &(a, b)) in circuit.ands.iter().enumerate() {
        let lhs = 2 * (circuit.inputs.len() + 1 + k);
        write_delta(lhs - a, out)?;
        write_delta(a - b, out)?;
    }
    circuit.write_symbols(out)
}

/// Seven bits in a byte, the lowest first; the top bit says that more follow.
fn write_delta(mut delta: usize, out: &mut impl Write) -> io::Result<()> {
    while delta >= 0x80 {
        out.write_all(&[(delta & 0x7f) as u8 | 0x80])?;
        delta >>= 7;
    }
    out.write_all(&[delta as u8])
}

/// The cone in AIGER's numbering: inputs, then ands, children first.
struct Circuit {
    inputs: Vec<Input>,
    /// Children, the larger one first.
    ands: Vec<(usize, usize)>,
    outputs: Vec<usize>,
}

impl Circuit {
    fn new(aig: &Aig, outputs: &[Lit]) -> Self {
        let inputs = aig.support(outputs.iter().copied());
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        number.insert(0, 0);
        for (k, &i) in inputs.iter().enumerate() {
            number.insert(aig.input(i).node(), k + 1);
        }
        let of = |number: &FxHashMap<usize, usize>, l: Lit| {
            2 * number[&l.node()] + usize::from(l.is_negated())
        };
        let mut ands = Vec::new();
        for n in aig.cone(outputs.iter().copied()) {
            if let Node::And(a, b) = aig.node(n) {
                let (a, b) = (of(&number, a), of(&number, b));
                ands.push((a.max(b), a.min(b)));
                number.insert(n, inputs.len() + ands.len());
            }
        }
        let outputs = outputs.iter().map(|&l| of(&number, l)).collect();
        Self { inputs, ands, outputs }
    }

    fn header(&self) -> String {
        let (i, a) = (self.inputs.len(), self.ands.len());
        format!("{} {i} 0 {} {a}", i + a, self.outputs.len())
    }

    fn write_symbols(&self, out: &mut impl Write) -> io::Result<()> {
        for (k, i) in self.inputs.iter().enumerate() {
            writeln!(out, "i{k} x{}", i.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn long_deltas() {
        let mut out = Vec::new();
        write_delta(16387, &mut out).expect("a vector takes everything");
        assert_eq!(out, [0x83, 0x80, 0x01]);
    }
}
