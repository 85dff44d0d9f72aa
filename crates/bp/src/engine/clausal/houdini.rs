//! The fixpoint: clauses that a step does not preserve are dropped until the rest are inductive.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::{Domain, SlotLit, candidates};
use super::premises::{Known, Premise, Premises};
use super::samples::{Meaning, Samples, meanings};
use super::step::{Step, Verified, Weakened};
use crate::engine::limits;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::facts::{Clauses, Facts, NodeFacts, ProcedureFacts};
use crate::language::program::{NodeId, ProcId};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::{Backend, Effort};
use hardbop_logic::{Aig, Input, Lit};

pub struct Houdini<'a> {
    prepared: &'a Prepared<'a>,
    aig: &'a Aig,
    budget: &'a Budget,
    domains: Vec<Domain>,
    known: Vec<Vec<Option<Known>>>,
    /// Inputs for a callee's values when it returns.
    returned: Vec<Vec<Input>>,
    /// The literal of each slot's value before a step, by procedure and slot.
    slots: Vec<Vec<Lit>>,
    meanings: Vec<Meaning>,
    circuits: FxHashMap<(ProcId, NodeId, (usize, usize)), Circuit>,
    verified: FxHashMap<(ProcId, NodeId, (usize, usize)), Verified>,
    /// The steps whose guards states are known to pass.
    passes: FxHashSet<(ProcId, NodeId, (usize, usize))>,
    random: Random,
    backend: Backend,
    limits: &'a limits::Clausal,
    /// The calls of each procedure that have been reached.
    callers: Vec<BTreeSet<(ProcId, NodeId)>>,
    work: BTreeSet<(Reverse<u32>, ProcId, u32, NodeId)>,
    sat: Effort,
}

impl<'a> Houdini<'a> {
    pub fn new(
        prepared: &'a Prepared<'a>,
        aig: &'a mut Aig,
        seed: u64,
        backend: Backend,
        limits: &'a limits::Clausal,
        budget: &'a Budget,
    ) -> Result<Self, Exhausted> {
        let domains = candidates(prepared, limits, budget)?;
        let program = prepared.program;
        let known = program.procedures.iter().map(|p| vec![None; p.nodes.len()]).collect();
        let returned: Vec<Vec<Input>> = program
            .procedure_ids()
            .map(|p| (0..prepared.frame(p).len()).map(|_| aig.new_input()).collect())
            .collect();
        let slots = program.procedure_ids().map(|p| match prepared.slice.procedure(p) {
            Some(_) => prepared.blocks(p).inputs.iter().map(|&i| aig.input(i)).collect(),
            None => vec![],
        });
        let meanings = meanings(prepared, aig, &returned);
        let callers = vec![BTreeSet::new(); program.procedures.len()];
        Ok(Self {
            prepared,
            aig,
            budget,
            domains,
            known,
            returned,
            slots: slots.collect(),
            meanings,
            circuits: FxHashMap::default(),
            verified: FxHashMap::default(),
            passes: FxHashSet::default(),
            random: Random::new(seed),
            backend,
            limits,
            callers,
            work: BTreeSet::new(),
            sat: Effort::default(),
        })
    }

    pub fn run(mut self) -> Result<(Facts, Effort), Exhausted> {
        let main = self.prepared.program.entry;
        if self.prepared.is_trivial() {
            return Ok((Facts::default(), Effort::default()));
        }
        let entry = self.prepared.procedure(main).entry;
        // At the start, variables may have any values.
        let nothing = FixedBitSet::with_capacity(self.domains[main.index()].len());
        let slots = self.slots[main.index()].len();
        let samples = Samples::random(slots, &mut self.random);
        let mut tried = FixedBitSet::with_capacity(slots);
        tried.insert_range(..);
        self.known[main.index()][entry.index()] =
            Some(Known { reached: true, clauses: nothing, tried, samples });
        self.schedule(main, entry);
        while let Some((_, p, _, n)) = self.work.pop_first() {
            self.budget.check()?;
            self.block(p, n)?;
            for site in 0..self.prepared.blocks(p).calls[n.index()].len() {
                self.call(p, n, site)?;
            }
        }
        let sat = self.sat;
        Ok((self.result(), sat))
    }

    fn schedule(&mut self, p: ProcId, n: NodeId) {
        let procedure = self.prepared.procedure(p);
        if n == procedure.exit {
            for &(q, m) in &self.callers[p.index()].clone() {
                self.schedule(q, m);
            }
        } else if n != procedure.error {
            let position = self.prepared.blocks(p).order.position[n.index()];
            let level = self.prepared.calls.level[p.index()];
            self.work.insert((Reverse(level), p, position, n));
        }
    }

    fn block(&mut self, p: ProcId, n: NodeId) -> Result<(), Exhausted> {
        let prepared = self.prepared;
        let Some(block) = &prepared.blocks(p).blocks[n.index()] else { return Ok(()) };
        for (index, exit) in block.exits.iter().enumerate() {
            let m = exit.target;
            let omega = &exit.state.omega;
            let live = prepared.live(p, m);
            let touched =
                self.touched(p, live.ones().filter(|&s| omega[s] != self.slots[p.index()][s]));
            self.reach(p, m);
            let (Some(here), Some(there)) = (self.known(p, n), self.known(p, m)) else { continue };
            let mut todo = there.clauses.clone();
            for c in here.clauses.ones().filter(|&c| !touched.contains(c)) {
                todo.remove(c);
            }
            self.step((p, n), None, exit.state.guard, omega, (p, m), (0, index), todo)?;
        }
        Ok(())
    }

    fn known(&self, p: ProcId, n: NodeId) -> Option<&Known> {
        self.known[p.index()][n.index()].as_ref()
    }

    /// Drops the clauses in `todo` that a step does not preserve.
    #[expect(clippy::too_many_arguments, reason = "they are what a step is")]
    fn step(
        &mut self,
        from: (ProcId, NodeId),
        returned: Option<(ProcId, &[Lit])>,
        guard: Lit,
        omega: &[Lit],
        to: (ProcId, NodeId),
        kind: (usize, usize),
        mut todo: FixedBitSet,
    ) -> Result<(), Exhausted> {
        let (p, n) = from;
        let (q, m) = to;
        let exited = returned.map(|(q, _)| (q, self.prepared.procedure(q).exit));
        let premises = [Some(from), exited].map(|at| at.and_then(|(p, n)| self.known(p, n)));
        let earlier = self.verified.get(&(p, n, kind));
        let stands = earlier.is_some_and(|v| v.apply(&premises, &mut todo));
        let Some(mut after) = self.known[q.index()][m.index()].take() else { return Ok(()) };
        if after.reached && todo.is_clear() {
            self.known[q.index()][m.index()] = Some(after);
            return Ok(());
        }
        // The step may start, or the callee exit, at the node that it leads to.
        let same = (Some(to) == exited || from == to).then(|| after.clone());
        let live = self.prepared.live(q, m);
        let circuit = self
            .circuits
            .entry((p, n, kind))
            .or_insert_with(|| Step::circuit(self.aig, &self.meanings, guard, omega, live));
        let known = |p: ProcId, n: NodeId| match (p, n) == to {
            true => same.as_ref(),
            false => self.known[p.index()][n.index()].as_ref(),
        };
        let mut result = Ok(Weakened::default());
        let mut passes = guard == Lit::TRUE || self.passes.contains(&(p, n, kind));
        if let Some(before) = known(p, n) {
            let premise =
                |p: ProcId, known, lits| Premise { domain: &self.domains[p.index()], known, lits };
            let returned = returned.and_then(|(q, lits)| {
                Some(premise(q, known(q, self.prepared.procedure(q).exit)?, lits))
            });
            let before = premise(p, before, &self.slots[p.index()]);
            let step = Step {
                premises: Premises::new(self.aig, &self.meanings, before, returned),
                guard,
                omega,
                live,
                circuit,
                passes: &mut passes,
                backend: self.backend,
                limits: self.limits,
            };
            let domain = &self.domains[q.index()];
            result = step.weaken(domain, &mut after, todo, &mut self.random, self.budget);
        }
        self.known[q.index()][m.index()] = Some(after);
        if passes {
            self.passes.insert((p, n, kind));
        }
        let Weakened { changed, effort, verified } = result?;
        self.sat += effort;
        if let Some(new) = verified {
            let all = self.verified.entry((p, n, kind)).or_default();
            if !stands {
                *all = Verified::default();
            }
            all.join(new);
        }
        if changed {
            self.schedule(q, m);
        }
        Ok(())
    }

    /// The clauses in which one of the slots occurs.
    fn touched(&self, p: ProcId, slots: impl Iterator<Item = usize>) -> FixedBitSet {
        let domain = &self.domains[p.index()];
        let mut out = FixedBitSet::with_capacity(domain.len());
        for s in slots {
            out.extend(domain.by_slot[s].iter().map(|&c| c as usize));
        }
        out
    }

    /// Gives a node its initial clauses: all candidates over variables live there.
    fn reach(&mut self, p: ProcId, n: NodeId) {
        let prepared = self.prepared;
        let domain = &self.domains[p.index()];
        self.known[p.index()][n.index()].get_or_insert_with(|| {
            let live = prepared.live(p, n);
            let procedure = prepared.procedure(p);
            let frame = prepared.frame(p);
            // Locals start with any value: at the entry only globals and formals count.
            let has_value = |slot: usize| {
                n != procedure.entry
                    || prepared.program.is_global(frame.slots[slot])
                    || procedure.formals.contains(&frame.slots[slot])
            };
            let mut tried = FixedBitSet::with_capacity(frame.len());
            tried.extend(live.ones().filter(|&slot| has_value(slot)));
            let is_tried = |c: &[SlotLit]| c.iter().all(|l| tried.contains((l / 2) as usize));
            let mut clauses = FixedBitSet::with_capacity(domain.len());
            clauses
                .extend(domain.clauses().enumerate().filter(|(_, c)| is_tried(c)).map(|(i, _)| i));
            Known { reached: false, clauses, tried, samples: Samples::none(frame.len()) }
        });
    }

    fn call(&mut self, p: ProcId, n: NodeId, index: usize) -> Result<(), Exhausted> {
        let prepared = self.prepared;
        let call = prepared.site(p, n, index);
        let q = call.callee;
        if prepared.slice.procedure(q).is_none() {
            return Ok(());
        }
        self.callers[q.index()].insert((p, n));
        self.enter(p, n, index)?;
        self.leave(p, n, index)
    }

    /// Steps to the callee's entry.
    fn enter(&mut self, p: ProcId, n: NodeId, index: usize) -> Result<(), Exhausted> {
        let prepared = self.prepared;
        let call = prepared.site(p, n, index);
        let q = call.callee;
        let entry = prepared.procedure(q).entry;
        self.reach(q, entry);
        let Some(there) = &self.known[q.index()][entry.index()] else { return Ok(()) };
        let todo = there.clauses.clone();
        let mut omega = vec![Lit::FALSE; prepared.frame(q).len()];
        for &(slot, value) in &call.arguments {
            omega[slot] = value;
        }
        for &(outer, inner) in &call.globals {
            omega[inner] = self.slots[p.index()][outer];
        }
        self.step((p, n), None, Lit::TRUE, &omega, (q, entry), (1, index), todo)
    }

    /// Steps to the node after the call.
    fn leave(&mut self, p: ProcId, n: NodeId, index: usize) -> Result<(), Exhausted> {
        let prepared = self.prepared;
        let call = prepared.site(p, n, index);
        let q = call.callee;
        let exit = prepared.procedure(q).exit;
        let Some(target) = call.target else { return Ok(()) };
        let Some(there) = &self.known[q.index()][exit.index()] else { return Ok(()) };
        if !there.reached {
            return Ok(());
        }
        let Some(modified) = prepared.slice.procedure(q).map(|s| &s.modified) else {
            return Ok(());
        };
        self.reach(p, target);
        // The callee's values at its return, then the caller's.
        let frame = prepared.frame(q);
        let mut exited: Vec<Lit> =
            self.returned[q.index()].iter().map(|&i| self.aig.input(i)).collect();
        let mut omega = self.slots[p.index()].clone();
        let mut changed = FixedBitSet::with_capacity(omega.len());
        for &(outer, inner) in &call.globals {
            if modified.contains(frame.slots[inner].index()) {
                omega[outer] = exited[inner];
                changed.insert(outer);
            } else {
                exited[inner] = omega[outer];
            }
        }
        for &(outer, inner) in &call.results {
            omega[outer] = exited[inner];
            changed.insert(outer);
        }
        let touched = self.touched(p, changed.ones());
        let (Some(here), Some(after)) =
            (&self.known[p.index()][n.index()], &self.known[p.index()][target.index()])
        else {
            return Ok(());
        };
        let mut todo = after.clauses.clone();
        for c in here.clauses.ones().filter(|&c| !touched.contains(c)) {
            todo.remove(c);
        }
        self.step((p, n), Some((q, &exited)), Lit::TRUE, &omega, (p, target), (2, index), todo)
    }

    /// The clauses that hold somewhere; the memory of what does not count any more is given back on
    /// the way.
    fn result(self) -> Facts {
        let Self { prepared, domains, known, circuits, verified, .. } = self;
        drop((circuits, verified));
        let all = prepared.program.procedure_ids().zip(known.into_iter().zip(domains));
        let procedures = all.map(|(p, (known, domain))| {
            let Some(kept) = prepared.slice.procedure(p) else {
                return ProcedureFacts::default();
            };
            let known: Vec<Option<FixedBitSet>> =
                known.into_iter().map(|k| k.filter(|k| k.reached).map(|k| k.clauses)).collect();
            let mut held = FixedBitSet::with_capacity(domain.len());
            known.iter().flatten().for_each(|clauses| held.union_with(clauses));
            let mut number = vec![0; domain.len()];
            held.ones().enumerate().for_each(|(new, old)| number[old] = new);
            let slots = &prepared.frame(p).slots;
            let named = |l: &SlotLit| 2 * slots[(l / 2) as usize].0 + l % 2;
            let mut clauses = Clauses::default();
            held.ones().for_each(|id| clauses.push(domain.clause(id).iter().map(named)));
            clauses.shrink_to_fit();
            let cut = &prepared.blocks(p).cut;
            let nodes = known
                .into_iter()
                .zip(cut.iter().zip(&kept.nodes).map(|(cut, kept)| *cut && *kept))
                .map(|(known, seen)| match known {
                    Some(known) => {
                        let mut here = FixedBitSet::with_capacity(clauses.len());
                        here.extend(known.ones().map(|old| number[old]));
                        NodeFacts::Clauses(here)
                    }
                    None if seen => NodeFacts::Unreachable,
                    None => NodeFacts::Unknown,
                })
                .collect();
            ProcedureFacts::new(clauses, nodes)
        });
        Facts { procedures: procedures.collect() }
    }
}
