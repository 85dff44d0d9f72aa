//! Reparameterisation: the same set of states with fewer choices.
//!
//! A symbolic state collects the choices of everything that led to it, although the set of states
//! that it stands for may be small.  If that set can be listed, the state is replaced by one with
//! at most one choice per variable (Chauhan, Clarke and Kroening, "A SAT-based algorithm for
//! reparameterization in symbolic simulation", DAC 2004).  Random simulation finds members of the
//! set, a SAT solver the rest, and its last answer proves the list complete.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::limits::{Limits, States};
use crate::engine::prepare::Prepared;
use crate::engine::symbolic::cover::{Branch, cover};
use crate::engine::symbolic::relation::{Means, Relation};
use crate::engine::symbolic::state::State;
use crate::engine::symbolic::table::tabulate;
use crate::language::program::ProcId;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::{Backend, Effort, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// Most entry values and outputs together, since members are 64-bit words.
const BITS: usize = 64;

/// Replaces a state's choices by a few new ones.
#[derive(Debug)]
pub struct Compactor {
    /// Choices by procedure: a state uses each of them at most once on a path, because every
    /// compaction replaces all choices of the state.
    pools: Vec<Vec<Input>>,
    random: Random,
    backend: Backend,
    limits: States,
    /// Number of inputs up to which all members are simulated.
    few_inputs: usize,
    /// Number of states replaced.
    pub compacted: u64,
    pub sat: Effort,
}

impl Compactor {
    pub fn new(procedures: usize, seed: u64, backend: Backend, limits: &Limits) -> Self {
        Self {
            pools: vec![vec![]; procedures],
            random: Random::new(seed),
            backend,
            limits: limits.states,
            few_inputs: limits.queries.few_inputs,
            compacted: 0,
            sat: Effort::default(),
        }
    }

    /// The same relation between entry values and live slots as a smaller state, if that pays off.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn compact(
        &mut self,
        aig: &mut Aig,
        prepared: &Prepared,
        procedure: ProcId,
        state: &State,
        live: &FixedBitSet,
        budget: &Budget,
    ) -> Result<Option<State>, Exhausted> {
        let small = self.limits.small_nodes;
        let relation = Relation::new(aig, prepared, state, live, small);
        let Some(relation) = relation.filter(|r| r.outputs.len() <= BITS) else { return Ok(None) };
        let node = match self.members(aig, &relation, budget)? {
            Some(members) => {
                let pool = &mut self.pools[procedure.index()];
                while pool.len() < relation.outputs.len() {
                    pool.push(aig.new_input());
                }
                let memo = FxHashMap::default();
                Build { aig, relation: &relation, pool, memo }.at(0, &members)
            }
            None if relation.choices <= relation.outputs.len() => return Ok(None),
            None if relation.bits().count() <= self.limits.table_bits => {
                let pool = &mut self.pools[procedure.index()];
                while pool.len() < relation.outputs.len() {
                    pool.push(aig.new_input());
                }
                let means = Means {
                    limits: &self.limits,
                    backend: self.backend,
                    random: &mut self.random,
                    sat: &mut self.sat,
                    budget,
                };
                match tabulate(aig, &relation, pool, means)? {
                    Some(node) => node,
                    None => return Ok(None),
                }
            }
            None => {
                let pool = &mut self.pools[procedure.index()];
                let means = Means {
                    limits: &self.limits,
                    backend: self.backend,
                    random: &mut self.random,
                    sat: &mut self.sat,
                    budget,
                };
                match cover(aig, &relation, pool, means)? {
                    Some(node) => node,
                    None => return Ok(None),
                }
            }
        };
        let mut omega = state.omega.clone();
        for slot in live.ones() {
            if let Some(k) = relation.output(state.omega[slot]) {
                omega[slot] = node.values[k].xor_sign(state.omega[slot].is_negated());
            }
        }
        let new = State { omega, guard: node.guard };
        let size = |s: &State, aig: &Aig| aig.cone(s.roots()).len();
        if size(&new, aig) * 4 > relation.cone * 3 {
            return Ok(None);
        }
        self.compacted += 1;
        Ok(Some(new))
    }

    /// All pairs of entry values and outputs, sorted; `None` if there are too many.
    fn members(
        &mut self,
        aig: &Aig,
        relation: &Relation,
        budget: &Budget,
    ) -> Result<Option<Vec<u64>>, Exhausted> {
        let mut members = FxHashSet::default();
        let most = self.limits.members;
        let roots: Vec<Lit> = [relation.guard].into_iter().chain(relation.bits()).collect();
        let mut circuit = Circuit::new(aig, &roots);
        if roots.len() - 1 > BITS {
            return Ok(None);
        }
        if circuit.input_count() <= self.few_inputs {
            let few = |members: &FxHashSet<u64>| members.len() <= most;
            let complete = circuit.every(|words| {
                collect(&words, &mut members);
                few(&members)
            });
            return Ok(complete.then(|| sorted(members)));
        }
        for _ in 0..32 {
            collect(&circuit.run(|_| self.random.bits()), &mut members);
            if members.len() > most {
                return Ok(None);
            }
        }
        let mut solver = self.backend.circuit_solver();
        solver.assert(aig, relation.guard);
        let literals: Vec<_> = relation.bits().map(|l| solver.literal(aig, l)).collect();
        let mut blocked = FxHashSet::default();
        for _ in 0..self.limits.list_calls {
            let mut fresh: Vec<u64> = members.difference(&blocked).copied().collect();
            fresh.sort_unstable();
            for m in fresh {
                let clause: Vec<_> = literals
                    .iter()
                    .enumerate()
                    .map(|(k, &l)| if m >> k & 1 == 1 { -l } else { l })
                    .collect();
                solver.add_clause(&clause);
                blocked.insert(m);
            }
            let result = solver.solve(aig, &[], budget);
            self.sat += solver.take_effort();
            match result {
                SatResult::Unsat => {
                    return Ok(Some(sorted(members)));
                }
                SatResult::Sat => {
                    // The model itself, and 63 of its neighbours.
                    let model: FxHashMap<Input, bool> =
                        relation.support.iter().map(|&i| (i, solver.value(aig, i))).collect();
                    let flips: FxHashMap<Input, u64> = relation
                        .support
                        .iter()
                        .map(|&i| {
                            (i, self.random.bits() & self.random.bits() & self.random.bits() & !1)
                        })
                        .collect();
                    let word = |i: Input| if model[&i] { !flips[&i] } else { flips[&i] };
                    collect(&circuit.run(word), &mut members);
                    if members.len() > most {
                        return Ok(None);
                    }
                }
                SatResult::Unknown(reason) => return Err(reason),
                SatResult::ConflictLimit => return Ok(None),
            }
        }
        Ok(None)
    }
}

fn sorted(members: FxHashSet<u64>) -> Vec<u64> {
    let mut members: Vec<u64> = members.into_iter().collect();
    members.sort_unstable();
    members
}

/// Adds the members under 64 assignments: the first word says where the guard holds, the others
/// hold the bits.
fn collect(words: &[u64], into: &mut FxHashSet<u64>) {
    let mut columns = words[0];
    while columns != 0 {
        let column = columns.trailing_zeros();
        columns &= columns - 1;
        let bits = words[1..].iter().enumerate();
        into.insert(bits.fold(0, |m, (k, w)| m | ((w >> column & 1) << k)));
    }
}

/// Builds a decision diagram over the members: entry values are tested, outputs are chosen.
struct Build<'a> {
    aig: &'a mut Aig,
    relation: &'a Relation,
    pool: &'a [Input],
    memo: FxHashMap<(usize, Vec<u64>), Branch>,
}

impl Build<'_> {
    /// The branch for the members that agree on all bits below `bit`.  Recursion is bounded by
    /// [`BITS`].
    fn at(&mut self, bit: usize, members: &[u64]) -> Branch {
        let entries = self.relation.entries.len();
        let count = self.relation.outputs.len();
        if members.is_empty() || bit == entries + count {
            return Branch {
                guard: Lit::from(!members.is_empty()),
                values: vec![Lit::FALSE; count],
            };
        }
        // Only the bits from `bit` on matter from here: equal suffixes share a branch.
        let key = (bit, members.iter().map(|m| m >> bit).collect::<Vec<_>>());
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        let (ones, zeros): (Vec<u64>, Vec<u64>) = members.iter().partition(|m| **m >> bit & 1 == 1);
        let branch = if bit < entries {
            let test = self.relation.entries[bit];
            let yes = self.at(bit + 1, &ones);
            let no = self.at(bit + 1, &zeros);
            Branch::join(self.aig, test, &yes, &no)
        } else if ones.is_empty() {
            self.at(bit + 1, &zeros)
        } else {
            let k = bit - entries;
            let mut yes = self.at(bit + 1, &ones);
            yes.values[k] = Lit::TRUE;
            if zeros.is_empty() {
                yes
            } else {
                let no = self.at(bit + 1, &zeros);
                let choice = self.aig.input(self.pool[k]);
                Branch::join(self.aig, choice, &yes, &no)
            }
        };
        self.memo.insert(key, branch.clone());
        branch
    }
}

#[cfg(test)]
mod tests;
