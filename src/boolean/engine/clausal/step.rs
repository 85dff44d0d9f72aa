//! One step, from the node where it starts to the clauses that do not hold after it.

use fixedbitset::FixedBitSet;

use super::candidates::{Domain, SlotLit};
use super::samples::{Meaning, Samples, holds, satisfying};
use super::scope::Scope;
use crate::base::budget::{Budget, Exhausted};
use crate::base::random::Random;
use crate::boolean::engine::limits;
use crate::solve::logic::circuit::Circuit;
use crate::solve::logic::{Aig, Input, Lit};
use crate::solve::sat::{Backend, CircuitSolver, Effort, SatLit, SatResult};

/// What is known at a node.  Invariant: the clauses hold in every state found so far; they are only
/// ever removed.
#[derive(Debug, Clone)]
pub struct Known {
    pub reached: bool,
    pub clauses: FixedBitSet,
    pub samples: Samples,
}

/// Clauses that hold, and the literals of the slots.
#[derive(Clone, Copy)]
pub struct Premise<'a> {
    pub domain: &'a Domain,
    pub known: &'a Known,
    pub lits: &'a [Lit],
}

impl Premise<'_> {
    fn assert(&self, aig: &Aig, solver: &mut CircuitSolver) {
        let mut units = FixedBitSet::with_capacity(2 * self.lits.len());
        for c in self.known.clauses.ones() {
            let clause = self.domain.clause(c);
            if let [l] = *clause {
                units.insert(l as usize);
            } else if clause.iter().any(|&l| units.contains(l as usize)) {
                continue; // units come first
            }
            solver.assert_clause(aig, None, clause.iter().map(|&l| slot_lit(self.lits, l)));
        }
    }
}

/// What is known of a step: these clauses hold after it if those of the premises hold before it.
#[derive(Debug, Default)]
pub struct Verified {
    /// By premise.
    premises: Vec<Vec<u32>>,
    clauses: Vec<u32>,
}

impl Verified {
    /// Takes the clauses out of `todo` if the premises still have theirs.
    pub fn apply(&self, premises: &[Option<&Known>], todo: &mut FixedBitSet) -> bool {
        let holds = |(ids, known): (&Vec<u32>, &Option<&Known>)| {
            known.is_some_and(|k| ids.iter().all(|&c| k.clauses.contains(c as usize)))
        };
        let stands = self.premises.iter().zip(premises).all(holds);
        if stands {
            self.clauses.iter().for_each(|&c| todo.remove(c as usize));
        }
        stands
    }

    /// Joins what else is known of the step.
    pub fn join(&mut self, other: Self) {
        self.premises.resize(self.premises.len().max(other.premises.len()), vec![]);
        self.premises.iter_mut().zip(other.premises).for_each(|(to, from)| to.extend(from));
        self.clauses.extend(other.clauses);
    }
}

/// What came of [`Step::weaken`].
#[derive(Debug, Default)]
pub struct Weakened {
    pub changed: bool,
    /// The effort of the SAT calls.
    pub effort: Effort,
    pub verified: Option<Verified>,
}

/// A step: states that satisfy the premises and the guard become `omega`.
pub struct Step<'a> {
    pub aig: &'a Aig,
    pub meanings: &'a [Meaning],
    /// The node where the step starts.
    pub before: Premise<'a>,
    /// The callee at its exit, if the step is a return.
    pub returned: Option<Premise<'a>>,
    pub guard: Lit,
    pub omega: &'a [Lit],
    /// Slots that are live after the step.
    pub live: &'a FixedBitSet,
    /// Evaluates the guard, then the live slots of `omega`.
    pub circuit: &'a mut Circuit,
    pub backend: Backend,
    pub limits: &'a limits::Clausal,
}

impl Step<'_> {
    /// The circuit of a step.
    pub fn circuit(aig: &Aig, guard: Lit, omega: &[Lit], live: &FixedBitSet) -> Circuit {
        let roots: Vec<Lit> = std::iter::once(guard).chain(live.ones().map(|s| omega[s])).collect();
        Circuit::new(aig, &roots)
    }

    /// Drops the clauses of `todo` that do not hold after the step.
    pub fn weaken(
        mut self,
        domain: &Domain,
        after: &mut Known,
        mut todo: FixedBitSet,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Weakened, Exhausted> {
        let mut changed = false;
        let mut idle = 0;
        for _ in 0..self.limits.sample_rounds {
            if idle == self.limits.idle_rounds {
                break;
            }
            let (slots, returned, valid) = self.draw(random);
            let meanings = self.meanings;
            let values = self.circuit.run(|i: Input| match meanings[i.0 as usize] {
                Meaning::Slot(s) => slots[s as usize],
                Meaning::Returned(s) => returned[s as usize],
                Meaning::Choice => random.bits(),
            });
            let dropped = self.learn(domain, after, &mut todo, random, valid, &values);
            changed |= dropped;
            idle = if dropped { 0 } else { idle + 1 };
        }
        if after.reached && todo.is_clear() {
            return Ok(Weakened { changed, ..Weakened::default() });
        }
        let mut result = self.solve(domain, after, &mut todo, random, budget)?;
        result.changed |= changed;
        Ok(result)
    }

    /// 64 states before the step.
    fn draw(&self, random: &mut Random) -> (Vec<u64>, Vec<u64>, u64) {
        let from = &self.before.known.samples;
        let Some(premise) = &self.returned else {
            return (from.words.clone(), vec![], from.valid);
        };
        // Pairs states of the caller with states of the callee; only pairs that agree are valid.
        let turn = (random.bits() % 64) as u32;
        let there = &premise.known.samples;
        let valid = from.valid & there.valid.rotate_left(turn);
        let returned: Vec<u64> = there.words.iter().map(|w| w.rotate_left(turn)).collect();
        let word = |slot: usize| self.value(premise.lits[slot], &from.words, &returned);
        let valid = satisfying(premise.domain, premise.known.clauses.ones(), word, valid, 0);
        (from.words.clone(), returned, valid)
    }

    /// The values of a literal of an input.
    fn value(&self, lit: Lit, slots: &[u64], returned: &[u64]) -> u64 {
        let word = match self.aig.as_input(lit).map(|i| self.meanings[i.0 as usize]) {
            Some(Meaning::Slot(s)) => slots[s as usize],
            Some(Meaning::Returned(s)) => returned[s as usize],
            _ => 0,
        };
        if lit.is_negated() { !word } else { word }
    }

    fn solve(
        &mut self,
        domain: &Domain,
        after: &mut Known,
        todo: &mut FixedBitSet,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Weakened, Exhausted> {
        let aig = self.aig;
        let mut solver = self.backend.circuit_solver();
        let guard = solver.literal(aig, self.guard);
        solver.add_clause(&[guard]);
        let premises: Vec<Premise> = std::iter::once(self.before).chain(self.returned).collect();
        let assert_all = |solver: &mut CircuitSolver| {
            premises.iter().for_each(|premise| premise.assert(aig, solver));
        };
        // States of the caller and of the callee may contradict each other outside of a scope.
        let complete = !after.reached || !self.has_samples();
        let mut changed = false;
        if !after.reached {
            // One state first: it and its neighbours violate most clauses.
            Scope::assert(aig, self.meanings, &mut solver, &premises);
            if !satisfiable(&mut solver, &[], budget)? {
                return Ok(Weakened { effort: solver.effort(), ..Weakened::default() });
            }
            assert_all(&mut solver);
            if !satisfiable(&mut solver, &[], budget)? {
                return Ok(Weakened { effort: solver.effort(), ..Weakened::default() });
            }
            after.reached = true;
            changed = true;
            self.neighbours(&solver, None, domain, after, todo, random);
        }
        let mut violated = self.violations(&mut solver, domain, todo);
        let mut scope = None;
        if !complete {
            scope = Some(Scope::assert(aig, self.meanings, &mut solver, &premises));
        } else if !changed {
            assert_all(&mut solver);
        }
        while !violated.is_empty() {
            let any = solver.activation();
            let clause: Vec<SatLit> = violated.iter().map(|v| v.1).chain([-any]).collect();
            solver.add_clause(&clause);
            if !satisfiable(&mut solver, &[any], budget)? {
                break;
            }
            // First the clauses that the model violates, then those that its neighbours do.
            let bad: Vec<usize> =
                violated.iter().filter(|v| solver.model(v.1)).map(|v| v.0).collect();
            for c in bad {
                todo.remove(c);
                after.clauses.remove(c);
            }
            changed = true;
            self.neighbours(&solver, scope.as_ref(), domain, after, todo, random);
            violated.retain(|v| todo.contains(v.0));
        }
        let verified = scope.map(|scope| Verified {
            premises: scope.clauses,
            clauses: todo.ones().map(|c| c as u32).collect(),
        });
        Ok(Weakened { changed, effort: solver.effort(), verified })
    }

    /// For each clause of `todo` that may be violated after the step, a literal that implies its violation.
    fn violations(
        &self,
        solver: &mut CircuitSolver,
        domain: &Domain,
        todo: &FixedBitSet,
    ) -> Vec<(usize, SatLit)> {
        let mut violated = vec![];
        for c in todo.ones() {
            let clause = domain.clause(c);
            let lits: Vec<Lit> = clause.iter().map(|&l| slot_lit(self.omega, l)).collect();
            if lits.contains(&Lit::TRUE) || lits.iter().any(|&l| lits.contains(&!l)) {
                continue;
            }
            let lits: Vec<SatLit> = lits
                .into_iter()
                .filter(|&l| l != Lit::FALSE)
                .map(|l| solver.literal(self.aig, l))
                .collect();
            let lit = match lits[..] {
                [l] => -l,
                _ => {
                    let lit = solver.activation();
                    lits.iter().for_each(|&l| solver.add_clause(&[-lit, -l]));
                    lit
                }
            };
            violated.push((c, lit));
        }
        violated
    }

    /// Whether a state is known of each node where the step starts.
    fn has_samples(&self) -> bool {
        let known = |premise: &Premise| premise.known.samples.valid != 0;
        known(&self.before) && self.returned.as_ref().is_none_or(known)
    }

    /// Takes the step from the solver's model and from states near it.  Where the solver knows a scope only, the other
    /// slots have the values of known states.
    fn neighbours(
        &mut self,
        solver: &CircuitSolver,
        scope: Option<&Scope>,
        domain: &Domain,
        after: &mut Known,
        todo: &mut FixedBitSet,
        random: &mut Random,
    ) {
        let aig = self.aig;
        let wide = |b: bool| if b { !0u64 } else { 0 };
        let mut near = |value: bool, often: bool| {
            let word = wide(value);
            // Bit 0 is the model itself.
            let mut flip = random.bits() & random.bits() & !1;
            if !often {
                flip &= random.bits() & random.bits();
            }
            word ^ flip
        };
        // Outside of a scope, values are those of a known state.
        let mut at_slot = |k: usize, premise: &Premise, s: usize| match scope {
            Some(scope) if !scope.contains(k, s) => {
                let samples = &premise.known.samples;
                wide(samples.words[s] >> samples.valid.trailing_zeros() & 1 == 1)
            }
            _ => near(aig.as_input(premise.lits[s]).is_some_and(|i| solver.value(aig, i)), false),
        };
        let before = &self.before;
        let slots: Vec<u64> = (0..before.lits.len()).map(|s| at_slot(0, before, s)).collect();
        let returned = self.returned.iter().flat_map(|p| (0..p.lits.len()).map(move |s| (p, s)));
        let returned: Vec<u64> = returned.map(|(p, s)| at_slot(1, p, s)).collect();
        // The model itself is a state, unless values of a callee were joined to it.
        let certain = u64::from(scope.is_none() || self.returned.is_none());
        let word = |s: usize| slots[s];
        let mut valid = !0;
        match (scope, &self.returned) {
            // Known states satisfy what has no slot in the scope.
            (Some(scope), None) => {
                let clauses = scope.clauses[0].iter().map(|&c| c as usize);
                valid = satisfying(before.domain, clauses, word, valid, certain);
            }
            (_, returned_premise) => {
                let clauses = before.known.clauses.ones();
                valid = satisfying(before.domain, clauses, word, valid, certain);
                if let Some(premise) = returned_premise {
                    let word = |slot: usize| self.value(premise.lits[slot], &slots, &returned);
                    let clauses = premise.known.clauses.ones();
                    valid = satisfying(premise.domain, clauses, word, valid, certain);
                }
            }
        }
        let meanings = self.meanings;
        let values = self.circuit.run(|i: Input| match meanings[i.0 as usize] {
            Meaning::Slot(s) => slots[s as usize],
            Meaning::Returned(s) => returned[s as usize],
            Meaning::Choice => near(solver.value(aig, i), true),
        });
        self.learn(domain, after, todo, random, valid, &values);
    }

    /// Takes in the results of 64 steps; whether a clause was dropped or the node is newly reached.
    fn learn(
        &self,
        domain: &Domain,
        after: &mut Known,
        todo: &mut FixedBitSet,
        random: &mut Random,
        valid: u64,
        values: &[u64],
    ) -> bool {
        let valid = valid & values[0];
        if valid == 0 {
            return false;
        }
        let mut new = Samples::none(self.omega.len());
        new.valid = valid;
        for (s, &w) in self.live.ones().zip(&values[1..]) {
            new.words[s] = w;
        }
        after.samples.add(&new, random);
        let mut changed = !after.reached;
        after.reached = true;
        let bad: Vec<usize> = todo
            .ones()
            .filter(|&c| valid & !holds(domain.clause(c), &|s| new.words[s]) != 0)
            .collect();
        changed |= !bad.is_empty();
        for c in bad {
            todo.remove(c);
            after.clauses.remove(c);
        }
        changed
    }
}

fn satisfiable(
    solver: &mut CircuitSolver,
    assumptions: &[SatLit],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    match solver.solve_with(assumptions, None, budget) {
        SatResult::Sat => Ok(true),
        SatResult::Unsat | SatResult::ConflictLimit => Ok(false),
        SatResult::Unknown(e) => Err(e),
    }
}

/// A literal over slots, as a formula.
pub fn slot_lit(lits: &[Lit], l: SlotLit) -> Lit {
    lits[(l / 2) as usize].xor_sign(l % 2 == 1)
}
