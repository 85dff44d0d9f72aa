//! One step, from the node where it starts to the clauses that do not hold after it.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::candidates::{Domain, SlotLit};
use super::premises::{Known, Premise, Premises, slot_lit};
use super::samples::{Meaning, Samples, holds, satisfying};
use super::scope::Scope;
use super::trial::Trial;
use crate::engine::limits;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatLit, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// A verified step: these clauses hold after it if those of the premises hold before it.
#[derive(Debug, Default)]
pub struct Verified {
    /// The clauses before the step, by premise.
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

/// The result of [`Step::weaken`].
#[derive(Debug, Default)]
pub struct Weakened {
    pub changed: bool,
    /// The effort of the SAT calls.
    pub effort: Effort,
    pub verified: Option<Verified>,
}

/// A step: states that satisfy the premises and the guard become `omega`.
pub struct Step<'a> {
    pub premises: Premises<'a>,
    pub guard: Lit,
    pub omega: &'a [Lit],
    /// Slots that are live after the step.
    pub live: &'a FixedBitSet,
    /// Evaluates the guard, then those live slots of `omega` that are not copies of values before
    /// the step.
    pub circuit: &'a mut Circuit,
    /// Whether a state is known that passes the guard.
    pub passes: &'a mut bool,
    pub backend: Backend,
    pub limits: &'a limits::Clausal,
}

impl Step<'_> {
    /// The circuit of a step, over inputs of these meanings.
    pub fn circuit(
        aig: &Aig,
        meanings: &[Meaning],
        guard: Lit,
        omega: &[Lit],
        live: &FixedBitSet,
    ) -> Circuit {
        let computed = live.ones().map(|s| omega[s]).filter(|&lit| !is_copy(aig, meanings, lit));
        let roots: Vec<Lit> = std::iter::once(guard).chain(computed).collect();
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
        let mut changed = after.reached && self.refute(domain, after, &mut todo);
        let mut idle = 0;
        for _ in 0..self.limits.sample_rounds {
            if idle == self.limits.idle_rounds {
                break;
            }
            let (slots, returned, valid) = self.draw(random);
            let meanings = self.premises.meanings;
            let values = self.circuit.run(|i: Input| match meanings[i.0 as usize] {
                Meaning::Slot(s) => slots[s as usize],
                Meaning::Returned(s) => returned[s as usize],
                Meaning::Choice => random.bits(),
            });
            let before = (&slots[..], &returned[..]);
            let dropped = self.learn(domain, after, &mut todo, random, valid, (&values, before));
            changed |= dropped;
            idle = if dropped { 0 } else { idle + 1 };
        }
        if after.reached && todo.is_clear() {
            return Ok(Weakened { changed, ..Weakened::default() });
        }
        let mut effort = Effort::default();
        if !after.reached {
            // One state first: it and its neighbours violate most clauses.
            effort += self.reach(domain, after, &mut todo, random, budget)?;
            if !after.reached {
                return Ok(Weakened { changed, effort, verified: None });
            }
            changed = true;
        }
        changed |= self.refute(domain, after, &mut todo);
        let asked = todo.ones().filter_map(|c| Some((c, self.image(domain, c)?))).collect();
        let mut result = match self.premises.have_samples() {
            true => self.within(domain, after, (&mut todo, asked), random, budget),
            false => self.without(domain, after, (&mut todo, asked), random, budget),
        }?;
        result.changed |= changed;
        result.effort += effort;
        Ok(result)
    }

    /// Drops the clauses that say of the states before the step what some state is known to violate
    /// that passes it; whether there were any.
    fn refute(&self, domain: &Domain, after: &mut Known, todo: &mut FixedBitSet) -> bool {
        let Premises { aig, before, ref returned, .. } = self.premises;
        if returned.is_some() || !*self.passes {
            return false; // the callee need not return from that state
        }
        // The others pass the guard with any values, as far as clauses connect them.
        let guard = Scope::new(&self.premises, aig.cone_inputs([self.guard]).into_iter());
        let mut bad = vec![];
        let mut image: Vec<SlotLit> = vec![];
        for c in todo.ones() {
            let clause = domain.clause(c);
            image.clear();
            image.extend(clause.iter().map_while(|&l| {
                let lit = slot_lit(self.omega, l);
                let Some(Meaning::Slot(s)) = self.premises.meaning(lit) else { return None };
                let is_free =
                    before.known.tried.contains(s as usize) && !guard.contains(0, s as usize);
                is_free.then_some(2 * s + u32::from(lit.is_negated()))
            }));
            if image.len() < clause.len() {
                continue;
            }
            image.sort_unstable();
            if before.domain.find(&image).is_some_and(|id| !before.known.clauses.contains(id)) {
                bad.push(c);
            }
        }
        for &c in &bad {
            todo.remove(c);
            after.clauses.remove(c);
        }
        !bad.is_empty()
    }

    /// The condition before the step under which a clause holds after it; `None` if it is known to
    /// hold.
    fn image(&self, domain: &Domain, c: usize) -> Option<Vec<Lit>> {
        let mut lits: Vec<Lit> =
            domain.clause(c).iter().map(|&l| slot_lit(self.omega, l)).collect();
        if lits.contains(&Lit::TRUE) || lits.iter().any(|&l| lits.contains(&!l)) {
            return None;
        }
        lits.retain(|&l| l != Lit::FALSE);
        (!self.premises.imply(&lits)).then_some(lits)
    }

    /// 64 states before the step.
    fn draw(&self, random: &mut Random) -> (Vec<u64>, Vec<u64>, u64) {
        let from = &self.premises.before.known.samples;
        let Some(premise) = &self.premises.returned else {
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
        let word = match self.premises.meaning(lit) {
            Some(Meaning::Slot(s)) => slots[s as usize],
            Some(Meaning::Returned(s)) => returned[s as usize],
            _ => 0,
        };
        if lit.is_negated() { !word } else { word }
    }

    /// Looks for a state after the step, where none is known.
    fn reach(
        &mut self,
        domain: &Domain,
        after: &mut Known,
        todo: &mut FixedBitSet,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Effort, Exhausted> {
        let mut solver = self.solver();
        if satisfiable(&mut solver, &[], budget)? {
            self.premises.assert(&mut solver);
            if satisfiable(&mut solver, &[], budget)? {
                after.reached = true;
                self.neighbours(&solver, domain, after, todo, random);
            }
        }
        Ok(solver.effort())
    }

    /// A solver to which the guard is asserted.  With ten thousand clauses, as a ring of 32
    /// stations has, simplifying them took nine tenths of the time; drivers of 200 to 5,000
    /// variables take as long with it as without.
    fn solver(&self) -> CircuitSolver {
        let mut solver = self.backend.plain_circuit_solver();
        let guard = solver.literal(self.premises.aig, self.guard);
        solver.add_clause(&[guard]);
        solver
    }

    /// Drops the clauses that are violated, where no states are known before the step.
    fn without(
        &mut self,
        domain: &Domain,
        after: &mut Known,
        (todo, asked): (&mut FixedBitSet, Vec<(usize, Vec<Lit>)>),
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Weakened, Exhausted> {
        let mut solver = self.solver();
        self.premises.assert(&mut solver);
        let mut violated = self.violations(&mut solver, &asked);
        let mut changed = false;
        while any_violated(&mut solver, &violated, budget)? {
            // First the clauses that the model violates, then those that its neighbours do.
            for &(c, _) in violated.iter().filter(|v| solver.model(v.1)) {
                todo.remove(c);
                after.clauses.remove(c);
            }
            changed = true;
            self.neighbours(&solver, domain, after, todo, random);
            violated.retain(|v| todo.contains(v.0));
        }
        Ok(Weakened { changed, effort: solver.effort(), verified: None })
    }

    /// Drops the clauses that are violated, where states are known before the step: then only the
    /// clauses of the premises count that have a bearing on them.
    fn within(
        &mut self,
        domain: &Domain,
        after: &mut Known,
        (todo, asked): (&mut FixedBitSet, Vec<(usize, Vec<Lit>)>),
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Weakened, Exhausted> {
        if asked.is_empty() {
            return Ok(Weakened::default());
        }
        let aig = self.premises.aig;
        let roots = asked.iter().flat_map(|(_, lits)| lits.iter().copied()).chain([self.guard]);
        let cone: Vec<Input> = aig.cone_inputs(roots);
        let scope = Scope::new(&self.premises, cone.iter().copied());
        let mut trial = Trial::new(&self.premises, &scope, self.guard, &cone, &asked);
        let mut effort = Effort::default();
        let mut bad: Vec<usize> = vec![];
        if trial.evaluations() <= self.limits.evaluations {
            trial.everything();
        } else {
            let mut solver = self.solver();
            scope.assert(&self.premises, &mut solver);
            let mut violated = self.violations(&mut solver, &asked);
            loop {
                let found: FxHashSet<usize> = trial.violated().chain(bad.iter().copied()).collect();
                violated.retain(|v| !found.contains(&v.0));
                if !any_violated(&mut solver, &violated, budget)? {
                    break;
                }
                bad.extend(violated.iter().filter(|v| solver.model(v.1)).map(|v| v.0));
                trial.near(|i| solver.value(aig, i), random);
            }
            effort = solver.effort();
        }
        bad.extend(trial.violated());
        let changed = !bad.is_empty();
        for c in bad {
            todo.remove(c);
            after.clauses.remove(c);
        }
        // Values of a callee are joined to those of its caller; together they need not be a state.
        let is_certain = self.premises.returned.is_none();
        for witness in trial.witnesses() {
            let valid = (if is_certain { witness.valid } else { 0 }, witness.valid);
            let value = |i: Input| witness.value(i);
            self.follow(value, Some(&scope), valid, (domain, after, &mut *todo), random);
        }
        // The others hold because of single clauses, which need not be in the scope.
        let clauses = asked.iter().map(|a| a.0).filter(|&c| todo.contains(c));
        let clauses = clauses.map(|c| c as u32).collect();
        let verified = Some(Verified { premises: scope.clauses, clauses });
        Ok(Weakened { changed, effort, verified })
    }

    /// A literal for each clause that implies its violation.
    fn violations(
        &self,
        solver: &mut CircuitSolver,
        asked: &[(usize, Vec<Lit>)],
    ) -> Vec<(usize, SatLit)> {
        let mut violated = vec![];
        for (c, image) in asked {
            let lits: Vec<SatLit> =
                image.iter().map(|&l| solver.literal(self.premises.aig, l)).collect();
            let lit = match lits[..] {
                [l] => -l,
                _ => {
                    let lit = solver.activation();
                    lits.iter().for_each(|&l| solver.add_clause(&[-lit, -l]));
                    lit
                }
            };
            violated.push((*c, lit));
        }
        violated
    }

    /// Takes the step from the solver's model and from states near it.
    fn neighbours(
        &mut self,
        solver: &CircuitSolver,
        domain: &Domain,
        after: &mut Known,
        todo: &mut FixedBitSet,
        random: &mut Random,
    ) {
        let (aig, meanings) = (self.premises.aig, self.premises.meanings);
        let mut flips = Random::new(random.bits());
        let near = |i: Input| {
            let word = if solver.value(aig, i) { !0u64 } else { 0 };
            // Bit 0 is the model itself.
            let mut flip = flips.bits() & flips.bits() & !1;
            if meanings[i.0 as usize] != Meaning::Choice {
                flip &= flips.bits() & flips.bits();
            }
            Some(word ^ flip)
        };
        self.follow(near, None, (1, !0), (domain, after, todo), random);
    }

    /// Takes the step from those of 64 states that are `valid`; of them, some are `certain` to be
    /// known to be so.  Slots outside of a scope have the values of known states; choices without a
    /// value are random.
    fn follow(
        &mut self,
        mut value: impl FnMut(Input) -> Option<u64>,
        scope: Option<&Scope>,
        (certain, mut valid): (u64, u64),
        (domain, after, todo): (&Domain, &mut Known, &mut FixedBitSet),
        random: &mut Random,
    ) {
        let Premises { aig, meanings, before, returned, .. } = &self.premises;
        let wide = |b: bool| if b { !0u64 } else { 0 };
        let mut at_slot = |k: usize, premise: &Premise, s: usize| match scope {
            Some(scope) if !scope.contains(k, s) => {
                let samples = &premise.known.samples;
                wide(samples.words[s] >> samples.valid.trailing_zeros() & 1 == 1)
            }
            _ => aig.as_input(premise.lits[s]).and_then(&mut value).unwrap_or(0),
        };
        let slots: Vec<u64> = (0..before.lits.len()).map(|s| at_slot(0, before, s)).collect();
        let inner = returned.iter().flat_map(|p| (0..p.lits.len()).map(move |s| (p, s)));
        let inner: Vec<u64> = inner.map(|(p, s)| at_slot(1, p, s)).collect();
        let word = |s: usize| slots[s];
        match (scope, returned) {
            // Known states satisfy what has no slot in the scope.
            (Some(scope), None) => {
                let clauses = scope.clauses[0].iter().map(|&c| c as usize);
                valid = satisfying(before.domain, clauses, word, valid, certain);
            }
            (_, returned) => {
                let clauses = before.known.clauses.ones();
                valid = satisfying(before.domain, clauses, word, valid, certain);
                if let Some(premise) = returned {
                    let word = |slot: usize| self.value(premise.lits[slot], &slots, &inner);
                    let clauses = premise.known.clauses.ones();
                    valid = satisfying(premise.domain, clauses, word, valid, certain);
                }
            }
        }
        let values = self.circuit.run(|i: Input| match meanings[i.0 as usize] {
            Meaning::Slot(s) => slots[s as usize],
            Meaning::Returned(s) => inner[s as usize],
            Meaning::Choice => value(i).unwrap_or_else(|| random.bits()),
        });
        let before = (&slots[..], &inner[..]);
        self.learn(domain, after, todo, random, valid, (&values, before));
    }

    /// Takes in the results of 64 steps; whether a clause was dropped or the node is newly reached.
    fn learn(
        &mut self,
        domain: &Domain,
        after: &mut Known,
        todo: &mut FixedBitSet,
        random: &mut Random,
        valid: u64,
        (values, (slots, returned)): (&[u64], (&[u64], &[u64])),
    ) -> bool {
        let valid = valid & values[0];
        if valid == 0 {
            return false;
        }
        *self.passes = true;
        let mut new = Samples::none(self.omega.len());
        new.valid = valid;
        let Premises { aig, meanings, .. } = self.premises;
        let mut computed = values[1..].iter();
        for s in self.live.ones() {
            let lit = self.omega[s];
            let word = match is_copy(aig, meanings, lit) {
                true => Some(self.value(lit, slots, returned)),
                false => computed.next().copied(),
            };
            new.words[s] = word.unwrap_or_default();
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

/// Whether a literal is the value of a slot before the step.
fn is_copy(aig: &Aig, meanings: &[Meaning], lit: Lit) -> bool {
    aig.as_input(lit).is_some_and(|i| meanings[i.0 as usize] != Meaning::Choice)
}

/// Whether one of these literals can be true.
fn any_violated(
    solver: &mut CircuitSolver,
    violated: &[(usize, SatLit)],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    if violated.is_empty() {
        return Ok(false);
    }
    let any = solver.activation();
    let clause: Vec<SatLit> = violated.iter().map(|v| v.1).chain([-any]).collect();
    solver.add_clause(&clause);
    satisfiable(solver, &[any], budget)
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
