//! Reparameterisation of relations that depend on entry values.
//!
//! Where all choices are fixed, a symbolic state is a function of the entry values.  A relation is
//! covered by a few such functions, found one at a time by SAT until none is missing; then a choice
//! among them is enough.  A choice that is merely passed to one variable is not fixed but stays
//! free, so that arbitrary values do not multiply the functions.

use rustc_hash::FxHashMap;

use crate::engine::symbolic::relation::{Means, Relation};
use hardbop_base::budget::Exhausted;
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::SatResult;
use hardbop_logic::{Aig, Input, Lit, Substitution};

/// Guard and outputs of a state, over entry values and pool choices.
#[derive(Debug, Clone)]
pub struct Branch {
    pub guard: Lit,
    pub values: Vec<Lit>,
}

impl Branch {
    /// `yes` if `test` holds, else `no`.
    pub fn join(aig: &mut Aig, test: Lit, yes: &Branch, no: &Branch) -> Branch {
        // A branch without members may take any values: it takes those of the other one.
        if yes.guard == Lit::FALSE || no.guard == Lit::FALSE {
            let (some, test) = if yes.guard == Lit::FALSE { (no, !test) } else { (yes, test) };
            let guard = aig.and(test, some.guard);
            return Branch { guard, values: some.values.clone() };
        }
        let guard = aig.ite(test, yes.guard, no.guard);
        let pairs = yes.values.iter().zip(&no.values);
        let values = pairs.map(|(&y, &n)| aig.ite(test, y, n)).collect();
        Branch { guard, values }
    }
}

/// The relation as a choice among functions of the entry values; `None` if too many are needed.
pub fn cover(
    aig: &mut Aig,
    relation: &Relation,
    pool: &mut Vec<Input>,
    means: Means,
) -> Result<Option<Branch>, Exhausted> {
    let Means { limits, backend, sat, budget, .. } = means;
    grow(aig, pool, relation.outputs.len());
    let mut solver = backend.circuit_solver();
    solver.assert(aig, relation.guard);
    let roots: Vec<Lit> = [relation.guard].into_iter().chain(relation.outputs.clone()).collect();
    let mut circuit = Circuit::new(aig, &roots);
    // Each with its outputs, then its guard.
    let mut functions: Vec<Vec<Lit>> = vec![];
    loop {
        let result = solver.solve_with(&[], Some(limits.function_conflicts), budget);
        *sat += solver.take_effort();
        match result {
            SatResult::Unsat => break,
            SatResult::Sat if functions.len() < limits.functions => {}
            SatResult::Sat | SatResult::ConflictLimit => return Ok(None),
            SatResult::Unknown(reason) => return Err(reason),
        }
        let model: FxHashMap<Input, bool> =
            relation.support.iter().map(|&i| (i, solver.value(aig, i))).collect();
        let mut map = fixed_choices(aig, relation, pool, &mut circuit, &model);
        let outputs = aig.substitute(&relation.outputs, &mut map);
        let guard = aig.substitute_one(relation.guard, &mut map);
        // Excludes what this function covers.  Free choices take the value of their output.
        let mut back = Substitution::new();
        for (&free, &output) in pool.iter().zip(&relation.outputs) {
            back.replace(aig, free, output);
        }
        let mut covered = vec![!aig.substitute_one(guard, &mut back)];
        for (&new, &old) in outputs.iter().zip(&relation.outputs) {
            let new = aig.substitute_one(new, &mut back);
            covered.push(aig.xor(new, old));
        }
        solver.assert_clause(aig, None, covered);
        functions.push(outputs.into_iter().chain([guard]).collect());
    }
    functions.sort_unstable();
    functions.dedup();
    let mut build = Build { aig, pool, used: relation.outputs.len(), memo: FxHashMap::default() };
    let mut selectors = vec![vec![]; relation.outputs.len()];
    Ok(Some(build.at(0, &functions, &mut selectors)))
}

fn grow(aig: &mut Aig, pool: &mut Vec<Input>, count: usize) {
    while pool.len() < count {
        pool.push(aig.new_input());
    }
}

/// Fixes the choices as in the model, except those merely passed to one output: for output k, these
/// become the k-th pool choice.
fn fixed_choices(
    aig: &Aig,
    relation: &Relation,
    pool: &[Input],
    circuit: &mut Circuit,
    model: &FxHashMap<Input, bool>,
) -> Substitution {
    let choices: Vec<Input> =
        relation.support.iter().copied().filter(|i| !relation.is_entry(*i)).collect();
    let mut map = Substitution::new();
    for &i in &choices {
        map.replace(aig, i, Lit::from(model[&i]));
    }
    let mut free = vec![false; relation.outputs.len()];
    for flipped in choices.chunks(63) {
        // Column 0 is the model itself; column k + 1 flips the k-th choice.
        let column: FxHashMap<Input, u32> =
            flipped.iter().zip(1..).map(|(&i, column)| (i, column)).collect();
        let words = circuit.run(|i| {
            let word = if model[&i] { !0 } else { 0 };
            word ^ column.get(&i).map_or(0, |c| 1_u64 << c)
        });
        let base = |w: u64| if w & 1 == 1 { !0 } else { 0 };
        let changes: Vec<u64> = words.iter().map(|&w| w ^ base(w)).collect();
        for (k, &i) in flipped.iter().enumerate() {
            let changed: Vec<usize> =
                (0..words.len()).filter(|&r| changes[r] >> (k + 1) & 1 == 1).collect();
            if let [root] = changed[..]
                && root > 0
                && !std::mem::replace(&mut free[root - 1], true)
            {
                let output = words[root] & 1 == 1;
                let lit = aig.input(pool[root - 1]).xor_sign(output != model[&i]);
                map.replace(aig, i, lit);
            }
        }
    }
    map
}

/// Builds a decision diagram with outputs as levels and their functions as branches.
struct Build<'a> {
    aig: &'a mut Aig,
    pool: &'a mut Vec<Input>,
    /// Pool choices in use.
    used: usize,
    memo: FxHashMap<(usize, Vec<Vec<Lit>>), Branch>,
}

impl Build<'_> {
    /// The branch for functions that agree on all outputs below `level`.
    fn at(
        &mut self,
        level: usize,
        functions: &[Vec<Lit>],
        selectors: &mut Vec<Vec<Input>>,
    ) -> Branch {
        let count = selectors.len();
        if level == count {
            let guard = self.aig.or_all(functions.iter().map(|f| f[count]));
            return Branch { guard, values: vec![Lit::FALSE; count] };
        }
        let key = (level, functions.iter().map(|f| f[level..].to_vec()).collect::<Vec<_>>());
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        // They are sorted and agree below this level, so equal ones are adjacent.
        let mut branch: Option<Branch> = None;
        for (k, same) in functions.chunk_by(|a, b| a[level] == b[level]).enumerate() {
            let mut this = self.at(level + 1, same, selectors);
            this.values[level] = same[0][level];
            branch = Some(match branch {
                None => this,
                Some(others) => {
                    let choice = self.selector(level, k - 1, selectors);
                    Branch::join(self.aig, choice, &this, &others)
                }
            });
        }
        let branch = branch.unwrap_or(Branch { guard: Lit::FALSE, values: vec![] });
        self.memo.insert(key, branch.clone());
        branch
    }

    /// The choice between the k-th and later branches; all nodes of a level share it.
    fn selector(&mut self, level: usize, k: usize, selectors: &mut [Vec<Input>]) -> Lit {
        if k == selectors[level].len() {
            grow(self.aig, self.pool, self.used + 1);
            selectors[level].push(self.pool[self.used]);
            self.used += 1;
        }
        self.aig.input(selectors[level][k])
    }
}
