//! States that are reached, each with how: the must-summaries, and the path to an error.

use rustc_hash::FxHashMap;

use super::cube::{ItemLit, contains};
use super::system::{Kind, PlaceId, RuleId, System};
use crate::engine::guide::way::Way;
use crate::engine::path::Hint;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::BlockStep;

/// The number of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(u32);

/// A state that an execution reaches.
pub struct Fact {
    pub place: PlaceId,
    /// The value of each item; false for dead ones.
    pub state: Vec<bool>,
    rule: RuleId,
    /// The state before the step, and, if it is a return, the state at the callee's exit.
    before: Option<(FactId, Option<FactId>)>,
}

/// All facts.
#[derive(Default)]
pub struct Facts {
    facts: Vec<Fact>,
    known: FxHashMap<(PlaceId, Vec<bool>), FactId>,
    at: FxHashMap<PlaceId, Vec<FactId>>,
}

impl FactId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Facts {
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// The fact that was added after so many others.
    pub fn at_index(&self, index: usize) -> Option<FactId> {
        (index < self.facts.len()).then_some(FactId(index as u32))
    }

    pub fn get(&self, id: FactId) -> &Fact {
        &self.facts[id.0 as usize]
    }

    /// A fact in a cube.
    pub fn find(&self, place: PlaceId, cube: &[ItemLit]) -> Option<FactId> {
        let here = self.at.get(&place)?.iter().rev();
        here.copied().find(|&f| contains(cube, &self.get(f).state))
    }

    /// Adds a fact, unless it is known.
    pub fn add(
        &mut self,
        place: PlaceId,
        state: Vec<bool>,
        rule: RuleId,
        before: Option<(FactId, Option<FactId>)>,
    ) -> FactId {
        let next = FactId(self.facts.len() as u32);
        let id = *self.known.entry((place, state.clone())).or_insert(next);
        if id == next {
            self.facts.push(Fact { place, state, rule, before });
            self.at.entry(place).or_default().push(id);
        }
        id
    }

    /// The steps from the start of the program to a fact.
    pub fn way(&self, system: &System, prepared: &Prepared, fact: FactId) -> Way {
        let mut backwards: Vec<(BlockStep, Hint)> = vec![];
        let mut tasks = vec![Task::Back { fact, is_outermost: true }];
        while let Some(task) = tasks.pop() {
            let (mut fact, is_outermost) = match task {
                Task::Emit(steps, fact) => {
                    self.emit(&mut backwards, steps, self.hint(system, prepared, fact));
                    continue;
                }
                Task::Back { fact, is_outermost } => (fact, is_outermost),
            };
            while let Some((from, exit)) = self.get(fact).before {
                let rule = &system.rules[self.get(fact).rule.index()];
                match (rule.kind, exit) {
                    (Kind::Return, Some(exit)) => {
                        let then = rule.then.iter().rev().map(|&step| (step, Hint::new()));
                        backwards.extend(then);
                        backwards.push((BlockStep::Return, self.hint(system, prepared, exit)));
                        tasks.push(Task::Back { fact: from, is_outermost });
                        tasks.push(Task::Emit(&rule.first, from));
                        tasks.push(Task::Back { fact: exit, is_outermost: false });
                        break;
                    }
                    (Kind::Enter, _) if !is_outermost => break,
                    _ => self.emit(&mut backwards, &rule.first, self.hint(system, prepared, from)),
                }
                fact = from;
            }
        }
        let (steps, hints) = backwards.into_iter().rev().unzip();
        Way { steps, hints, over: prepared.transparent() }
    }

    /// Adds steps, of which the first starts with known values.
    fn emit(&self, backwards: &mut Vec<(BlockStep, Hint)>, steps: &[BlockStep], hint: Hint) {
        let hints = std::iter::once(hint).chain(std::iter::repeat_with(Hint::new));
        let forwards: Vec<_> = steps.iter().copied().zip(hints).collect();
        backwards.extend(forwards.into_iter().rev());
    }

    /// The values of the variables that are live at a fact.
    fn hint(&self, system: &System, prepared: &Prepared, fact: FactId) -> Hint {
        let fact = self.get(fact);
        let place = &system.places[fact.place.index()];
        let slots = &prepared.frame(place.procedure).slots;
        let live = prepared.live(place.procedure, place.node).ones();
        live.map(|slot| (slots[slot], fact.state[slot])).collect()
    }
}

/// The path is written down from its end.
enum Task<'s> {
    /// How a fact was reached from its procedure's entry; if it is the outermost one, also how that
    /// was called.
    Back { fact: FactId, is_outermost: bool },
    /// Steps, from a fact on.
    Emit(&'s [BlockStep], FactId),
}
