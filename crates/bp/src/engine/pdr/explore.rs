//! Reached states, one by one, as long as they are few for each step: counters that go far and deep
//! recursion have runs that are long but narrow, and a level of the frames would be one round of
//! theirs.
//!
//! Finds errors only.  Where a step has many choices, some are tried.

use rustc_hash::FxHashMap;

use super::facts::{FactId, Facts};
use super::system::{Exit, Kind, PlaceId, Rule, RuleId, System};
use crate::engine::limits::Directed;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::circuit::{Circuit, MASKS};
use hardbop_logic::{Aig, Input, Lit};

/// Gates, evaluated 64 times each, that count as one unit of work.
const UNIT: u64 = 1 << 14;

/// An error state, with how it is reached; `None` if none was found within the limits.
///
/// # Errors
/// If the budget is exhausted.
pub fn explore(
    aig: &Aig,
    system: &System,
    limits: &Directed,
    budget: &Budget,
) -> Result<Option<(Facts, FactId)>, Exhausted> {
    let mut run = Run::new(aig, system);
    let mut next = 0;
    while let Some(fact) = run.facts.at_index(next) {
        let depth = run.depths[next] as usize;
        let count = run.facts.len();
        if count > limits.states && count > limits.width * depth
            || run.gates > limits.gates
            || run.values > limits.values
        {
            return Ok(None);
        }
        run.expand(fact, budget)?;
        if let Some(error) = run.error {
            return Ok(Some((run.facts, error)));
        }
        next += 1;
    }
    Ok(None)
}

/// The first so many states that are reached, with few steps before many; a few more, if the last
/// steps lead to several.
///
/// # Errors
/// If the budget is exhausted.
pub fn first(
    aig: &Aig,
    system: &System,
    count: usize,
    budget: &Budget,
) -> Result<Facts, Exhausted> {
    let mut run = Run::new(aig, system);
    let mut next = 0;
    while let Some(fact) = run.facts.at_index(next).filter(|_| run.facts.len() < count) {
        run.expand(fact, budget)?;
        next += 1;
    }
    Ok(run.facts)
}

/// Values of items.
type Key = Vec<bool>;

struct Run<'a> {
    system: &'a System,
    facts: Facts,
    /// The number of steps to each fact.
    depths: Vec<u32>,
    /// The steps from each place.
    moves: Vec<Vec<Move>>,
    /// The waiting callers, and the exits, by return and the values that the caller gives.
    callers: FxHashMap<(RuleId, Key), Vec<FactId>>,
    exits: FxHashMap<(RuleId, Key), Vec<FactId>>,
    error: Option<FactId>,
    random: Random,
    /// Gates that were evaluated, of which work was counted up to a number.
    gates: u64,
    counted: u64,
    /// Values in all states.
    values: u64,
}

/// The source of an input's value.
#[derive(Clone, Copy)]
enum Source {
    Item(usize),
    /// An item of the callee's exit.
    Exit(usize),
    /// One of the choices, by number.
    Choice(usize),
}

/// A rule, laid out for simulation.
struct Move {
    rule: RuleId,
    circuit: Circuit,
    /// The source of each input of the circuit.
    sources: Vec<Source>,
    choices: usize,
    /// The root, or else the choice, that has the value of each item of the target.
    after: Vec<Option<After>>,
    /// Items of the callee's exit whose values the caller gives; they are the first roots after the
    /// guard.
    given: Vec<usize>,
}

#[derive(Clone, Copy)]
enum After {
    Root(usize),
    Choice(usize),
}

impl Move {
    fn new(aig: &Aig, system: &System, id: RuleId) -> Self {
        let rule = &system.rules[id.index()];
        let exits =
            rule.exit.as_ref().map_or_else(FxHashMap::default, |e| returned(aig, system, e));
        let given = rule.exit.as_ref().map_or(vec![], |e| given(aig, e, &exits));
        let mut roots = vec![rule.guard];
        let exit = |&item: &usize| rule.exit.as_ref().and_then(|e| e.values[item]);
        roots.extend(given.iter().filter_map(exit));
        let mut choices = 0;
        let mut choice = || {
            choices += 1;
            choices - 1
        };
        let target = &system.places[rule.target.index()];
        let after = rule.after.iter().zip(&target.values).map(|(value, item)| {
            item.as_ref()?;
            Some(match value {
                None => After::Choice(choice()),
                Some(lit) => {
                    roots.push(*lit);
                    After::Root(roots.len() - 1)
                }
            })
        });
        let after = after.collect();
        let circuit = Circuit::new(aig, &roots);
        let items = match rule.kind {
            Kind::Start => FxHashMap::default(),
            _ => super::system::items(aig, &system.places[rule.source.index()].values),
        };
        let source = |i: Input| match (items.get(&i), exits.get(&i)) {
            (Some(&item), _) => Source::Item(item),
            (_, Some(&item)) => Source::Exit(item),
            _ => Source::Choice(choice()),
        };
        let sources = circuit.inputs().map(source).collect();
        Self { rule: id, circuit, sources, choices, after, given }
    }

    /// The words of the roots, with those of the choices, and the lanes that are in use.
    fn words(
        &mut self,
        random: &mut Random,
        state: &[bool],
        exit: &[bool],
    ) -> (Vec<u64>, Vec<u64>, u64) {
        let is_few = self.choices <= MASKS.len();
        let choices: Vec<u64> = match is_few {
            true => MASKS[..self.choices].to_vec(),
            // All false, all true, and some others.
            false => (0..self.choices).map(|_| random.bits() & !1 | 2).collect(),
        };
        let lanes = if is_few && self.choices < 6 { (1 << (1 << self.choices)) - 1 } else { !0 };
        let mut sources = self.sources.iter();
        let word = |bit: bool| if bit { !0 } else { 0 };
        let words = self.circuit.run(|_| match sources.next() {
            Some(&Source::Item(item)) => word(state[item]),
            Some(&Source::Exit(item)) => word(exit.get(item).copied().unwrap_or(false)),
            Some(&Source::Choice(c)) => choices[c],
            None => 0,
        });
        (words, choices, lanes)
    }

    /// The states after it.
    fn run(&mut self, random: &mut Random, state: &[bool], exit: &[bool]) -> Vec<Vec<bool>> {
        let (words, choices, mut lanes) = self.words(random, state, exit);
        lanes &= words[0];
        for (&item, &word) in self.given.iter().zip(&words[1..]) {
            lanes &= if exit[item] { word } else { !word };
        }
        let mut states: Vec<Vec<bool>> = vec![];
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            let value = |after: &Option<After>| match *after {
                None => false,
                Some(After::Root(root)) => words[root] >> lane & 1 == 1,
                Some(After::Choice(c)) => choices[c] >> lane & 1 == 1,
            };
            let state = self.after.iter().map(value).collect();
            if !states.contains(&state) {
                states.push(state);
            }
        }
        states
    }

    /// The values that a caller gives.
    fn keys(&mut self, random: &mut Random, state: &[bool]) -> Vec<Key> {
        let (words, _, mut lanes) = self.words(random, state, &[]);
        let mut keys: Vec<Key> = vec![];
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            let key = words[1..=self.given.len()].iter().map(|w| w >> lane & 1 == 1).collect();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

/// The inputs that are values at a callee's exit, with their items.
fn returned(aig: &Aig, system: &System, exit: &Exit) -> FxHashMap<Input, usize> {
    let callee = system.places[exit.place.index()].procedure;
    let own = &system.returned[callee.index()];
    let item = |(item, value): (usize, &Option<Lit>)| {
        let input = aig.as_input((*value)?).filter(|i| own.contains(i))?;
        Some((input, item))
    };
    exit.values.iter().enumerate().filter_map(item).collect()
}

/// The items of a callee's exit whose values are the caller's.
fn given(aig: &Aig, exit: &Exit, returned: &FxHashMap<Input, usize>) -> Vec<usize> {
    let is_given = |lit: Lit| aig.as_input(lit).is_none_or(|i| !returned.contains_key(&i));
    let items = exit.values.iter().enumerate();
    items.filter(|(_, value)| value.is_some_and(is_given)).map(|(item, _)| item).collect()
}

impl<'a> Run<'a> {
    fn new(aig: &Aig, system: &'a System) -> Self {
        let mut moves: Vec<Vec<Move>> = system.places.iter().map(|_| vec![]).collect();
        for (id, rule) in (0..).map(RuleId).zip(&system.rules) {
            if rule.kind != Kind::Start {
                moves[rule.source.index()].push(Move::new(aig, system, id));
            }
        }
        let mut run = Self {
            system,
            facts: Facts::default(),
            depths: vec![],
            moves,
            callers: FxHashMap::default(),
            exits: FxHashMap::default(),
            error: None,
            random: Random::new(1),
            gates: 0,
            counted: 0,
            values: 0,
        };
        for (id, rule) in (0..).map(RuleId).zip(&system.rules) {
            if rule.kind == Kind::Start {
                let mut start = Move::new(aig, system, id);
                for state in start.run(&mut run.random, &[], &[]) {
                    run.add(rule.target, state, id, None);
                }
            }
        }
        run
    }

    /// Counts an evaluation.
    fn spend(&mut self, gates: usize, budget: &Budget) -> Result<(), Exhausted> {
        self.gates += 1 + gates as u64;
        while self.counted < self.gates {
            self.counted += UNIT;
            budget.check()?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        place: PlaceId,
        state: Vec<bool>,
        rule: RuleId,
        before: Option<(FactId, Option<FactId>)>,
    ) {
        let fact = self.facts.add(place, state, rule, before);
        if self.facts.len() > self.depths.len() {
            self.values += self.facts.get(fact).state.len() as u64;
            let depth = |f: FactId| self.depths[f.index()];
            let depth = before.map_or(0, |(a, b)| 1 + depth(a).max(b.map_or(0, depth)));
            self.depths.push(depth);
            if self.system.places[place.index()].is_error && self.error.is_none() {
                self.error = Some(fact);
            }
        }
    }

    /// All steps from a state.
    fn expand(&mut self, fact: FactId, budget: &Budget) -> Result<(), Exhausted> {
        let system = self.system;
        let (place, state) = {
            let fact = self.facts.get(fact);
            (fact.place, fact.state.clone())
        };
        for m in 0..self.moves[place.index()].len() {
            let next = &mut self.moves[place.index()][m];
            let (id, rule) = (next.rule, &system.rules[next.rule.index()]);
            let gates = next.circuit.len();
            if rule.exit.is_none() {
                for after in next.run(&mut self.random, &state, &[]) {
                    self.add(rule.target, after, id, Some((fact, None)));
                }
                self.spend(gates, budget)?;
                continue;
            }
            for key in next.keys(&mut self.random, &state) {
                let exits = self.exits.get(&(id, key.clone())).cloned().unwrap_or_default();
                self.callers.entry((id, key)).or_default().push(fact);
                for exit in exits {
                    self.come_back((id, rule), m, (fact, exit), budget)?;
                }
            }
            self.spend(gates, budget)?;
        }
        for &id in &system.places[place.index()].returns {
            let rule = &system.rules[id.index()];
            let moves = &self.moves[rule.source.index()];
            let Some(m) = moves.iter().position(|m| m.rule == id) else { continue };
            let key: Key = moves[m].given.iter().map(|&item| state[item]).collect();
            let callers = self.callers.get(&(id, key.clone())).cloned().unwrap_or_default();
            self.exits.entry((id, key)).or_default().push(fact);
            for caller in callers {
                self.come_back((id, rule), m, (caller, fact), budget)?;
            }
        }
        Ok(())
    }

    /// The return from a call.
    fn come_back(
        &mut self,
        (id, rule): (RuleId, &Rule),
        m: usize,
        (caller, exit): (FactId, FactId),
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let (before, there) = (self.facts.get(caller), self.facts.get(exit));
        let next = &mut self.moves[rule.source.index()][m];
        for after in next.run(&mut self.random, &before.state, &there.state) {
            self.add(rule.target, after, id, Some((caller, Some(exit))));
        }
        let gates = self.moves[rule.source.index()][m].circuit.len();
        self.spend(gates, budget)
    }
}
