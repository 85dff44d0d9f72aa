//! Infeasible paths as sequences of blocks, of the shapes that programs have.
#![allow(dead_code)]

use hardbop_base::random::Random;
use hardbop_smt::{BitOp, Comparison, Sort, Term, Terms};

/// Builds blocks over 32-bit program variables in static single assignment.
pub struct Maker {
    pub terms: Terms,
    pub blocks: Vec<Term>,
    now: Vec<u32>,
    names: Vec<String>,
    width: u32,
}

impl Maker {
    pub fn new(names: &[&str], width: u32) -> Self {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        let now = vec![0; names.len()];
        Self { terms: Terms::new(), blocks: Vec::new(), now, names, width }
    }

    /// The current copy of a variable.
    pub fn get(&mut self, v: usize) -> Term {
        let symbol = self.terms.symbol(&self.names[v], Sort::Bits(self.width));
        self.terms.instance(symbol, self.now[v])
    }

    /// The next copy of a variable, which becomes the current one.
    pub fn next(&mut self, v: usize) -> Term {
        self.now[v] += 1;
        self.get(v)
    }

    pub fn number(&mut self, k: u64) -> Term {
        self.terms.bits(self.width, k)
    }

    pub fn plus(&mut self, a: Term, k: u64) -> Term {
        let k = self.number(k);
        self.terms.binary(BitOp::Add, a, k)
    }

    pub fn is(&mut self, a: Term, k: u64) -> Term {
        let k = self.number(k);
        self.terms.equal(a, k)
    }

    /// `v := e`, as a formula.
    pub fn assign(&mut self, v: usize, e: Term) -> Term {
        let next = self.next(v);
        self.terms.equal(next, e)
    }

    pub fn block(&mut self, all: &[Term]) {
        let block = self.terms.and(all);
        self.blocks.push(block);
    }

    /// A choice that nobody knows.
    pub fn input(&mut self) -> Term {
        let symbol = self.terms.fresh("input", Sort::Bool);
        self.terms.instance(symbol, 0)
    }

    fn start(&mut self, values: &[u64]) {
        let mut all = Vec::new();
        for (v, &k) in values.iter().enumerate() {
            let x = self.get(v);
            all.push(self.is(x, k));
        }
        self.block(&all);
    }
}

/// Two counters in step.
pub fn assignments(n: usize) -> Maker {
    let mut m = Maker::new(&["x", "y"], 32);
    m.start(&[0, 0]);
    for _ in 0..n {
        let mut all = Vec::new();
        for v in 0..2 {
            let old = m.get(v);
            let new = m.plus(old, 1);
            all.push(m.assign(v, new));
        }
        m.block(&all);
    }
    let (x, y) = (m.get(0), m.get(1));
    let different = m.terms.distinct(x, y);
    m.block(&[different]);
    m
}

/// A lock is taken and released, among other work.
pub fn lock(n: usize) -> Maker {
    let mut m = Maker::new(&["lock", "work"], 32);
    m.start(&[0, 7]);
    for k in 0..n {
        let (lock, work) = (m.get(0), m.get(1));
        let expected = m.is(lock, (k % 2) as u64);
        let flag = m.number(1 - (k % 2) as u64);
        let taken = m.assign(0, flag);
        let more = m.plus(work, 3);
        let worked = m.assign(1, more);
        m.block(&[expected, taken, worked]);
    }
    let lock = m.get(0);
    let wrong = m.is(lock, 1 - (n % 2) as u64);
    m.block(&[wrong]);
    m
}

/// Large blocks of two branches; in the harder ones only the sum is the same on both.
pub fn diamonds(n: usize, harder: bool) -> Maker {
    let mut m = Maker::new(&["x", "y"], 32);
    m.start(&[0, 0]);
    for _ in 0..n {
        let (x, y) = (m.get(0), m.get(1));
        let (new_x, new_y) = (m.next(0), m.next(1));
        let c = m.input();
        let not_c = m.terms.not(c);
        let mut branches = Vec::new();
        for (guard, (a, b)) in [c, not_c]
            .into_iter()
            .zip([(1, if harder { 2 } else { 1 }), (2, if harder { 1 } else { 2 })])
        {
            let (a, b) = (m.plus(x, a), m.plus(y, b));
            let (a, b) = (m.terms.equal(new_x, a), m.terms.equal(new_y, b));
            branches.push(m.terms.and(&[guard, a, b]));
        }
        let block = m.terms.or(&branches);
        m.block(&[block]);
    }
    let (x, y) = (m.get(0), m.get(1));
    let wrong = if harder {
        let sum = m.terms.binary(BitOp::Add, x, y);
        let right = m.is(sum, 3 * n as u64);
        m.terms.not(right)
    } else {
        m.terms.distinct(x, y)
    };
    m.block(&[wrong]);
    m
}

/// The main loop of a protocol: each block is one turn through its switch.
pub fn machine(n: usize) -> Maker {
    let mut m = Maker::new(&["state", "blocked", "next"], 32);
    m.start(&[8464, 0, 0]);
    // State, what `blocked` is demanded to be, what it becomes, next state.
    let table: [(u64, Option<u64>, Option<u64>, u64); 8] = [
        (8464, None, None, 8496),
        (8496, Some(0), Some(1), 8512),
        (8496, None, None, 8656),
        (8512, None, None, 8656),
        (8656, Some(1), Some(2), 8672),
        (8656, Some(0), None, 8640),
        (8672, Some(2), Some(3), 8640),
        (8640, None, None, 8464),
    ];
    for _ in 0..n {
        let (state, blocked, other) = (m.get(0), m.get(1), m.get(2));
        let (state2, blocked2, other2) = (m.next(0), m.next(1), m.next(2));
        let mut branches = Vec::new();
        for (from, demanded, becomes, to) in table {
            let input = m.input();
            let mut all = vec![input, m.is(state, from), m.is(state2, to)];
            if let Some(k) = demanded {
                all.push(m.is(blocked, k));
            }
            all.push(match becomes {
                Some(k) => m.is(blocked2, k),
                None => m.terms.equal(blocked2, blocked),
            });
            let passed = m.plus(other, from);
            all.push(m.terms.equal(other2, passed));
            branches.push(m.terms.and(&all));
        }
        let block = m.terms.or(&branches);
        m.block(&[block]);
    }
    let (state, blocked) = (m.get(0), m.get(1));
    // `blocked` passes 2 before it is 3, so in state 8512 it is 1 or 3; and never more than 3.
    let (five, four) = (m.number(5), m.number(4));
    let out = m.terms.compare(Comparison::SLt, four, blocked);
    let at = m.is(state, 8640);
    let wrong = m.terms.compare(Comparison::SLt, blocked, five);
    let wrong = m.terms.not(wrong);
    let both = m.terms.and(&[at, out, wrong]);
    m.block(&[both]);
    m
}

/// Infeasible only because unsigned numbers are not negative.
pub fn unsigned() -> Maker {
    let mut m = Maker::new(&["x", "y"], 32);
    let (x, ten) = (m.get(0), m.number(10));
    let below = m.terms.compare(Comparison::ULt, x, ten);
    m.block(&[below]);
    let less = m.plus(x, 20_u64.wrapping_neg());
    let assigned = m.assign(1, less);
    m.block(&[assigned]);
    let (y, five) = (m.get(1), m.number(5));
    let wrong = m.terms.compare(Comparison::ULt, y, five);
    m.block(&[wrong]);
    m
}

/// Infeasible by bits alone: masks and parity.
pub fn bits() -> Maker {
    let mut m = Maker::new(&["x", "y"], 32);
    let (x, four) = (m.get(0), m.number(4));
    let masked = m.terms.binary(BitOp::Or, x, four);
    let assigned = m.assign(1, masked);
    m.block(&[assigned]);
    let y = m.get(1);
    let more = m.plus(y, 8);
    let assigned = m.assign(1, more);
    m.block(&[assigned]);
    let y = m.get(1);
    let masked = m.terms.binary(BitOp::And, y, four);
    let wrong = m.is(masked, 0);
    m.block(&[wrong]);
    m
}

/// A random path through assignments, havoc, conditions and diamonds; perhaps feasible.
pub fn random(random: &mut Random) -> Maker {
    let width = [3, 8, 32][random.below(3)];
    let mut m = Maker::new(&["x", "y", "z"], width);
    for _ in 0..random.range(2, 7) {
        let mut all = Vec::new();
        for _ in 0..random.range(1, 3) {
            let (v, w) = (random.below(3), random.below(3));
            let k = random.below(7) as u64;
            let (a, b) = (m.get(v), m.get(w));
            let constant = m.number(k);
            let sum = m.plus(b, k.wrapping_sub(2));
            let op = [Comparison::ULt, Comparison::SLt, Comparison::SLe][random.below(3)];
            all.push(match random.below(9) {
                0 => m.assign(v, constant),
                1 | 2 => m.assign(v, sum),
                3 => {
                    m.next(v);
                    m.terms.bool(true)
                }
                4 => {
                    let op = [BitOp::Mul, BitOp::And, BitOp::URem, BitOp::Xor][random.below(4)];
                    let e = m.terms.binary(op, b, constant);
                    m.assign(v, e)
                }
                5 => {
                    let c = m.terms.compare(op, a, b);
                    let e = m.terms.ite(c, sum, constant);
                    m.assign(v, e)
                }
                6 => m.terms.compare(op, a, constant),
                7 => m.terms.equal(a, sum),
                _ => m.terms.compare(op, sum, a),
            });
        }
        m.block(&all);
    }
    m
}
