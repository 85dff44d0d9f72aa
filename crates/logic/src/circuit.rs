//! Part of a graph, laid out for many evaluations.

use rustc_hash::FxHashMap;

use super::aig::{Aig, Input, Lit, Node};

/// The cone of some roots; it can evaluate 64 assignments at once without hashing.
#[derive(Debug, Clone)]
pub struct Circuit {
    inputs: Vec<(u32, Input)>,
    /// Position of an and-gate, and its children.
    gates: Vec<(u32, Edge, Edge)>,
    roots: Vec<Edge>,
    values: Vec<u64>,
}

/// Twice a position, plus one where negated.
type Edge = u32;

/// All assignments of six inputs, in one word each: assignment k gives input i the i-th bit of k.
pub const MASKS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl Circuit {
    pub fn new(aig: &Aig, roots: &[Lit]) -> Self {
        let cone = aig.cone(roots.iter().copied());
        let mut position: FxHashMap<usize, u32> = FxHashMap::default();
        position.reserve(cone.len() + 1);
        position.insert(0, 0);
        let (mut inputs, mut gates) = (vec![], vec![]);
        let edge = |position: &FxHashMap<usize, u32>, l: Lit| -> Edge {
            2 * position[&l.node()] + u32::from(l.is_negated())
        };
        for n in cone {
            // Nodes of a graph have 32-bit numbers, so this does not overflow.
            let here = position.len() as u32;
            match aig.node(n) {
                Node::False => continue,
                Node::Input(i) => inputs.push((here, i)),
                Node::And(a, b) => gates.push((here, edge(&position, a), edge(&position, b))),
            }
            position.insert(n, here);
        }
        let roots = roots.iter().map(|&r| edge(&position, r)).collect();
        Self { inputs, gates, roots, values: vec![0; position.len()] }
    }

    /// The number of nodes in the cone, including inputs.
    pub fn len(&self) -> usize {
        self.values.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inputs in the cone, in the order of the graph.
    pub fn inputs(&self) -> impl Iterator<Item = Input> + '_ {
        self.inputs.iter().map(|&(_, i)| i)
    }

    /// Number of inputs in the cone.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// The values of all roots under every assignment, 64 at once, until `each` returns false; were all assignments
    /// covered?
    pub fn every(&mut self, mut each: impl FnMut(Vec<u64>) -> bool) -> bool {
        for word in 0..1_u64 << self.inputs.len().saturating_sub(MASKS.len()) {
            let mut next = 0;
            let values = self.run(|_| {
                let i = next;
                next += 1;
                match MASKS.get(i) {
                    Some(&mask) => mask,
                    None if word >> (i - MASKS.len()) & 1 == 1 => !0,
                    None => 0,
                }
            });
            if !each(values) {
                return false;
            }
        }
        true
    }

    /// The values of all roots; `inputs(i)` gives the 64 values of input i, and is called in the order of the graph.
    pub fn run(&mut self, mut inputs: impl FnMut(Input) -> u64) -> Vec<u64> {
        for &(at, i) in &self.inputs {
            self.values[at as usize] = inputs(i);
        }
        for &(at, a, b) in &self.gates {
            self.values[at as usize] = self.of(a) & self.of(b);
        }
        self.roots.iter().map(|&r| self.of(r)).collect()
    }

    fn of(&self, edge: Edge) -> u64 {
        let v = self.values[(edge / 2) as usize];
        if edge % 2 == 1 { !v } else { v }
    }
}
