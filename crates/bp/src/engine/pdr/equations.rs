//! Equations over GF(2) that hold at each place: constants, equalities, complements, parities.
//!
//! Unless a question is too hard, they are the strongest ones that all rules preserve: Karr's
//! analysis (Acta Informatica 6, 1976) modulo 2, with relations between entry values and current
//! values as summaries (Müller-Olm, Seidl, "Precise Interprocedural Analysis through Linear
//! Algebra", POPL 2004).  They begin with the first states that are reached; the states that a rule
//! adds are found by simulation, then by SAT, as in
//! King, Søndergaard, "Automatic Abstraction for Congruences" (VMCAI 2010); each adds a dimension
//! to the target's hull.  Exclusive or is hard for SAT, so long equations are first tried by
//! elimination; those that SAT cannot prove together are divided, and proved one after the other,
//! from below in the graph, with what is proved already.
//!
//! With gates among the [`Signals`], the equations of two of them at most are the signal
//! correspondence of van Eijk (IEEE TCAD 2000).

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::affine::{Equation, Hull};
use super::explore;
use super::facts::Facts;
use super::linear::{Forms, Rows};
use super::signals::Signals;
use super::system::{Kind, RuleId, System};
use crate::engine::limits::Directed;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatLit, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// Equations with more items than this are tried by elimination.
const SHORT: usize = 3;

/// The hull of the states at each place, by place; `None` if that takes more than so much work, or
/// there are too many values.
///
/// # Errors
/// If the budget is exhausted.
pub fn hulls(
    aig: &mut Aig,
    system: &System,
    signals: &Signals,
    (backend, limits, work): (Backend, &Directed, u64),
    budget: &Budget,
) -> Result<(Option<Vec<Hull>>, Effort), Exhausted> {
    let items = |p: &super::system::Place| p.values.iter().flatten().count();
    let size = system.places.iter().map(|p| items(p).saturating_mul(items(p))).sum::<usize>();
    if size > limits.hulls {
        return Ok((None, Effort::default()));
    }
    // The hull of n values needs n states and one more.
    let most = system.places.iter().map(items).max();
    let reached = explore::first(aig, system, most.unwrap_or(0) + 1, budget)?;
    let trial = budget.trial(work);
    let mut run = Run::new(aig, (system, signals), backend, (limits.hard, &trial));
    run.start_with(&reached);
    let result = run.run();
    let effort = run.effort();
    match result {
        Ok(()) => {
            let mut hulls = run.hulls;
            hulls.iter_mut().for_each(Hull::reduce);
            Ok((Some(hulls), effort))
        }
        Err(_) => {
            // Did only the trial's share of the budget run out, or all of it?
            budget.check()?;
            Ok((None, effort))
        }
    }
}

/// The equations as literals, over these values.
fn literals(aig: &mut Aig, equations: &[Equation], values: &[Option<Lit>]) -> Vec<Lit> {
    equations.iter().filter_map(|e| literal(aig, e, values)).collect()
}

/// An equation over these values; `None` if one of them may be any.
fn literal(aig: &mut Aig, equation: &Equation, values: &[Option<Lit>]) -> Option<Lit> {
    let mut all = if equation.sum { Lit::FALSE } else { Lit::TRUE };
    for &item in &equation.items {
        all = aig.xor(all, values[item]?);
    }
    Some(all)
}

struct Run<'a> {
    aig: &'a mut Aig,
    system: &'a System,
    signals: &'a Signals,
    backend: Backend,
    conflicts: u32,
    budget: &'a Budget,
    hulls: Vec<Hull>,
    /// The live items, by place.
    items: Vec<Vec<usize>>,
    /// The rules that start at each place.
    outgoing: Vec<Vec<RuleId>>,
    solvers: Vec<Option<CircuitSolver>>,
    forms: Forms,
    random: Random,
    queue: VecDeque<RuleId>,
    is_queued: Vec<bool>,
}

impl<'a> Run<'a> {
    fn new(
        aig: &'a mut Aig,
        (system, signals): (&'a System, &'a Signals),
        backend: Backend,
        (conflicts, budget): (u32, &'a Budget),
    ) -> Self {
        let mut outgoing = vec![vec![]; system.places.len()];
        let mut queue = VecDeque::new();
        for (id, rule) in (0..).map(RuleId).zip(&system.rules) {
            match rule.kind {
                Kind::Start => queue.push_back(id),
                _ => outgoing[rule.source.index()].push(id),
            }
        }
        let alive = |values: &[Option<Lit>]| -> Vec<usize> {
            values.iter().enumerate().filter_map(|(i, v)| v.map(|_| i)).collect()
        };
        Self {
            aig,
            system,
            signals,
            backend,
            conflicts,
            budget,
            hulls: system.places.iter().map(|p| Hull::new(p.values.len())).collect(),
            items: signals.values.iter().map(|values| alive(values)).collect(),
            outgoing,
            solvers: system.places.iter().map(|_| None).collect(),
            forms: Forms::default(),
            random: Random::new(1),
            is_queued: system.rules.iter().map(|r| r.kind == Kind::Start).collect(),
            queue,
        }
    }

    fn effort(&mut self) -> Effort {
        let mut effort = Effort::default();
        self.solvers.iter_mut().flatten().for_each(|s| effort += s.take_effort());
        effort
    }

    fn run(&mut self) -> Result<(), Exhausted> {
        while let Some(id) = self.queue.pop_front() {
            self.is_queued[id.index()] = false;
            let system = self.system;
            let rule = &system.rules[id.index()];
            let is_start = rule.kind == Kind::Start;
            let exit = rule.exit.as_ref().map(|e| e.place.index());
            if !is_start && self.hulls[rule.source.index()].is_empty()
                || exit.is_some_and(|e| self.hulls[e].is_empty())
            {
                continue;
            }
            let before = self.hulls[rule.target.index()].points.len();
            if rule.exit.is_none() && !is_start {
                while self.simulate(id)? {}
            }
            let dropped = self.solve(id)?;
            if dropped || self.hulls[rule.target.index()].points.len() > before {
                let returns = &system.places[rule.target.index()].returns;
                for &next in self.outgoing[rule.target.index()].iter().chain(returns) {
                    if !std::mem::replace(&mut self.is_queued[next.index()], true) {
                        self.queue.push_back(next);
                    }
                }
            }
        }
        Ok(())
    }

    /// Begins with states that are reached, so that little is to be refuted.
    fn start_with(&mut self, facts: &Facts) {
        let system = self.system;
        let mut at: Vec<Vec<&[bool]>> = vec![vec![]; system.places.len()];
        let facts = (0..facts.len()).filter_map(|i| facts.at_index(i)).map(|id| facts.get(id));
        facts.for_each(|fact| at[fact.place.index()].push(&fact.state));
        for (place, states) in at.iter().enumerate() {
            let inputs = super::system::items(self.aig, &system.places[place].values);
            let items = self.items[place].clone();
            let lits: Vec<Lit> =
                items.iter().filter_map(|&i| self.signals.values[place][i]).collect();
            for states in states.chunks(64) {
                let value = |i: Input| {
                    let item = inputs.get(&i);
                    let lanes = states.iter().enumerate();
                    item.map_or(0, |&item| {
                        lanes.fold(0, |word, (lane, state)| word | u64::from(state[item]) << lane)
                    })
                };
                let words = self.aig.simulate(&lits, value);
                self.add_all(place, &items, &words, !0 >> (64 - states.len()));
            }
        }
        for id in (0..system.rules.len() as u32).map(RuleId) {
            if !std::mem::replace(&mut self.is_queued[id.index()], true) {
                self.queue.push_back(id);
            }
        }
    }

    /// Adds a state to a place, where items other than these may have any value.  Returns whether
    /// it is new.
    fn add(&mut self, target: usize, known: &[usize], mut point: FixedBitSet) -> bool {
        let (hull, items) = (&mut self.hulls[target], &self.items[target]);
        let mut is_new = hull.add(items, &point);
        for &item in items.iter().filter(|i| known.binary_search(i).is_err()) {
            point.toggle(item);
            is_new |= hull.add(items, &point);
        }
        is_new
    }

    /// Tries a rule from 64 states of the source's hull.  Returns whether there were new states.
    fn simulate(&mut self, id: RuleId) -> Result<bool, Exhausted> {
        self.budget.check()?;
        let system = self.system;
        let rule = &system.rules[id.index()];
        let (source, target) = (rule.source.index(), rule.target.index());
        let values = &system.places[source].values;
        let mut words: Vec<u64> = vec![0; self.signals.values[source].len()];
        let points = &self.hulls[source].points;
        for lane in 0..64 {
            for _ in 0..if self.random.chance(50) { 1 } else { 3 } {
                let point = &points[self.random.below(points.len())];
                point.ones().for_each(|i| words[i] ^= 1 << lane);
            }
        }
        let inputs = super::system::items(self.aig, values);
        let (alive, after) = self.after(id);
        let gates = |e: &&Equation| e.items.last().is_some_and(|&i| i >= values.len());
        let gates = self.hulls[source].equations.iter().filter(gates);
        let gates = gates.filter_map(|e| literal(self.aig, e, &self.signals.values[source]));
        let known = gates.collect::<Vec<Lit>>();
        let known = self.aig.and_all(known.into_iter().chain([system.places[source].known]));
        let mut roots = vec![rule.guard, known];
        roots.extend(after);
        let random = &mut self.random;
        let value = |i: Input| inputs.get(&i).map_or_else(|| random.bits(), |&item| words[item]);
        let found = self.aig.simulate(&roots, value);
        let possible = found[0] & found[1];
        Ok(self.add_all(target, &alive, &found[2..], possible))
    }

    /// The items after a rule that have a value, with their values.
    fn after(&self, id: RuleId) -> (Vec<usize>, Vec<Lit>) {
        let after = &self.signals.after[id.index()];
        let items = &self.items[self.system.rules[id.index()].target.index()];
        items.iter().filter_map(|&i| Some((i, after[i]?))).unzip()
    }

    /// Adds those of 64 states at a place that are chosen; of each, the values of these items.
    /// Returns whether there were new ones.
    fn add_all(&mut self, target: usize, items: &[usize], words: &[u64], mut chosen: u64) -> bool {
        let mut after: Vec<u64> = vec![0; self.signals.values[target].len()];
        items.iter().zip(words).for_each(|(&i, &word)| after[i] = word);
        // In the hull or not, one state with values that may be any leads to others.
        let mut is_due = items.len() < self.items[target].len();
        let mut is_new = false;
        loop {
            let hull = &self.hulls[target];
            let sum = |e: &Equation| e.items.iter().fold(0, |sum, &i| sum ^ after[i]);
            let violated =
                hull.equations.iter().fold(0, |any, e| any | sum(e) ^ if e.sum { !0 } else { 0 });
            chosen &= if hull.is_empty() || is_due { !0 } else { violated };
            if chosen == 0 {
                return is_new;
            }
            is_due = false;
            let lane = chosen.trailing_zeros();
            chosen &= chosen - 1;
            let mut point = FixedBitSet::with_capacity(after.len());
            after.iter().enumerate().for_each(|(i, w)| point.set(i, w >> lane & 1 == 1));
            is_new |= self.add(target, items, point);
        }
    }

    /// Adds the states after a rule that is affine.  Returns whether it is.
    fn add_image(&mut self, id: RuleId, rows: &Rows) -> bool {
        let (items, lits) = self.after(id);
        let Some(image) = rows.image(self.aig, &lits, &mut self.forms) else { return false };
        for words in image {
            self.add_all(self.system.rules[id.index()].target.index(), &items, &words, !0);
        }
        true
    }

    /// Adds states after a rule until all are in the target's hull.  Returns whether equations were
    /// dropped because it is too hard to say whether they hold.
    fn solve(&mut self, id: RuleId) -> Result<bool, Exhausted> {
        let (system, signals) = (self.system, self.signals);
        let rule = &system.rules[id.index()];
        let is_start = rule.kind == Kind::Start;
        let source = &system.places[rule.source.index()];
        // What is known before the step.
        let mut given = vec![rule.guard];
        if !is_start {
            given.push(source.known);
            let equations = &self.hulls[rule.source.index()].equations;
            given.extend(literals(self.aig, equations, &signals.values[rule.source.index()]));
        }
        if let Some(exit) = &rule.exit {
            let equations = &self.hulls[exit.place.index()].equations;
            given.extend(literals(self.aig, equations, &signals.exits[id.index()]));
        }
        let Some(mut rows) = Rows::new(self.aig, &given, &mut self.forms) else { return Ok(false) };
        if self.add_image(id, &rows) {
            return Ok(false);
        }
        let mut solver = self.solvers[rule.source.index()].take().unwrap_or_else(|| {
            let mut solver = self.backend.circuit_solver();
            solver.assert(self.aig, source.known);
            solver
        });
        let round = solver.activation();
        let result = self.refute(id, &given, &mut rows, (&mut solver, round));
        solver.add_clause(&[-round]);
        self.solvers[rule.source.index()] = Some(solver);
        result
    }

    /// As [`Self::solve`], with what is given before the step, and with a literal under which it is
    /// told to the solver.
    fn refute(
        &mut self,
        id: RuleId,
        given: &[Lit],
        rows: &mut Rows,
        (solver, round): (&mut CircuitSolver, SatLit),
    ) -> Result<bool, Exhausted> {
        let signals = self.signals;
        let target = self.system.rules[id.index()].target.index();
        let mut dropped = false;
        for &lit in given {
            solver.assert_clause(self.aig, Some(round), [lit]);
        }
        // Equations that hold after the step help to prove others.
        let mut proved: FxHashSet<Lit> = FxHashSet::default();
        loop {
            self.budget.check()?;
            let hull = &self.hulls[target];
            let mut goals: Vec<(Equation, Lit)> = vec![];
            // Any state will do if the hull is empty, or some equation is about a value that may be
            // any.
            let mut is_any = hull.is_empty();
            for equation in &hull.equations {
                let Some(lit) = literal(self.aig, equation, &signals.after[id.index()]) else {
                    is_any = true;
                    continue;
                };
                let is_long = equation.items.len() > SHORT;
                let mut is_implied = || is_long && rows.imply(self.aig, lit, &mut self.forms);
                if lit != Lit::TRUE && !proved.contains(&lit) && !is_implied() {
                    goals.push((equation.clone(), lit));
                }
            }
            if goals.is_empty() && !is_any {
                return Ok(dropped);
            }
            // What is below in the graph comes first.
            goals.sort_by_key(|g| g.1.node());
            let mut parts = vec![goals];
            let mut state = None;
            while let (Some(mut part), None) = (parts.pop(), &state) {
                let lits: Vec<Lit> = part.iter().map(|g| g.1).collect();
                let violated = (!is_any).then_some(&lits[..]);
                let result;
                (result, state) = self.ask(id, violated, (solver, round));
                match result {
                    SatResult::Sat => {}
                    SatResult::Unsat => {
                        for &lit in &lits {
                            solver.assert_clause(self.aig, Some(round), [lit]);
                        }
                        proved.extend(lits);
                    }
                    SatResult::Unknown(e) => return Err(e),
                    SatResult::ConflictLimit if part.len() > 1 && !is_any => {
                        let upper = part.split_off(part.len() / 2);
                        parts.extend([upper, part]);
                    }
                    SatResult::ConflictLimit => {
                        // Without equations, it is the rule itself that is too hard.
                        match part.pop() {
                            Some((hard, _)) => self.hulls[target].equations.retain(|e| *e != hard),
                            None => self.hulls[target].fill(),
                        }
                        dropped = true;
                    }
                }
            }
            let Some(state) = state else { return Ok(dropped) };
            let known = self.after(id).0;
            if !self.add(target, &known, state) {
                // The solver's model is not of the whole formula.
                self.hulls[target].fill();
                return Ok(true);
            }
        }
    }

    /// Looks for a step after which some of these literals are false; for any step, if there are
    /// none.  The state after it, if there is one.
    fn ask(
        &mut self,
        id: RuleId,
        violated: Option<&[Lit]>,
        (solver, round): (&mut CircuitSolver, SatLit),
    ) -> (SatResult, Option<FixedBitSet>) {
        let activation = solver.activation();
        if let Some(lits) = violated {
            solver.assert_clause(self.aig, Some(activation), lits.iter().map(|&l| !l));
        }
        let result = solver.solve_with(&[round, activation], Some(self.conflicts), self.budget);
        let state = matches!(result, SatResult::Sat).then(|| {
            let all = &self.signals.after[id.index()];
            let after: Vec<Lit> = all.iter().map(|v| v.unwrap_or(Lit::FALSE)).collect();
            let state = self.aig.evaluate(&after, |i| solver.value(self.aig, i));
            let items = &self.items[self.system.rules[id.index()].target.index()];
            let mut point = FixedBitSet::with_capacity(state.len());
            items.iter().for_each(|&item| point.set(item, state[item]));
            point
        });
        solver.add_clause(&[-activation]);
        (result, state)
    }
}

/// Makes equations part of what is known at their places, and after returns.
pub fn apply(system: &mut System, aig: &mut Aig, signals: &Signals, hulls: Vec<Hull>) {
    for (i, hull) in hulls.into_iter().enumerate() {
        let is_part = {
            let here = &system.places[i];
            here.is_composed || system.inlined[here.procedure.index()].is_some()
        };
        if is_part {
            continue;
        }
        let here = &mut system.places[i];
        here.is_excluded = hull.is_empty();
        let lits = literals(aig, &hull.equations, &signals.values[i]);
        here.known = aig.and_all([here.known].into_iter().chain(lits));
        for id in &here.returns {
            let exit = literals(aig, &hull.equations, &signals.exits[id.index()]);
            let rule = &mut system.rules[id.index()];
            rule.guard = aig.and_all([rule.guard].into_iter().chain(exit));
        }
        let items = here.values.len();
        let is_short = |e: &Equation| e.items.last().is_none_or(|&i| i < items);
        let (equations, gates) = hull.equations.into_iter().partition(is_short);
        here.equations = equations;
        here.gates = literals(aig, &gates, &signals.values[i]);
    }
}
