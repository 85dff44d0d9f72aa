//! Proof obligations: is a cube reached at a place, by a derivation of at most a certain height?

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rustc_hash::FxHashMap;

use super::cube::{Cube, ItemLit, justification, literal, parts};
use super::facts::{FactId, Facts};
use super::frames::{Frames, Query};
use super::system::{self, Kind, PlaceId, RuleId, System};
use crate::engine::observer::Observer;
use crate::engine::path::Failure;
use crate::engine::report::EngineError;
use crate::engine::statistics::Statistics;
use hardbop_base::budget::Budget;
use hardbop_logic::sat::Backend;
use hardbop_logic::{Aig, Input, Lit};

/// ⟨place, cube, level⟩: to be blocked, or reached.
struct Obligation {
    place: PlaceId,
    cube: Cube,
    level: u32,
    /// The obligation whose cube all states of this one lead to, and by which rule.
    parent: Option<(usize, RuleId)>,
    /// The caller's state, if this is about the callee's exit.
    caller: Option<FactId>,
    is_done: bool,
}

/// The search.
pub struct Search<'a> {
    pub frames: Frames<'a>,
    pub facts: Facts,
    aig: &'a Aig,
    system: &'a System,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: &'a mut Statistics,
    obligations: Vec<Obligation>,
    /// The lowest level first; of one level, the newest.
    queue: BinaryHeap<(Reverse<u32>, usize)>,
    /// The level up to which errors are excluded.
    top: u32,
    /// The items that are inputs, by place.
    items: FxHashMap<PlaceId, FxHashMap<Input, usize>>,
}

/// The result of the search.
pub enum Answer {
    /// The error state that is reached.
    Reached(FactId),
    /// The lemmas of this level and above are an invariant, which has no error.
    Excluded(u32),
}

impl<'a> Search<'a> {
    pub fn new(
        (aig, system): (&'a Aig, &'a System),
        backend: Backend,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        statistics: &'a mut Statistics,
    ) -> Self {
        Self {
            frames: Frames::new(aig, system, backend, budget),
            facts: Facts::default(),
            aig,
            system,
            budget,
            observer,
            statistics,
            obligations: vec![],
            queue: BinaryHeap::new(),
            top: 0,
            items: FxHashMap::default(),
        }
    }

    /// Looks for a state at one of the places.
    ///
    /// # Errors
    /// If the budget is exhausted; an engine error if a step that was found is not there.
    pub fn run(&mut self, errors: &[PlaceId]) -> Result<Answer, Failure> {
        loop {
            self.top += 1;
            self.statistics.frames = self.statistics.frames.max(u64::from(self.top));
            for &error in errors {
                if !self.frames.excludes(error, &[], self.top)
                    && let Some(fact) = self.decide(error)?
                {
                    return Ok(Answer::Reached(fact));
                }
            }
            if let Some(level) = self.propagate()? {
                return Ok(Answer::Excluded(level));
            }
        }
    }

    /// Excludes all states of a place from the top level, or reaches one.
    fn decide(&mut self, error: PlaceId) -> Result<Option<FactId>, Failure> {
        self.obligations.clear();
        self.queue.clear();
        self.post(error, vec![], self.top, None, None);
        while let Some((_, o)) = self.queue.pop() {
            self.budget.check()?;
            self.observer.progress(self.statistics);
            if self.obligations[o].is_done {
                continue;
            }
            if let Some(fact) = self.process(o)? {
                return Ok(Some(fact));
            }
        }
        Ok(None)
    }

    fn post(
        &mut self,
        place: PlaceId,
        cube: Cube,
        level: u32,
        parent: Option<(usize, RuleId)>,
        caller: Option<FactId>,
    ) {
        let o = self.obligations.len();
        self.obligations.push(Obligation { place, cube, level, parent, caller, is_done: false });
        self.queue.push((Reverse(level), o));
        self.statistics.obligations += 1;
    }

    /// Processes one obligation: it is reached, gets a child, or is blocked.
    fn process(&mut self, o: usize) -> Result<Option<FactId>, Failure> {
        let Obligation { place, ref cube, level, .. } = self.obligations[o];
        let cube = cube.clone();
        if let Some(fact) = self.facts.find(place, &cube) {
            return self.succeed(o, fact);
        }
        if self.frames.excludes(place, &cube, level) {
            self.later(o);
            return Ok(None);
        }
        let system = self.system;
        let mut core: Cube = vec![];
        for &rule in &system.places[place.index()].incoming {
            let before = match system.rules[rule.index()].kind {
                Kind::Start => None,
                _ if level == 0 => continue,
                _ => Some(level - 1),
            };
            let query = Query {
                rule,
                cube: &cube,
                level: before,
                exit: before,
                given: &[],
                is_relative: true,
            };
            match self.frames.step(query)? {
                Some(part) => core.extend(part),
                None if before.is_none() => {
                    let state = self.state_after(rule, &cube);
                    let fact = self.facts.add(place, state, rule, None);
                    return self.succeed(o, fact);
                }
                None => {
                    let cube = self.before(rule, &cube);
                    let source = system.rules[rule.index()].source;
                    self.post(source, cube, level - 1, Some((o, rule)), None);
                    self.queue.push((Reverse(level), o));
                    return Ok(None);
                }
            }
        }
        core.sort_unstable();
        core.dedup();
        let cube = self.generalise(place, core, level)?;
        self.learn(place, cube, level)?;
        self.later(o);
        Ok(None)
    }

    /// A blocked obligation is tried again at the next level: its states lead to an error.
    fn later(&mut self, o: usize) {
        let obligation = &mut self.obligations[o];
        if obligation.parent.is_some() && obligation.level < self.top {
            obligation.level += 1;
            self.queue.push((Reverse(obligation.level), o));
        }
    }

    /// Adds a lemma at the highest level up to the top at which it holds.
    fn learn(&mut self, place: PlaceId, mut cube: Cube, mut level: u32) -> Result<(), Failure> {
        while level < self.top {
            let Some(core) = self.blocked(place, &cube, level + 1)? else { break };
            (cube, level) = (core, level + 1);
        }
        self.statistics.lemmas += 1;
        self.frames.add(place, cube, level);
        Ok(())
    }

    /// A part of the cube that no step leads to from the level below and from outside the cube;
    /// `None`: there is a step.
    fn blocked(
        &mut self,
        place: PlaceId,
        cube: &[ItemLit],
        level: u32,
    ) -> Result<Option<Cube>, Failure> {
        let system = self.system;
        let mut core: Cube = vec![];
        for &rule in &system.places[place.index()].incoming {
            let is_start = system.rules[rule.index()].kind == Kind::Start;
            let before = (!is_start).then(|| level - 1);
            let query =
                Query { rule, cube, level: before, exit: before, given: &[], is_relative: true };
            match self.frames.step(query)? {
                Some(part) => core.extend(part),
                None => return Ok(None),
            }
        }
        core.sort_unstable();
        core.dedup();
        Ok(Some(core))
    }

    /// Drops literals of a cube that is blocked at a level as long as it stays so.
    fn generalise(&mut self, place: PlaceId, mut cube: Cube, level: u32) -> Result<Cube, Failure> {
        if level == 0 {
            return Ok(cube);
        }
        let mut needed = 0;
        while needed < cube.len() {
            let mut smaller = cube.clone();
            let literal = smaller.remove(needed);
            match self.blocked(place, &smaller, level)? {
                // The literals found necessary stay, so that the work is bounded.
                Some(core) => {
                    let sure = cube[..needed].to_vec();
                    cube = core;
                    cube.extend(sure);
                    cube.sort_unstable();
                    cube.dedup();
                    needed = cube.partition_point(|&l| l < literal);
                }
                None => needed += 1,
            }
        }
        Ok(cube)
    }

    /// Pushes lemmas to higher levels.  Returns a level that is inductive, if there is one.
    fn propagate(&mut self) -> Result<Option<u32>, Failure> {
        let places = || (0..self.system.places.len() as u32).map(PlaceId);
        let places: Vec<PlaceId> = places().collect();
        for level in 1..=self.top {
            let mut is_inductive = true;
            for &place in &places {
                let here = self.frames.at(place).iter().filter(|l| l.level == level);
                let here: Vec<Cube> = here.map(|l| l.cube.clone()).collect();
                for cube in here {
                    match self.blocked(place, &cube, level + 1)? {
                        Some(core) => self.frames.add(place, core, level + 1),
                        None => is_inductive = false,
                    }
                }
            }
            if is_inductive {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }

    /// A fact in the cube of an obligation: the obligations that it serves are followed upwards.
    fn succeed(&mut self, mut o: usize, mut fact: FactId) -> Result<Option<FactId>, Failure> {
        loop {
            self.obligations[o].is_done = true;
            let Obligation { parent, caller, level, .. } = self.obligations[o];
            let Some((parent, rule)) = parent else { return Ok(Some(fact)) };
            if self.obligations[parent].is_done {
                return Ok(None);
            }
            let cube = self.obligations[parent].cube.clone();
            let state = |f: FactId| self.facts.get(f).state.clone();
            let target = self.obligations[parent].place;
            let Some(exit) = &self.system.rules[rule.index()].exit else {
                let given = self.given(rule, &state(fact), None);
                let after = self.reached(rule, &cube, &given)?;
                fact = self.facts.add(target, after, rule, Some((fact, None)));
                o = parent;
                continue;
            };
            let Some(caller) = caller else {
                // The caller's state is reached; now for the callee's exit.
                let given = self.given(rule, &state(fact), None);
                let query = Query {
                    rule,
                    cube: &cube,
                    level: None,
                    exit: Some(level),
                    given: &given,
                    is_relative: false,
                };
                if self.frames.step(query)?.is_none() {
                    let there = self.at_exit(rule, &cube);
                    self.post(exit.place, there, level, Some((parent, rule)), Some(fact));
                }
                return Ok(None);
            };
            let given = self.given(rule, &state(caller), Some(&state(fact)));
            let after = self.reached(rule, &cube, &given)?;
            fact = self.facts.add(target, after, rule, Some((caller, Some(fact))));
            o = parent;
        }
    }

    /// The state after a step into a cube.
    fn reached(
        &mut self,
        rule: RuleId,
        cube: &[ItemLit],
        given: &[Lit],
    ) -> Result<Vec<bool>, Failure> {
        let query = Query { rule, cube, level: None, exit: None, given, is_relative: false };
        if self.frames.step(query)?.is_some() {
            let what = "a step that was found is not there".to_string();
            return Err(EngineError::TraceDoesNotReplay(what).into());
        }
        Ok(self.state_after(rule, cube))
    }

    /// The state before a step, as literals: the caller's, and the callee's.
    fn given(&self, rule: RuleId, before: &[bool], exit: Option<&[bool]>) -> Vec<Lit> {
        let rule = &self.system.rules[rule.index()];
        let values = &self.system.places[rule.source.index()].values;
        let sign = |(value, &state): (&Option<Lit>, &bool)| Some((*value)?.xor_sign(!state));
        let mut all: Vec<Lit> = values.iter().zip(before).filter_map(sign).collect();
        if let (Some(exit), Some(state)) = (&rule.exit, exit) {
            let items = exit.values.iter().zip(state).enumerate();
            let items = items.filter(|(item, _)| !exit.unmodified.contains(item));
            all.extend(items.filter_map(|(_, pair)| sign(pair)));
        }
        all
    }

    /// The value of a literal in the last step from a place.
    fn value(&self, place: PlaceId, lit: Lit) -> bool {
        match self.aig.as_input(lit) {
            Some(i) => self.frames.value(place, i) != lit.is_negated(),
            None => self.aig.evaluate(&[lit], |i| self.frames.value(place, i))[0],
        }
    }

    /// The state in a cube after the last step by a rule.
    fn state_after(&self, rule: RuleId, cube: &[ItemLit]) -> Vec<bool> {
        let rule = &self.system.rules[rule.index()];
        let place = &self.system.places[rule.target.index()];
        let known = rule.after.iter().map(|v| v.unwrap_or(Lit::FALSE)).collect::<Vec<Lit>>();
        let mut state = self.aig.evaluate(&known, |i| self.frames.value(rule.source, i));
        for (value, item) in state.iter_mut().zip(&place.values) {
            *value &= item.is_some();
        }
        for (item, value) in cube.iter().map(|&l| parts(l)) {
            state[item] = value;
        }
        state
    }

    /// The literals of a rule that must have their values for a step into the cube.
    fn roots(&self, rule: RuleId, cube: &[ItemLit]) -> Vec<Lit> {
        let rule = &self.system.rules[rule.index()];
        let after = cube.iter().filter_map(|&l| rule.after[parts(l).0]);
        std::iter::once(rule.guard).chain(after).collect()
    }

    /// States like the one before the last step, all of which have such a step; values that enter a
    /// callee are kept.
    fn before(&mut self, rule: RuleId, cube: &[ItemLit]) -> Cube {
        let mut roots = self.roots(rule, cube);
        let Self { aig, system, .. } = *self;
        let source = system.rules[rule.index()].source;
        if let Some(exit) = &system.rules[rule.index()].exit {
            roots.extend(entering(system, exit));
        }
        let values = &system.places[source.index()].values;
        let items = self.items.entry(source).or_insert_with(|| system::items(aig, values));
        let value = |i: Input| self.frames.value(source, i);
        let inputs = justification(aig, &roots, value);
        system::cube(items, &inputs, value)
    }

    /// States of the callee's exit like the one in the last step, all of which, together with the
    /// caller's state, have such a step.
    fn at_exit(&self, rule: RuleId, cube: &[ItemLit]) -> Cube {
        let source = self.system.rules[rule.index()].source;
        let Some(exit) = &self.system.rules[rule.index()].exit else { return vec![] };
        let roots = self.roots(rule, cube);
        let value = |i: Input| self.frames.value(source, i);
        let inputs = justification(self.aig, &roots, value);
        let slots = exit.values.len() / 2;
        let mut there: BTreeMap<usize, bool> = BTreeMap::new();
        for (item, lit) in exit.values.iter().enumerate() {
            let Some(lit) = *lit else { continue };
            let is_needed = match item < slots {
                true => {
                    let input = self.aig.as_input(lit);
                    !exit.unmodified.contains(&item) && input.is_some_and(|i| inputs.contains(&i))
                }
                false => true,
            };
            if is_needed {
                there.insert(item, self.value(source, lit));
            }
        }
        there.into_iter().map(|(item, value)| literal(item, value)).collect()
    }
}

/// The values with which a callee is entered.
fn entering<'e>(system: &'e System, exit: &'e system::Exit) -> impl Iterator<Item = Lit> + 'e {
    let slots = system.places[exit.place.index()].values.len() / 2;
    exit.values[slots..].iter().filter_map(|v| *v)
}
