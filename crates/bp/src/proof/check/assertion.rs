//! Assertions over the values of a state, split into conjuncts: as assumptions or as goals.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Subject;
use crate::language::program::{EdgeId, NodeId, ProcId, Procedure, VarId};
use crate::proof::failure::Obligation;
use crate::proof::formula::{FALSE, Formula, Literal, TRUE};
use crate::proof::invariant::Atom;

/// A node of a procedure.
pub(super) type Place = (ProcId, NodeId);

/// The values of variables.
pub(super) type State = FxHashMap<VarId, Literal>;

/// The choices of assertions, by layer and number.
type Choices = FxHashMap<(usize, u32), Literal>;

/// The assertion that has to hold, and the last statement of the path to it.
pub(super) type What = (Obligation, Place, Option<EdgeId>);

/// A goal: conjuncts that have to hold if `reached` does.
pub(super) struct Goal {
    pub what: What,
    pub layer: usize,
    pub reached: Literal,
    /// Conjuncts with the choices that may be chosen for them; proving one of the ways is enough.
    pub ways: Vec<(Vec<Literal>, Vec<Literal>)>,
}

/// A formula about executions, and the goals to prove of them.
pub(super) struct Encoding<'a> {
    pub subject: Subject<'a>,
    pub formula: Formula,
    /// Assumptions where executions start.
    pub facts: Vec<Literal>,
    pub goals: Vec<Goal>,
    /// The choices of these assumptions.
    pub choices: Choices,
}

impl<'a> Encoding<'a> {
    pub fn new(subject: Subject<'a>) -> Self {
        let (facts, goals, choices) = Default::default();
        Self { subject, formula: Formula::new(), facts, goals, choices }
    }

    /// Arbitrary values: of globals and formals at the entry of a procedure, and of all variables
    /// at a node.
    pub fn arbitrary(&mut self, (id, node): Place) -> (State, State) {
        let procedure = self.subject.program.procedure(id);
        let given = self.subject.program.globals.iter().chain(&procedure.formals);
        let entry: State = given.map(|&v| (v, self.formula.input())).collect();
        let mut current = if node == procedure.entry { entry.clone() } else { State::default() };
        self.complete(&mut current, procedure);
        (entry, current)
    }

    /// Gives arbitrary values to the variables without one.
    pub fn complete(&mut self, state: &mut State, p: &Procedure) {
        let lists = [&self.subject.program.globals, &p.formals, &p.locals, &p.returns];
        for &v in lists.into_iter().flatten() {
            state.entry(v).or_insert_with(|| self.formula.input());
        }
    }

    /// The assertions at a place as conjuncts over the values there, and their choices.
    ///
    /// Variables from `first` on occur only in these values.  So if an assertion says what such a
    /// variable equals, that is substituted for it (the one-point rule).
    pub fn assume(
        &mut self,
        place: Place,
        entry: &mut State,
        current: &mut State,
        first: u32,
    ) -> (Vec<Literal>, Choices) {
        let Subject { invariant, places, .. } = self.subject;
        let assertions = places.get(&place).into_iter().flatten();
        let mut equal: FxHashMap<u32, Literal> = FxHashMap::default();
        let find = |equal: &FxHashMap<u32, Literal>, mut literal: Literal| {
            while let Some(to) = equal.get(&(literal >> 1)) {
                literal = to ^ literal & 1;
            }
            literal
        };
        for &(layer, root) in assertions.clone() {
            let circuit = &invariant.layers[layer].circuit;
            let value = |l: Literal| match circuit.input(l >> 1) {
                None => Some(l),
                Some(Atom::Entry(v)) => Some(entry[&v] ^ l & 1),
                Some(Atom::Current(v)) => Some(current[&v] ^ l & 1),
                Some(Atom::Choice(_)) => None,
            };
            for conjunct in circuit.conjuncts(root) {
                let Some((a, b)) = circuit.equality(conjunct) else { continue };
                let (Some(a), Some(b)) = (value(a), value(b)) else { continue };
                let (a, b) = (find(&equal, a), find(&equal, b));
                // Replace the later one.
                let (a, b) = (a.min(b), a.max(b));
                if a >> 1 != b >> 1 && b >> 1 >= first {
                    equal.insert(b >> 1, a ^ b & 1);
                }
            }
        }
        entry.values_mut().chain(current.values_mut()).for_each(|v| *v = find(&equal, *v));
        let (mut facts, mut choices) = (Vec::new(), Choices::default());
        for &(layer, root) in assertions {
            facts.extend(self.instance(layer, root, entry, current, &mut choices));
        }
        facts.retain(|&f| f != TRUE);
        (facts, choices)
    }

    /// The conjuncts of an assertion over the values of a state; new choices become variables.
    fn instance(
        &mut self,
        layer: usize,
        root: Literal,
        entry: &State,
        current: &State,
        choices: &mut Choices,
    ) -> Vec<Literal> {
        let circuit = &self.subject.invariant.layers[layer].circuit;
        let conjuncts = circuit.conjuncts(root);
        let mut image: FxHashMap<u32, Literal> = FxHashMap::from_iter([(0, FALSE)]);
        let mut stack: Vec<u32> = conjuncts.iter().map(|c| c >> 1).collect();
        while let Some(&v) = stack.last() {
            if image.contains_key(&v) {
                stack.pop();
                continue;
            }
            let value = match circuit.input(v) {
                Some(Atom::Entry(x)) => entry[&x],
                Some(Atom::Current(x)) => current[&x],
                Some(Atom::Choice(c)) => {
                    *choices.entry((layer, c)).or_insert_with(|| self.formula.input())
                }
                None => {
                    let (a, b) = circuit.gate(v).expect("the invariant was validated");
                    let of = |l: Literal| image.get(&(l >> 1)).map(|i| i ^ l & 1);
                    let (Some(x), Some(y)) = (of(a), of(b)) else {
                        stack.extend([a >> 1, b >> 1]);
                        continue;
                    };
                    self.formula.and(x, y)
                }
            };
            image.insert(v, value);
        }
        conjuncts.iter().map(|c| image[&(c >> 1)] ^ c & 1).collect()
    }

    /// Adds the goal that the assertions at a place hold if `reached`, with these values.
    pub fn oblige(&mut self, what: What, reached: Literal, entry: &State, current: &State) {
        // What is known on the path need not be proved; this settles most conjuncts.
        let mut known = FxHashSet::from_iter(self.formula.conjuncts(reached));
        known.extend(self.facts.iter().copied());
        if known.contains(&FALSE) {
            return;
        }
        known.insert(TRUE);
        'layers: for &(layer, root) in self.subject.places.get(&what.1).into_iter().flatten() {
            let mut ways = Vec::new();
            // First try the values of the choices at the start, then arbitrary ones.
            for given in [self.choices.clone(), Choices::default()] {
                let mut choices = given.clone();
                let mut all = self.instance(layer, root, entry, current, &mut choices);
                all.retain(|conjunct| !known.contains(conjunct));
                if all.is_empty() {
                    continue 'layers;
                }
                choices.retain(|name, _| !given.contains_key(name));
                let mut choices: Vec<Literal> = choices.into_values().collect();
                choices.sort_unstable();
                ways.push((all, choices));
            }
            // Without choices, both ways are the same.
            ways.dedup();
            self.goals.push(Goal { what, layer, reached, ways });
        }
    }
}
