//! What equations are about: the values of a place, and gates.
//!
//! The inputs of a place are its values; a gate of the graph that depends on nothing else has a
//! value in each of its states as well, and what a rule computes of one place is often kept in
//! another: the sum of two counters in a third one.  These are the *signals* of van Eijk,
//! "Sequential Equivalence Checking Based on Structural Similarities" (IEEE TCAD 2000), whose
//! signal correspondence relation is the largest one that holds at the start and that each step
//! preserves.  The gates are those of the conditions of errors: where a condition depends on the
//! values after a step alone, it is one of the place that the step leads to as well.

use rustc_hash::{FxHashMap, FxHashSet};

use super::system::{self, PlaceId, Rule, System};
use hardbop_logic::{Aig, Lit, Node, Substitution};

/// Values as literals, by signal: first the items of a place, then gates.  `None`: dead, or any.
type Values = Vec<Option<Lit>>;

/// The signals of all places.
pub struct Signals {
    /// The values at each place, in the formulas of the rules that start there.
    pub values: Vec<Values>,
    /// The values after each rule, by signal of its target.
    pub after: Vec<Values>,
    /// The values at the callee's exit, by signal of that place, for each rule that is a return.
    pub exits: Vec<Values>,
}

impl Signals {
    /// The items of each place, and no gates.
    pub fn items(system: &System) -> Self {
        let exit = |rule: &Rule| rule.exit.as_ref().map_or(vec![], |e| e.values.clone());
        Self {
            values: system.places.iter().map(|p| p.values.clone()).collect(),
            after: system.rules.iter().map(|r| r.after.clone()).collect(),
            exits: system.rules.iter().map(exit).collect(),
        }
    }

    /// The items of each place, and gates, of which there are no more than `most` in all.
    pub fn with_gates(aig: &mut Aig, system: &System, most: usize) -> Self {
        let gates = system.places.iter().map(|_| FxHashSet::default()).collect();
        let mut run = Run { aig, system, signals: Self::items(system), gates, most };
        for rule in system.rules.iter().filter(|r| system.places[r.target.index()].is_error) {
            run.add(rule.source.index(), &[rule.guard]);
            let beside = |r: &&Rule| r.source == rule.source && r.target != rule.target;
            system.rules.iter().filter(beside).for_each(|r| run.add_after(r, rule.guard));
        }
        run.follow();
        run.signals
    }

    /// The number of gates.
    pub fn gates(&self, system: &System) -> usize {
        let of = |(v, p): (&Values, &system::Place)| v.len() - p.values.len();
        self.values.iter().zip(&system.places).map(of).sum()
    }
}

struct Run<'a> {
    aig: &'a mut Aig,
    system: &'a System,
    signals: Signals,
    /// The gates among the signals of each place.
    gates: Vec<FxHashSet<usize>>,
    most: usize,
}

impl Run<'_> {
    /// Finds the values of gates after rules, and at exits.
    fn follow(&mut self) {
        let system = self.system;
        for (r, rule) in system.rules.iter().enumerate() {
            let after = self.gates_after(rule.target, &rule.after);
            self.signals.after[r].extend(after);
            if let Some(exit) = &rule.exit {
                let there = self.gates_after(exit.place, &exit.values);
                self.signals.exits[r].extend(there);
            }
        }
    }

    /// The gates of a place where its items have these values; `None` for those that depend on one
    /// that may be any.
    fn gates_after(&mut self, place: PlaceId, by: &Values) -> Values {
        let values = &self.system.places[place.index()].values;
        let gates = self.signals.values[place.index()][values.len()..].to_vec();
        let items = system::items(self.aig, values);
        let mut map = Substitution::new();
        let mut any = FxHashSet::default();
        for (&input, &item) in &items {
            match by[item] {
                Some(lit) => map.replace(self.aig, input, lit),
                None => _ = any.insert(input),
            }
        }
        let mut one = |gate: Lit| {
            let is_any =
                !any.is_empty() && self.aig.support([gate]).iter().any(|i| any.contains(i));
            (!is_any).then(|| self.aig.substitute_one(gate, &mut map))
        };
        gates.iter().map(|gate| one((*gate)?)).collect()
    }

    /// Adds the gates below a literal that depend on values after a rule alone: a condition that is
    /// checked at the end of a step becomes one of the values at the target.
    fn add_after(&mut self, rule: &Rule, root: Lit) {
        let place = rule.target.index();
        let mut now: FxHashMap<usize, Lit> = FxHashMap::default();
        for (value, after) in self.system.places[place].values.iter().zip(&rule.after) {
            if let (&Some(value), &Some(after)) = (value, after) {
                now.entry(after.node()).or_insert(value.xor_sign(after.is_negated()));
            }
        }
        now.insert(0, Lit::FALSE);
        for node in self.aig.cone([root]) {
            if let Node::And(a, b) = self.aig.node(node)
                && let (Some(&x), Some(&y)) = (now.get(&a.node()), now.get(&b.node()))
                && !now.contains_key(&node)
            {
                let x = x.xor_sign(a.is_negated());
                let gate = self.aig.and(x, y.xor_sign(b.is_negated()));
                now.insert(node, gate);
                self.add(place, &[gate]);
            }
        }
    }

    /// Adds the gates below some literals that depend on values of a place alone.
    fn add(&mut self, place: usize, roots: &[Lit]) {
        let items = system::items(self.aig, &self.system.places[place].values);
        let mut pure: FxHashMap<usize, bool> = FxHashMap::default();
        for node in self.aig.cone(roots.iter().copied()) {
            let is_pure = match self.aig.node(node) {
                Node::False => true,
                Node::Input(input) => items.contains_key(&input),
                Node::And(a, b) => {
                    let is_gate = pure[&a.node()] && pure[&b.node()];
                    if is_gate && self.most > 0 && self.gates[place].insert(node) {
                        self.signals.values[place].push(Some(Lit::new(node, false)));
                        self.most -= 1;
                    }
                    is_gate
                }
            };
            pure.insert(node, is_pure);
        }
    }
}
