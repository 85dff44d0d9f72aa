//! A sequential circuit: one state is one location of the program, with the values of its
//! variables.
//!
//! A procedure that is not recursive has one frame at a time at most, so its variables, and the
//! call site to which it returns, are latches: the circuit is linear in the program, and no stack
//! is bounded.  A step is a large block.  Where it ends at the exit of its procedure it goes on to
//! where the call returns, and from a node with nothing but a call to the callee's entry.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::error::ExportError;
use super::steps::{Location, Steps};
use super::whole::whole;
use crate::engine::prepare::{Prepared, block::CallSite};
use crate::language::program::{NodeId, Operation, ProcId, Program, VarId};
use hardbop_base::budget::Budget;
use hardbop_logic::{Aig, Input, Lit, Sequential, Substitution};

/// The program as a circuit, whose bad state can be reached if and only if an error can.
///
/// # Errors
/// If a procedure that matters is recursive, or the budget is exhausted.
pub fn circuit(program: &Program, budget: &Budget) -> Result<Sequential, ExportError> {
    let mut aig = Aig::new();
    let prepared = whole(&mut aig, program, budget)?;
    if let Some(error) = recursion(&prepared) {
        return Err(error);
    }
    if prepared.is_trivial() {
        return Ok(Sequential::new(aig, vec![], Lit::FALSE));
    }
    let kept: Vec<ProcId> =
        program.procedure_ids().filter(|&p| prepared.slice.procedure(p).is_some()).collect();
    let mut builder = Builder::new(aig, &prepared, &kept);
    for &p in &kept {
        budget.check()?;
        builder.procedure(p);
    }
    // Callees first: what returns may arrive at the exit of a caller.
    for &p in prepared.calls.components.iter().flatten() {
        budget.check()?;
        builder.returns(p);
    }
    for &p in &kept {
        budget.check()?;
        builder.calls(p);
    }
    Ok(builder.steps.finish(builder.aig))
}

/// The first procedure that matters and is recursive.
fn recursion(prepared: &Prepared) -> Option<ExportError> {
    let program = prepared.program;
    let recursive = &prepared.calls.recursive;
    let p = program.procedure_ids().find(|p| recursive[p.index()])?;
    let component = prepared.calls.components.iter().find(|c| c.contains(&p))?;
    let kept = prepared.slice.procedure(p)?;
    let procedure = program.procedure(p);
    let mut calls = procedure.edges.iter().zip(&kept.edges).filter_map(|(e, kept)| {
        let Operation::Call(call) = &e.operation else { return None };
        (*kept && component.contains(&call.callee)).then_some((e.span, call.callee))
    });
    let (span, callee) = calls.next()?;
    let callee = program.procedure(callee).name.clone();
    Some(ExportError::Recursion { procedure: procedure.name.clone(), callee, span })
}

/// The values of slots.
type Values = Vec<(usize, Lit)>;

struct Builder<'a> {
    aig: Aig,
    prepared: &'a Prepared<'a>,
    steps: Steps,
    variables: FxHashMap<VarId, Input>,
    /// The calls of each procedure, as (caller, node, number at the node), and which one is active,
    /// in binary.
    sites: Vec<Vec<(ProcId, NodeId, usize)>>,
    active: Vec<Vec<Input>>,
    numbers: FxHashMap<(ProcId, NodeId, usize), usize>,
    /// Nodes with a call and nothing else: no step ends there.
    passed: FxHashSet<Location>,
    /// The guards with which exits and nodes that are passed are reached, with the live values
    /// there.
    waiting: FxHashMap<Location, Vec<(Lit, Values)>>,
    /// Inputs that stand for choices; each location uses them from the first on, each node that is
    /// passed the late ones.
    choices: Vec<Input>,
    late: Vec<Input>,
}

impl<'a> Builder<'a> {
    fn new(mut aig: Aig, prepared: &'a Prepared<'a>, kept: &[ProcId]) -> Self {
        let program = prepared.program;
        let count = program.procedures.len();
        let (mut sites, mut numbers) = (vec![vec![]; count], FxHashMap::default());
        let (mut locations, mut passed) = (vec![], FxHashSet::default());
        for &p in kept {
            let (exit, error) = (prepared.procedure(p).exit, prepared.procedure(p).error);
            for n in prepared.cut_nodes(p).filter(|&n| n != exit && n != error) {
                if is_passed(prepared, p, n) {
                    passed.insert((p, n));
                } else {
                    locations.push((p, n));
                }
                for (k, site) in prepared.blocks(p).calls[n.index()].iter().enumerate() {
                    let sites = &mut sites[site.callee.index()];
                    numbers.insert((p, n, k), sites.len());
                    sites.push((p, n, k));
                }
            }
        }
        let main = program.entry;
        let start = (main, prepared.procedure(main).entry);
        let mut steps = Steps::new(&mut aig, start, &locations);
        let mut variables = FxHashMap::default();
        for &p in kept {
            for &v in &prepared.frame(p).slots {
                variables.entry(v).or_insert_with(|| {
                    let owner = if program.is_global(v) { "" } else { &program.procedure(p).name };
                    let name = format!("{owner}::{}", program.variable(v).name);
                    steps.latch(&mut aig, &name)
                });
            }
        }
        let mut active = vec![vec![]; count];
        for p in program.procedure_ids() {
            let sites: &Vec<_> = &sites[p.index()];
            for bit in 0..bits(sites.len()) {
                let name = format!("return of {} bit {bit}", program.procedure(p).name);
                active[p.index()].push(steps.latch(&mut aig, &name));
            }
        }
        Self {
            aig,
            prepared,
            steps,
            variables,
            sites,
            active,
            numbers,
            passed,
            waiting: FxHashMap::default(),
            choices: vec![],
            late: vec![],
        }
    }

    /// The steps from the locations of a procedure.
    fn procedure(&mut self, p: ProcId) {
        let prepared = self.prepared;
        let (blocks, procedure) = (prepared.blocks(p), prepared.procedure(p));
        let at = |n: NodeId| {
            let choices = blocks.blocks[n.index()].iter().map(|b| &b.choices);
            choices.chain(blocks.calls[n.index()].iter().map(|s| &s.choices)).flatten().copied()
        };
        let slots = blocks.inputs.len();
        // Nodes share what they depend on, except the entry node, where locals have any value.
        let latches: Vec<Lit> = (0..slots).map(|slot| self.latch(p, slot)).collect();
        let mut inner = Substitution::of_row(&self.aig, &blocks.inputs, latches.clone());
        for n in prepared.cut_nodes(p) {
            for (k, choice) in at(n).enumerate() {
                let lit = self.choice(k);
                inner.replace(&self.aig, choice, lit);
            }
        }
        let is_start = p == prepared.program.entry;
        let mut used = 0;
        let mut first = latches;
        for slot in prepared.live(p, procedure.entry).ones() {
            if is_start || !self.is_given(p, slot) {
                first[slot] = self.choice(used);
                used += 1;
            }
        }
        let mut entry = Substitution::of_row(&self.aig, &blocks.inputs, first);
        for choice in at(procedure.entry) {
            let lit = self.choice(used);
            used += 1;
            entry.replace(&self.aig, choice, lit);
        }
        for n in prepared.cut_nodes(p) {
            if n == procedure.exit || n == procedure.error || self.passed.contains(&(p, n)) {
                continue;
            }
            if n == procedure.entry {
                self.node(p, n, &mut entry, used);
            } else {
                let used = at(n).count();
                self.node(p, n, &mut inner, used);
            }
        }
    }

    /// The steps from a location, of whose inputs so many are in use.
    fn node(&mut self, p: ProcId, n: NodeId, map: &mut Substitution, mut used: usize) {
        let prepared = self.prepared;
        let blocks = prepared.blocks(p);
        let mut here = self.steps.at((p, n));
        let mut calls: Vec<(usize, &CallSite)> =
            blocks.calls[n.index()].iter().enumerate().collect();
        calls.retain(|(_, site)| prepared.slice.procedure(site.callee).is_some());
        let exits = blocks.blocks[n.index()].as_ref().map_or(&[][..], |block| &block.exits);
        for (i, &(k, site)) in calls.iter().enumerate() {
            let mut taken = here;
            if i + 1 < calls.len() || !exits.is_empty() {
                let chosen = self.choice(used);
                used += 1;
                taken = self.aig.and(here, chosen);
                here = self.aig.and(here, !chosen);
            }
            self.call((p, n, k), site, taken, map);
        }
        for exit in exits {
            let guard = self.aig.substitute_one(exit.state.guard, map);
            let guard = self.aig.and(here, guard);
            let live = prepared.live(p, exit.target).ones();
            let values =
                live.map(|s| (s, self.aig.substitute_one(exit.state.omega[s], map))).collect();
            self.arrive(p, exit.target, guard, values);
        }
    }

    /// The start of a call.
    fn call(
        &mut self,
        from: (ProcId, NodeId, usize),
        site: &CallSite,
        guard: Lit,
        map: &mut Substitution,
    ) {
        let prepared = self.prepared;
        let (p, q) = (from.0, site.callee);
        let inputs = &prepared.blocks(p).inputs;
        let mut value = |aig: &mut Aig, slot: usize| {
            let input = aig.input(inputs[slot]);
            aig.substitute_one(input, map)
        };
        let entry = prepared.procedure(q).entry;
        let live = prepared.live(q, entry);
        // Values that the caller has by choice are kept for later.
        let kept = site.target.map(|target| prepared.live(p, target).clone());
        for slot in kept.iter().flat_map(FixedBitSet::ones) {
            let v = value(&mut self.aig, slot);
            self.write(p, slot, guard, v);
        }
        for &(outer, inner) in site.globals.iter().filter(|g| live.contains(g.1)) {
            if kept.as_ref().is_none_or(|kept| !kept.contains(outer)) {
                let v = value(&mut self.aig, outer);
                self.write(q, inner, guard, v);
            }
        }
        for &(slot, argument) in &site.arguments {
            let v = self.aig.substitute_one(argument, map);
            self.write(q, slot, guard, v);
        }
        let number = self.numbers[&from];
        for bit in 0..self.active[q.index()].len() {
            let latch = self.active[q.index()][bit];
            self.steps.write(latch, guard, Lit::from(number >> bit & 1 == 1));
        }
        self.steps.enter((q, entry), guard);
    }

    /// Adds the returns from the exit of a procedure.
    fn returns(&mut self, q: ProcId) {
        let prepared = self.prepared;
        let Some((guard, values)) = self.merged(q, prepared.procedure(q).exit) else { return };
        let values: FxHashMap<usize, Lit> = values.into_iter().collect();
        for number in 0..self.sites[q.index()].len() {
            let (p, n, k) = self.sites[q.index()][number];
            let site = prepared.site(p, n, k);
            let Some(target) = site.target else { continue };
            let mut conditions = vec![guard];
            for (bit, &latch) in self.active[q.index()].iter().enumerate() {
                conditions.push(self.aig.input(latch).xor_sign(number >> bit & 1 == 0));
            }
            let guard = self.aig.and_all(conditions);
            let returned: FxHashMap<usize, usize> =
                site.globals.iter().chain(&site.results).copied().collect();
            let after = prepared.live(p, target).ones().map(|slot| {
                let inner = returned.get(&slot).and_then(|inner| values.get(inner)).copied();
                (slot, inner.unwrap_or_else(|| self.latch(p, slot)))
            });
            let after = after.collect();
            self.arrive(p, target, guard, after);
        }
    }

    /// Adds the calls at the nodes of a procedure that are passed.
    fn calls(&mut self, p: ProcId) {
        let prepared = self.prepared;
        let blocks = prepared.blocks(p);
        for n in prepared.cut_nodes(p).filter(|&n| is_passed(prepared, p, n)) {
            let Some((guard, values)) = self.merged(p, n) else { continue };
            let mut before: Vec<Lit> =
                (0..blocks.inputs.len()).map(|slot| self.latch(p, slot)).collect();
            for (slot, value) in values {
                before[slot] = value;
            }
            let mut map = Substitution::of_row(&self.aig, &blocks.inputs, before);
            for (k, site) in blocks.calls[n.index()].iter().enumerate() {
                for (at, &choice) in site.choices.iter().enumerate() {
                    if at == self.late.len() {
                        self.late.push(self.aig.new_input());
                    }
                    let lit = self.aig.input(self.late[at]);
                    map.replace(&self.aig, choice, lit);
                }
                self.call((p, n, k), site, guard, &mut map);
            }
        }
    }

    /// Merges all that arrives at a node: whether something does, and the values of the live slots.
    fn merged(&mut self, p: ProcId, n: NodeId) -> Option<(Lit, Values)> {
        let arrivals = self.waiting.remove(&(p, n))?;
        if let [_] = &arrivals[..] {
            return arrivals.into_iter().next();
        }
        let guard = self.aig.or_all(arrivals.iter().map(|a| a.0));
        let mut values = vec![];
        for (i, slot) in self.prepared.live(p, n).ones().enumerate() {
            let first = arrivals[0].1[i].1;
            // No two arrive at once.
            let value = if arrivals.iter().all(|(_, values)| values[i].1 == first) {
                first
            } else {
                let cases = arrivals.iter().map(|(g, values)| self.aig.and(*g, values[i].1));
                let cases: Vec<Lit> = cases.collect();
                self.aig.or_all(cases)
            };
            values.push((slot, value));
        }
        Some((guard, values))
    }

    /// A step that ends at a node, with the values of the slots that are live there.
    fn arrive(&mut self, p: ProcId, n: NodeId, guard: Lit, values: Values) {
        if n == self.prepared.procedure(p).error {
            self.steps.fail(guard);
        } else if n == self.prepared.procedure(p).exit || self.passed.contains(&(p, n)) {
            self.waiting.entry((p, n)).or_default().push((guard, values));
        } else {
            self.steps.enter((p, n), guard);
            for (slot, value) in values {
                self.write(p, slot, guard, value);
            }
        }
    }

    fn write(&mut self, p: ProcId, slot: usize, guard: Lit, value: Lit) {
        if value != self.latch(p, slot) {
            let latch = self.variables[&self.prepared.frame(p).slots[slot]];
            self.steps.write(latch, guard, value);
        }
    }

    /// Do callers give the slot its value at the entry?
    fn is_given(&self, p: ProcId, slot: usize) -> bool {
        let v = self.prepared.frame(p).slots[slot];
        self.prepared.program.is_global(v) || self.prepared.procedure(p).formals.contains(&v)
    }

    /// The value of a slot before a step.
    fn latch(&self, p: ProcId, slot: usize) -> Lit {
        self.aig.input(self.variables[&self.prepared.frame(p).slots[slot]])
    }

    fn choice(&mut self, index: usize) -> Lit {
        while self.choices.len() <= index {
            self.choices.push(self.aig.new_input());
        }
        self.aig.input(self.choices[index])
    }
}

/// Is there a call that is made, and nothing else?
fn is_passed(prepared: &Prepared, p: ProcId, n: NodeId) -> bool {
    let (blocks, procedure) = (prepared.blocks(p), prepared.procedure(p));
    let is_inner = n != procedure.entry && n != procedure.exit && n != procedure.error;
    let has_block = blocks.blocks[n.index()].as_ref().is_some_and(|b| !b.exits.is_empty());
    let calls = &blocks.calls[n.index()];
    let one = calls.len() == 1 && prepared.slice.procedure(calls[0].callee).is_some();
    is_inner && !has_block && one
}

/// Bits of the numbers below a count.
fn bits(count: usize) -> u32 {
    count.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}
