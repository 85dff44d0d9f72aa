//! Assertions over the values of a state: assumed, or as a goal; each as its conjuncts.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Index;
use crate::bp::program::{EdgeId, NodeId, ProcId};
use crate::verdict::failure::Obligation;
use crate::verdict::formula::{FALSE, Formula, Literal, TRUE};
use crate::verdict::invariant::{Atom, Circuit};

/// The values of globals, then of a procedure's formals, locals and return slots.
pub(super) type State = Vec<Literal>;

/// A node of a procedure.
pub(super) type Place = (ProcId, NodeId);

/// What is to hold where `reached` does.
pub(super) struct Goal {
    pub obligation: Obligation,
    /// Where the assertion stands.
    pub place: Place,
    /// The last statement of the path to it.
    pub last: Option<EdgeId>,
    pub reached: Literal,
    /// All of these, for suitable values of those variables; the first way that is proved will do.
    pub ways: Vec<(Vec<Literal>, Vec<Literal>)>,
}

/// A formula about executions, with what is to be proved of them.
pub(super) struct Encoding<'a> {
    pub index: &'a Index<'a>,
    pub formula: Formula,
    /// The layer that is to be proved.
    pub layer: usize,
    /// What is assumed where executions start.
    pub facts: Vec<Literal>,
    pub goals: Vec<Goal>,
    /// The choices of the assumptions at the start, by layer and name.
    choices: FxHashMap<(usize, u32), Literal>,
}

/// Two literals of inputs, or one and the constant, that are equal where `literal` holds.
fn equality(circuit: &Circuit, literal: Literal) -> Option<(Literal, Literal)> {
    if circuit.gate(literal >> 1).is_none() {
        return Some((literal, TRUE));
    }
    // ¬(¬(a ∧ b) ∧ ¬(¬a ∧ ¬b))
    let negated = |l: Literal| circuit.gate(l >> 1).filter(|_| l & 1 == 1);
    let (both, neither) = negated(literal)?;
    let ((a, b), (c, d)) = (negated(both)?, negated(neither)?);
    let is_input = |l: Literal| circuit.gate(l >> 1).is_none();
    ([(c, d), (d, c)].contains(&(a ^ 1, b ^ 1)) && is_input(a) && is_input(b)).then_some((a, b))
}

impl<'a> Encoding<'a> {
    pub fn new(index: &'a Index<'a>, layer: usize) -> Self {
        let (facts, goals, choices) = Default::default();
        Self { index, formula: Formula::new(), layer, facts, goals, choices }
    }

    /// `state` and fresh values behind it, until there are `width`.
    pub fn fresh(&mut self, mut state: State, width: usize) -> State {
        state.resize_with(width, || self.formula.input());
        state
    }

    /// Executions start at a place, with values that are arbitrary but for what the first `layers`
    /// layers say there.
    pub fn start(&mut self, layers: usize, place: Place, at_entry: bool) -> (State, State) {
        let mut entry = self.fresh(Vec::new(), self.index.entry_width(place.0));
        let begin = if at_entry { entry.clone() } else { Vec::new() };
        let mut current = self.fresh(begin, self.index.width(place.0));
        let values = (&mut entry, &mut current);
        (self.facts, self.choices) = self.assume(layers, place, values, 1);
        (entry, current)
    }

    /// What the first `layers` layers say at a place, as conjuncts over the values there.
    ///
    /// Variables from `first` on are in nothing but these values, so where an assertion says what
    /// such a variable equals, it is replaced by that.
    pub fn assume(
        &mut self,
        layers: usize,
        place: Place,
        (entry, current): (&mut State, &mut State),
        first: u32,
    ) -> (Vec<Literal>, FxHashMap<(usize, u32), Literal>) {
        let index = self.index;
        let all = index.assertions(place).iter().take_while(|a| a.0 < layers);
        let all: Vec<(usize, Vec<Literal>)> =
            all.map(|&(layer, root)| (layer, index.circuit(layer).conjuncts(root))).collect();
        // By variable from `first` on: itself, or what it equals.
        let mut equal: Vec<Literal> = (first..=self.formula.len() as u32).map(|v| v << 1).collect();
        let find = |equal: &[Literal], mut literal: Literal| {
            while let Some(&to) =
                (literal >> 1).checked_sub(first).and_then(|i| equal.get(i as usize))
            {
                if to >> 1 == literal >> 1 {
                    break;
                }
                literal = to ^ literal & 1;
            }
            literal
        };
        for (layer, literals) in &all {
            let circuit = index.circuit(*layer);
            let value = |l: Literal| match circuit.input(l >> 1) {
                None => Some(l),
                Some(Atom::Entry(v)) => Some(entry[index.slot[v.index()]] ^ l & 1),
                Some(Atom::Current(v)) => Some(current[index.slot[v.index()]] ^ l & 1),
                Some(Atom::Choice(_)) => None,
            };
            for (a, b) in literals.iter().filter_map(|&l| equality(circuit, l)) {
                if let (Some(a), Some(b)) = (value(a), value(b)) {
                    // Of two variables the later one goes.
                    let (a, b) = (find(&equal, a), find(&equal, b));
                    let (a, b) = (a.min(b), a.max(b));
                    if a >> 1 != b >> 1 && b >> 1 >= first {
                        equal[(b >> 1) as usize - first as usize] = a ^ b & 1;
                    }
                }
            }
        }
        entry.iter_mut().chain(current.iter_mut()).for_each(|v| *v = find(&equal, *v));
        let (mut facts, mut choices) = (Vec::new(), FxHashMap::default());
        for (layer, literals) in all {
            let values = self.instance(layer, &literals, (entry, current), &mut choices);
            facts.extend(values.into_iter().filter(|&f| f != TRUE));
        }
        (facts, choices)
    }

    /// Literals of a layer's circuit over the values of a state; its choices get variables.
    fn instance(
        &mut self,
        layer: usize,
        roots: &[Literal],
        (entry, current): (&State, &State),
        choices: &mut FxHashMap<(usize, u32), Literal>,
    ) -> Vec<Literal> {
        let (index, circuit) = (self.index, self.index.circuit(layer));
        let mut image: FxHashMap<u32, Literal> = FxHashMap::from_iter([(0, FALSE)]);
        let mut stack: Vec<u32> = roots.iter().map(|r| r >> 1).collect();
        while let Some(&v) = stack.last() {
            if image.contains_key(&v) {
                stack.pop();
                continue;
            }
            let value = match (circuit.input(v), circuit.gate(v)) {
                (Some(Atom::Entry(x)), _) => entry[index.slot[x.index()]],
                (Some(Atom::Current(x)), _) => current[index.slot[x.index()]],
                (Some(Atom::Choice(c)), _) => {
                    *choices.entry((layer, c)).or_insert_with(|| self.formula.input())
                }
                (None, Some((a, b))) => {
                    let of = |l: Literal| image.get(&(l >> 1)).map(|i| i ^ l & 1);
                    let (Some(x), Some(y)) = (of(a), of(b)) else {
                        stack.extend([a >> 1, b >> 1]);
                        continue;
                    };
                    self.formula.and(x, y)
                }
                (None, None) => unreachable!("the invariant was validated"),
            };
            image.insert(v, value);
        }
        roots.iter().map(|r| image[&(r >> 1)] ^ r & 1).collect()
    }

    /// The layer's assertion at a place has to hold where `reached`, after the edge `last`.
    pub fn oblige(
        &mut self,
        (obligation, place, last): (Obligation, Place, Option<EdgeId>),
        reached: Literal,
        entry: &State,
        current: &State,
    ) {
        let (index, layer) = (self.index, self.layer);
        let Some(root) = index.assertion(layer, place) else { return };
        // Earlier layers are known to hold everywhere.
        let (mut e, mut c) = (entry.clone(), current.clone());
        let earlier = self.assume(layer, place, (&mut e, &mut c), u32::MAX).0;
        let reached = earlier.into_iter().fold(reached, |all, e| self.formula.and(all, e));
        // What is known on the path need not be proved: this is how most of it is settled.
        let mut known = FxHashSet::from_iter(self.formula.conjuncts(reached));
        known.extend(self.facts.iter().copied());
        if known.contains(&FALSE) {
            return;
        }
        known.insert(TRUE);
        let literals = index.circuit(layer).conjuncts(root);
        let quantified = |l: &Literal| index.quantified[layer][(l >> 1) as usize];
        let (quantified, plain): (Vec<_>, Vec<_>) = literals.into_iter().partition(quantified);
        // Choices may have the values of those of the same name at the start, or any.
        let named = self.choices.iter().filter(|(name, _)| name.0 == layer);
        let named: FxHashMap<_, _> = named.map(|(&name, &x)| (name, x)).collect();
        let mut oblige = |roots: &[Literal], given: &[&FxHashMap<_, Literal>]| {
            let mut ways = Vec::new();
            for &given in given {
                let mut choices = given.clone();
                let mut all = self.instance(layer, roots, (entry, current), &mut choices);
                all.retain(|v| !known.contains(v));
                if all.is_empty() {
                    return;
                }
                choices.retain(|name, _| !given.contains_key(name));
                let mut choices: Vec<Literal> = choices.into_values().collect();
                choices.sort_unstable();
                ways.push((all, choices));
            }
            self.goals.push(Goal { obligation, place, last, reached, ways });
        };
        oblige(&plain, &[&named]);
        oblige(&quantified, &[&named, &FxHashMap::default()]);
    }
}
