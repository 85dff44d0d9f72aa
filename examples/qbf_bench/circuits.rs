//! Random circuit queries; the same seed gives the same queries.

use hardbop_logic::{Aig, Input, Lit};
use hardbop_qbf::ForallExists;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A literal of the pool; the youngest half is preferred, so circuits get deep.
    fn pick(&mut self, pool: &[Lit]) -> Lit {
        let n = pool.len();
        let i = if self.flip() { n / 2 + self.below(n - n / 2) } else { self.below(n) };
        pool[i].xor_sign(self.flip())
    }

    /// Adds random gates to the pool until the graph has grown by so many nodes.
    fn gates(&mut self, aig: &mut Aig, pool: &mut Vec<Lit>, gates: usize) {
        let end = aig.len() + gates;
        while aig.len() < end {
            let l = self.gate(aig, pool);
            if !l.is_constant() {
                pool.push(l);
            }
        }
    }

    /// Adds so many random gates, the same ones over whatever leaves.
    fn gates_exactly(&mut self, aig: &mut Aig, pool: &mut Vec<Lit>, gates: usize) {
        for _ in 0..gates {
            let l = self.gate(aig, pool);
            pool.push(l);
        }
    }

    fn gate(&mut self, aig: &mut Aig, pool: &[Lit]) -> Lit {
        let (a, b, c) = (self.pick(pool), self.pick(pool), self.pick(pool));
        match self.below(6) {
            0 | 1 => aig.and(a, b),
            2 | 3 => aig.or(a, b),
            4 => aig.xor(a, b),
            _ => aig.ite(a, b, c),
        }
    }
}

fn inputs(aig: &mut Aig, n: usize) -> (Vec<Input>, Vec<Lit>) {
    let inputs: Vec<Input> = (0..n).map(|_| aig.new_input()).collect();
    let lits = inputs.iter().map(|&i| aig.input(i)).collect();
    (inputs, lits)
}

/// How queries are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// One circuit over all inputs: are there inputs Y for every X that make some outputs true?
    Circuit,
    /// Two unrelated circuits: is every output vector of one an output vector of the other?
    Random,
    /// The same, but the new circuit is the old one after another circuit: f(x) = g(h(x)).
    Composed,
    /// As `Composed`, but one output differs in one gate.
    Broken,
    /// An old summary that merges two cases under a selector; the new one is one of them.
    Merged,
    /// The same, but the new one is either of them, by a condition of its own.
    Mixed,
    /// As `Merged`, but the new one differs in one gate.
    Mutated,
    /// Equation 8 on path edges: entry variables are bare inputs on both sides, outputs are
    /// circuits over them and inner choices; the new edge specialises some choices of the old.
    PathEdge,
}

pub const FAMILIES: [Family; 8] = [
    Family::Circuit,
    Family::Random,
    Family::Composed,
    Family::Broken,
    Family::Merged,
    Family::Mixed,
    Family::Mutated,
    Family::PathEdge,
];

/// A query of about so many gates.
pub fn query(family: Family, gates: usize, seed: u64) -> (Aig, ForallExists) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut aig = Aig::new();
    let width = 4 + gates.isqrt();
    let mut query = ForallExists::default();
    match family {
        Family::Circuit => {
            let (_, mut pool) = inputs(&mut aig, width);
            let (ys, y_lits) = inputs(&mut aig, width);
            pool.extend(y_lits);
            random.gates(&mut aig, &mut pool, gates);
            query.existentials = ys;
            query.conclusion = (0..width / 3).map(|_| random.pick(&pool)).collect();
        }
        Family::Composed | Family::Broken => {
            let (_, xs) = inputs(&mut aig, width);
            let (ys, y_lits) = inputs(&mut aig, width);
            let mut h = xs;
            random.gates(&mut aig, &mut h, gates / 4);
            let between: Vec<Lit> = (0..width).map(|_| random.pick(&h)).collect();
            let g = random.0;
            let mut build = |leaves: Vec<Lit>| -> Vec<Lit> {
                let (mut random, mut pool) = (Random(g | 1), leaves);
                random.gates_exactly(&mut aig, &mut pool, gates / 6);
                (0..width).map(|_| random.pick(&pool)).collect()
            };
            let (mut new, old) = (build(between), build(y_lits));
            if family == Family::Broken {
                let (k, other) = (random.below(width), random.pick(&h));
                new[k] = aig.and(new[k], other);
            }
            query.existentials = ys;
            query.equalities = new.into_iter().zip(old).collect();
        }
        Family::Random => {
            let (_, mut xs) = inputs(&mut aig, width);
            let (ys, mut y_pool) = inputs(&mut aig, 2 * width);
            random.gates(&mut aig, &mut xs, gates / 2);
            random.gates(&mut aig, &mut y_pool, gates / 2);
            query.existentials = ys;
            query.premise.push(random.pick(&xs));
            query.conclusion.push(random.pick(&y_pool));
            for _ in 0..width / 2 {
                query.equalities.push((random.pick(&xs), random.pick(&y_pool)));
            }
        }
        Family::Merged | Family::Mixed | Family::Mutated => {
            // A summary: values of variables over choices.
            let build = |aig: &mut Aig, seed: u64, gates: usize, leaves: &[Lit]| -> Vec<Lit> {
                let mut random = Random(seed | 1);
                let mut pool = leaves.to_vec();
                random.gates(aig, &mut pool, gates);
                (0..width).map(|_| random.pick(&pool)).collect()
            };
            let (first, second) = (random.0 ^ 0xABCD, random.0 ^ 0x1234_5678);
            let (_, xs) = inputs(&mut aig, width);
            let (a_in, a) = inputs(&mut aig, width);
            let (b_in, b) = inputs(&mut aig, width);
            let (c_in, c) = inputs(&mut aig, 1);
            let mut new = build(&mut aig, first, gates / 3, &xs);
            if family == Family::Mixed {
                let other = build(&mut aig, second, gates / 3, &xs);
                let condition = aig.xor(xs[0], xs[1]);
                for (value, other) in new.iter_mut().zip(other) {
                    *value = aig.ite(condition, *value, other);
                }
            }
            let old_a = build(&mut aig, first, gates / 3, &a);
            let old_b = build(&mut aig, second, gates / 3, &b);
            query.existentials = [a_in, b_in, c_in].concat();
            let changed = random.below(width);
            for k in 0..width {
                let merged = aig.ite(c[0], old_a[k], old_b[k]);
                let mut value = new[k];
                if family == Family::Mutated && k == changed {
                    let other = random.pick(&new);
                    value = aig.and(value, other);
                }
                query.equalities.push((value, merged));
            }
        }
        Family::PathEdge => {
            let (_, entry1) = inputs(&mut aig, width);
            let (_, choice1) = inputs(&mut aig, width);
            let (entry_in, entry2) = inputs(&mut aig, width);
            let (choice_in, choice2) = inputs(&mut aig, width);
            query.existentials = [entry_in, choice_in].concat();
            let structure = random.0 ^ 0x5555;
            let mut build = |entry: &[Lit], choice: &[Lit]| -> Vec<Lit> {
                let mut random = Random(structure | 1);
                let mut pool = [entry, choice].concat();
                random.gates(&mut aig, &mut pool, gates / 2);
                (0..=width).map(|_| random.pick(&pool)).collect()
            };
            // The new edge has some of its choices replaced by others of them.
            let mut special = choice1.clone();
            for k in 0..width / 2 {
                special[k] = choice1[(k + 1) % width].xor_sign(random.flip());
            }
            let new = build(&entry1, &special);
            let old = build(&entry2, &choice2);
            query.premise.push(new[width]);
            query.conclusion.push(old[width]);
            query.equalities.extend(entry1.iter().copied().zip(entry2));
            query.equalities.extend(new.into_iter().zip(old).take(width));
        }
    }
    (aig, query)
}
