//! Random simulation of 64 assignments at once.

use hardbop_base::random::Random;
use hardbop_logic::{Aig, Lit, Node};

/// Looks for values of the inputs for which every conjunct of `premise` is true and `goal` is false, in so many rounds.
pub(super) fn counterexample(
    random: &mut Random,
    rounds: usize,
    aig: &Aig,
    premise: &[Lit],
    goal: Lit,
) -> Option<Vec<bool>> {
    let mut value = vec![0_u64; aig.len()];
    for _ in 0..rounds {
        for n in 0..aig.len() {
            value[n] = match aig.node(n) {
                Node::False => 0,
                Node::Input(_) => random.bits(),
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

/// The values of a literal, computed from those of the nodes.
fn read(value: &[u64], l: Lit) -> u64 {
    let v = value[l.node()];
    if l.is_negated() { !v } else { v }
}
