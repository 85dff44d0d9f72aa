//! Equations over GF(2) that hold at each place: constants, equalities, complements, parities.
//!
//! Unless a question is too hard, they are the strongest ones that all rules preserve: Karr's
//! analysis (Acta Informatica 6, 1976) modulo 2, with relations between entry values and current
//! values as summaries (Müller-Olm, Seidl, "Precise Interprocedural Analysis through Linear
//! Algebra", POPL 2004).  The states that a rule adds are found by simulation, then by SAT, as in
//! King, Søndergaard, "Automatic Abstraction for Congruences" (VMCAI 2010); each adds a dimension
//! to the target's hull.  Exclusive or is hard for SAT, so long equations are first tried by
//! elimination.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::affine::{Equation, Hull};
use super::linear::{Forms, Rows};
use super::system::{Kind, Rule, RuleId, System};
use crate::engine::limits::Directed;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatLit, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// Equations with more items than this are tried by elimination.
const SHORT: usize = 3;

/// The hull of the states at each place, by place; `None` if that takes more work than the limits
/// allow.
///
/// # Errors
/// If the budget is exhausted.
pub fn hulls(
    aig: &mut Aig,
    system: &System,
    (backend, limits): (Backend, &Directed),
    budget: &Budget,
) -> Result<(Option<Vec<Hull>>, Effort), Exhausted> {
    let items = |p: &super::system::Place| p.values.iter().flatten().count();
    let size = system.places.iter().map(|p| items(p).saturating_mul(items(p))).sum::<usize>();
    if size > limits.hulls {
        return Ok((None, Effort::default()));
    }
    let trial = budget.trial(limits.equations);
    let mut run = Run::new(aig, system, backend, (limits.hard, &trial));
    let result = run.run();
    let effort = run.effort();
    match result {
        Ok(()) => {
            let mut hulls = run.hulls;
            hulls.iter_mut().for_each(Hull::reduce);
            Ok((Some(hulls), effort))
        }
        Err(Stopped::TooHard) => Ok((None, effort)),
        Err(Stopped::Exhausted) => {
            // Did only the trial's share of the budget run out, or all of it?
            budget.check()?;
            Ok((None, effort))
        }
    }
}

/// Why there are no equations.
enum Stopped {
    /// A rule is beyond the conflict limit, or the solver's model is not of the whole formula.
    TooHard,
    Exhausted,
}

impl From<Exhausted> for Stopped {
    fn from(_: Exhausted) -> Self {
        Self::Exhausted
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
        system: &'a System,
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
            backend,
            conflicts,
            budget,
            hulls: vec![Hull::default(); system.places.len()],
            items: system.places.iter().map(|p| alive(&p.values)).collect(),
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

    fn run(&mut self) -> Result<(), Stopped> {
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
                while self.simulate(rule)? {}
            }
            let dropped = self.solve(rule)?;
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

    /// Adds a state after a rule.  Returns whether it is new.
    fn add(&mut self, rule: &Rule, mut point: FixedBitSet) -> bool {
        let target = rule.target.index();
        let (hull, items) = (&mut self.hulls[target], &self.items[target]);
        let mut is_new = hull.add(items, &point);
        for &item in items.iter().filter(|&&i| rule.after[i].is_none()) {
            point.toggle(item);
            is_new |= hull.add(items, &point);
        }
        is_new
    }

    /// Tries a rule from 64 states of the source's hull.  Returns whether there were new states.
    fn simulate(&mut self, rule: &Rule) -> Result<bool, Exhausted> {
        self.budget.check()?;
        let system = self.system;
        let (source, target) = (rule.source.index(), rule.target.index());
        let values = &system.places[source].values;
        let mut words: Vec<u64> = vec![0; values.len()];
        let points = &self.hulls[source].points;
        for lane in 0..64 {
            for _ in 0..if self.random.chance(50) { 1 } else { 3 } {
                let point = &points[self.random.below(points.len())];
                point.ones().for_each(|i| words[i] ^= 1 << lane);
            }
        }
        let inputs = super::system::items(self.aig, values);
        let alive: Vec<usize> =
            self.items[target].iter().copied().filter(|&i| rule.after[i].is_some()).collect();
        let mut roots = vec![rule.guard, system.places[source].known];
        roots.extend(alive.iter().filter_map(|&i| rule.after[i]));
        let random = &mut self.random;
        let value = |i: Input| inputs.get(&i).map_or_else(|| random.bits(), |&item| words[item]);
        let found = self.aig.simulate(&roots, value);
        let possible = found[0] & found[1];
        Ok(self.add_all(rule, &alive, &found[2..], possible))
    }

    /// Adds those of 64 states after a rule that are chosen; of each, the values of these items.
    /// Returns whether there were new ones.
    fn add_all(&mut self, rule: &Rule, items: &[usize], words: &[u64], mut chosen: u64) -> bool {
        let target = rule.target.index();
        let mut after: Vec<u64> = vec![0; self.system.places[target].values.len()];
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
            is_new |= self.add(rule, point);
        }
    }

    /// Adds the states after a rule that is affine.  Returns whether it is.
    fn add_image(&mut self, rule: &Rule, rows: &Rows) -> bool {
        let items = &self.items[rule.target.index()];
        let items: Vec<usize> =
            items.iter().copied().filter(|&i| rule.after[i].is_some()).collect();
        let lits: Vec<Lit> = items.iter().filter_map(|&i| rule.after[i]).collect();
        let Some(image) = rows.image(self.aig, &lits, &mut self.forms) else { return false };
        for words in image {
            self.add_all(rule, &items, &words, !0);
        }
        true
    }

    /// Adds states after a rule until all are in the target's hull.  Returns whether equations were
    /// dropped because it is too hard to say whether they hold.
    fn solve(&mut self, rule: &Rule) -> Result<bool, Stopped> {
        let (system, target) = (self.system, rule.target.index());
        let is_start = rule.kind == Kind::Start;
        let source = &system.places[rule.source.index()];
        // What is known before the step.
        let mut given = vec![rule.guard];
        if !is_start {
            given.push(source.known);
            let equations = &self.hulls[rule.source.index()].equations;
            given.extend(literals(self.aig, equations, &source.values));
        }
        if let Some(exit) = &rule.exit {
            let equations = &self.hulls[exit.place.index()].equations;
            given.extend(literals(self.aig, equations, &exit.values));
        }
        let Some(mut rows) = Rows::new(self.aig, &given, &mut self.forms) else { return Ok(false) };
        if self.add_image(rule, &rows) {
            return Ok(false);
        }
        let mut dropped = false;
        loop {
            self.budget.check()?;
            let hull = &mut self.hulls[target];
            let mut goals: Vec<(usize, Lit)> = vec![];
            // Any state will do if the hull is empty, or some equation is about a value that may be
            // any.
            let mut is_any = hull.is_empty();
            for (i, equation) in hull.equations.iter().enumerate() {
                let Some(lit) = literal(self.aig, equation, &rule.after) else {
                    is_any = true;
                    continue;
                };
                let is_long = equation.items.len() > SHORT;
                if lit != Lit::TRUE && !(is_long && rows.imply(self.aig, lit, &mut self.forms)) {
                    goals.push((i, lit));
                }
            }
            if goals.is_empty() && !is_any {
                return Ok(dropped);
            }
            let solver = self.solvers[rule.source.index()].get_or_insert_with(|| {
                let mut solver = self.backend.circuit_solver();
                solver.assert(self.aig, source.known);
                solver
            });
            let mut assumptions: Vec<SatLit> = vec![];
            let activation = solver.activation();
            if !is_any {
                solver.assert_clause(self.aig, Some(activation), goals.iter().map(|g| !g.1));
                assumptions.push(activation);
            }
            assumptions.extend(given.iter().map(|&lit| solver.literal(self.aig, lit)));
            match solver.solve_with(&assumptions, Some(self.conflicts), self.budget) {
                SatResult::Unsat => {
                    solver.add_clause(&[-activation]);
                    return Ok(dropped);
                }
                SatResult::Unknown(e) => return Err(e.into()),
                SatResult::ConflictLimit => {
                    solver.add_clause(&[-activation]);
                    let longest = goals.iter().max_by_key(|g| hull.equations[g.0].items.len());
                    // Without equations, it is the rule itself that is too hard.
                    let Some(&(longest, _)) = longest else { return Err(Stopped::TooHard) };
                    hull.equations.swap_remove(longest);
                    dropped = true;
                }
                SatResult::Sat => {
                    let after: Vec<Lit> =
                        rule.after.iter().map(|v| v.unwrap_or(Lit::FALSE)).collect();
                    let state = self.aig.evaluate(&after, |i| solver.value(self.aig, i));
                    solver.add_clause(&[-activation]);
                    let mut point = FixedBitSet::with_capacity(state.len());
                    for &item in &self.items[target] {
                        point.set(item, state[item]);
                    }
                    if !self.add(rule, point) {
                        return Err(Stopped::TooHard);
                    }
                }
            }
        }
    }
}

/// Makes equations part of what is known at their places, and after returns.
pub fn apply(system: &mut System, aig: &mut Aig, hulls: Vec<Hull>) {
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
        let lits = literals(aig, &hull.equations, &here.values);
        here.known = aig.and_all([here.known].into_iter().chain(lits));
        for id in &here.returns {
            let rule = &mut system.rules[id.index()];
            let exit = rule.exit.iter().flat_map(|e| literals(aig, &hull.equations, &e.values));
            let exit: Vec<Lit> = exit.collect();
            rule.guard = aig.and_all([rule.guard].into_iter().chain(exit));
        }
        here.equations = hull.equations;
    }
}
