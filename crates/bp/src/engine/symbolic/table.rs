//! Reparameterisation by truth table.
//!
//! A relation between few entry values and outputs, however many choices it has, is written out in
//! full: random simulation finds most members, a SAT solver those that simulation misses, and its
//! last answer proves the table complete.  Read as a decision diagram (entry values are tested,
//! outputs are chosen), it needs one choice per output.

use rustc_hash::FxHashMap;

use crate::engine::symbolic::cover::Branch;
use crate::engine::symbolic::relation::{Means, Relation};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::SatResult;
use hardbop_logic::{Aig, Input, Lit};

/// The members, as numbers: the first entry value is the highest bit, the last output the lowest.
struct Table {
    words: Vec<u64>,
    bits: usize,
}

impl Table {
    fn new(bits: usize) -> Self {
        Self { words: vec![0; (1_usize << bits).div_ceil(64)], bits }
    }

    /// Adds members under 64 assignments (first word: the guard; then the bits).  Returns a mask of
    /// the new ones.
    fn add(&mut self, values: &[u64]) -> u64 {
        let mut columns = values[0];
        let mut new = 0;
        while columns != 0 {
            let column = columns.trailing_zeros();
            columns &= columns - 1;
            let member = values[1..].iter().fold(0, |m, w| m << 1 | (w >> column & 1) as usize);
            let (word, bit) = (&mut self.words[member / 64], 1 << (member % 64));
            if *word & bit == 0 {
                *word |= bit;
                new |= 1 << column;
            }
        }
        new
    }

    /// Folds the table as a decision diagram, visiting each node once: `join(bit, one, zero)` tests
    /// a bit (counted from the first entry value), `leaf` says whether a row is a member.
    fn fold<T: Clone>(
        &self,
        leaf: impl Fn(bool) -> T,
        mut join: impl FnMut(usize, &T, &T) -> T,
    ) -> T {
        let mut nodes: Vec<T> = vec![leaf(false), leaf(true)];
        let mut row: Vec<u32> = (0..1_usize << self.bits)
            .map(|m| (self.words[m / 64] >> (m % 64) & 1) as u32)
            .collect();
        for bit in (0..self.bits).rev() {
            let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            row = row
                .chunks_exact(2)
                .map(|pair| {
                    *known.entry((pair[1], pair[0])).or_insert_with(|| {
                        let (one, zero) = (&nodes[pair[1] as usize], &nodes[pair[0] as usize]);
                        let node = join(bit, one, zero);
                        nodes.push(node);
                        nodes.len() as u32 - 1
                    })
                })
                .collect();
        }
        nodes[row[0] as usize].clone()
    }
}

/// Collects members by local search.
struct Walk<'a> {
    budget: &'a Budget,
    circuit: &'a mut Circuit,
    table: Table,
    /// Assignments that gave new members, by input of the circuit; their neighbours are tried next.
    found: Vec<Vec<bool>>,
    runs: usize,
    /// Gates that may be evaluated, 64 times each.
    gates: usize,
}

impl Walk<'_> {
    /// Adds the members under 64 assignments; returns whether any was new.
    fn run(&mut self, mut word: impl FnMut(Input) -> u64) -> Result<bool, Exhausted> {
        self.budget.check()?;
        let mut words = vec![];
        let values = self.circuit.run(|i| {
            words.push(word(i));
            words[words.len() - 1]
        });
        self.runs += 1;
        let mut new = self.table.add(&values);
        let any = new != 0;
        while new != 0 {
            let column = new.trailing_zeros();
            new &= new - 1;
            self.found.push(words.iter().map(|w| w >> column & 1 == 1).collect());
        }
        Ok(any)
    }

    /// Flips single inputs of the assignments found, as long as that gives new members.
    fn explore(&mut self) -> Result<(), Exhausted> {
        while let Some(base) = self.found.pop() {
            for first in (0..base.len()).step_by(64) {
                let mut k = 0;
                self.run(|_| {
                    let word = if base[k] { !0 } else { 0 };
                    let flip = if k >= first && k < first + 64 { 1 << (k - first) } else { 0 };
                    k += 1;
                    word ^ flip
                })?;
            }
            if self.is_spent() {
                self.found.clear();
            }
        }
        Ok(())
    }

    fn is_spent(&self) -> bool {
        self.runs * self.circuit.len() > self.gates
    }
}

/// The relation with one choice of the pool per output; `None` if completing the table takes too
/// long.
///
/// # Errors
/// If the budget is exhausted.
pub fn tabulate(
    aig: &mut Aig,
    relation: &Relation,
    pool: &[Input],
    means: Means,
) -> Result<Option<Branch>, Exhausted> {
    let Means { limits, backend, random, sat, budget } = means;
    let bits: Vec<Lit> = relation.bits().collect();
    let roots: Vec<Lit> = [relation.guard].into_iter().chain(bits.iter().copied()).collect();
    let mut circuit = Circuit::new(aig, &roots);
    let mut walk = Walk {
        budget,
        circuit: &mut circuit,
        table: Table::new(bits.len()),
        found: vec![],
        runs: 0,
        gates: limits.table_gates,
    };
    let mut idle = 0;
    while idle < limits.table_idle {
        let new = walk.run(|_| random.bits())?;
        idle = if new { 0 } else { idle + 1 };
    }
    walk.explore()?;
    let mut solver = backend.circuit_solver();
    solver.assert(aig, relation.guard);
    for _ in 0..limits.table_calls {
        let listed = walk.table.fold(Lit::from, |bit, &one, &zero| aig.ite(bits[bit], one, zero));
        let missing = solver.literal(aig, !listed);
        let result = solver.solve_with(&[missing], Some(limits.table_conflicts), budget);
        *sat += solver.take_effort();
        match result {
            SatResult::Unsat => return Ok(Some(branch(aig, relation, pool, &walk.table))),
            SatResult::Unknown(reason) => return Err(reason),
            SatResult::ConflictLimit => return Ok(None),
            SatResult::Sat => {}
        }
        walk.run(|i| if solver.value(aig, i) { !0 } else { 0 })?;
        walk.explore()?;
        if walk.is_spent() {
            return Ok(None);
        }
    }
    Ok(None)
}

fn branch(aig: &mut Aig, relation: &Relation, pool: &[Input], table: &Table) -> Branch {
    let count = relation.outputs.len();
    let entries = table.bits - count;
    let leaf = |member| Branch { guard: Lit::from(member), values: vec![Lit::FALSE; count] };
    table.fold(leaf, |bit, one, zero| {
        if bit < entries {
            return Branch::join(aig, relation.entries[bit], one, zero);
        }
        let k = bit - entries;
        let mut one = one.clone();
        one.values[k] = Lit::TRUE;
        let mut choice = aig.input(pool[k]);
        // Whether a value is possible depends on earlier choices; here, they leave only one.
        if zero.guard == Lit::FALSE {
            choice = Lit::TRUE;
        } else if one.guard == Lit::FALSE {
            choice = Lit::FALSE;
        }
        match choice {
            Lit::TRUE => one,
            Lit::FALSE => zero.clone(),
            _ => Branch::join(aig, choice, &one, zero),
        }
    })
}
