//! Random simulation of 64 assignments at once.

use crate::logic::{Aig, Lit, Node};

/// How many times 64 assignments are tried.
const ROUNDS: usize = 16;

/// A deterministic source of random words (splitmix64, Steele et al. 2014).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Values of the inputs for which every conjunct of `premise` is true and `goal` is false.
    pub fn counterexample(&mut self, aig: &Aig, premise: &[Lit], goal: Lit) -> Option<Vec<bool>> {
        let mut value = vec![0_u64; aig.len()];
        for _ in 0..ROUNDS {
            for n in 0..aig.len() {
                value[n] = match aig.node(n) {
                    Node::False => 0,
                    Node::Input(_) => self.word(),
                    Node::And(a, b) => read(&value, a) & read(&value, b),
                };
            }
            let hit = premise.iter().fold(!read(&value, goal), |hit, &l| hit & read(&value, l));
            if hit != 0 {
                let column = hit.trailing_zeros();
                let mut inputs = vec![false; aig.input_count()];
                for (n, v) in value.iter().enumerate() {
                    if let Node::Input(i) = aig.node(n) {
                        inputs[i.0 as usize] = (v >> column) & 1 == 1;
                    }
                }
                return Some(inputs);
            }
        }
        None
    }
}

/// The values of a literal, from those of the nodes.
fn read(value: &[u64], l: Lit) -> u64 {
    let v = value[l.node()];
    if l.is_negated() { !v } else { v }
}
