//! Generalised cubes: what one model of a block tells about other valuations of the predicates.
//!
//! A block's formula is a circuit: instances have total definitions over the inputs, and the path
//! condition says which inputs pass the block.  In a model, only some of the inputs justify that
//! the block is passed; the others are free, since changing their values gives another model.  The
//! predicates that depend on free inputs fall into groups that share no free input, so each group
//! can independently take any valuation that the inputs of earlier models give it. `n` flags with
//! arbitrary values thus form one cube, not 2ⁿ.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::BlockFormula;
use crate::limits;
use hardbop_smt::{Node, Term, Terms, Value};

/// A set of valuations of predicates (given by position), as a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    /// Predicates with a single value.
    pub fixed: Vec<(usize, bool)>,
    /// Predicates with several values, in groups that do not depend on each other.
    pub groups: Vec<Group>,
}

/// Predicates that depend on the same inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub predicates: Vec<usize>,
    /// Values in the order of `predicates`; at least two rows.
    pub rows: BTreeSet<Vec<bool>>,
}

impl Cube {
    /// The cube of one valuation.
    pub fn single(values: impl IntoIterator<Item = bool>) -> Self {
        Self { fixed: values.into_iter().enumerate().collect(), groups: vec![] }
    }
}

/// A block, the state before it and the predicates after it, as a circuit.
pub struct Circuit {
    /// All terms, each after its children and definition.
    order: Vec<Term>,
    position: FxHashMap<Term, usize>,
    /// The definitions of instances.
    definitions: FxHashMap<Term, Term>,
    inputs: Vec<Term>,
    /// The formulas that hold in each model.
    required: Vec<Term>,
    predicates: Vec<Term>,
    /// Earlier models, as values of the inputs.
    models: Vec<Vec<Value>>,
    /// Models in a row that could not be generalised.
    fruitless: usize,
    limits: limits::Abstraction,
}

/// The value of each term of `order`, if it is known.
type Values = Vec<Option<Value>>;

impl Circuit {
    /// A circuit for predicates given as terms over the block's instances.
    pub fn new(
        terms: &Terms,
        before: Term,
        block: &BlockFormula,
        predicates: &[Term],
        limits: limits::Abstraction,
    ) -> Self {
        let mut required = block.conjuncts[block.definitions.len()..].to_vec();
        required.push(before);
        let roots: Vec<Term> = required.iter().chain(predicates).copied().collect();
        let mut needed = FxHashSet::from_iter(terms.support_of(&roots));
        let mut definitions = FxHashMap::default();
        let mut used = vec![];
        for &(instance, value) in block.definitions.iter().rev() {
            if needed.contains(&instance) {
                needed.extend(terms.support(value));
                definitions.insert(instance, value);
                used.push(instance);
            }
        }
        let (mut order, mut position) = (vec![], FxHashMap::default());
        for instance in used.into_iter().rev().map(Some).chain([None]) {
            let roots = instance.map_or(&roots[..], |i| std::slice::from_ref(&definitions[&i]));
            let below = terms.postorder(roots, |t| position.contains_key(&t));
            for t in below.into_iter().chain(instance) {
                position.insert(t, order.len());
                order.push(t);
            }
        }
        let mut inputs = order.clone();
        inputs.retain(|t| terms.node(*t).is_leaf() && !definitions.contains_key(t));
        let predicates = predicates.to_vec();
        let (models, fruitless) = (vec![], 0);
        Self {
            order,
            position,
            definitions,
            inputs,
            required,
            predicates,
            models,
            fruitless,
            limits,
        }
    }

    /// The terms whose values determine a model.
    pub fn inputs(&self) -> &[Term] {
        &self.inputs
    }

    /// Is generalising models still worthwhile?
    pub fn pays(&self) -> bool {
        self.fruitless < self.limits.fruitless_models
    }

    /// A set of valuations of the predicates that models have, including the valuation of this
    /// model.  `None` if the circuit contradicts the solver, which may use other arithmetic.
    pub fn generalise(&mut self, terms: &Terms, model: Vec<Value>) -> Option<Cube> {
        let given: FxHashMap<Term, Value> =
            self.inputs.iter().copied().zip(model.iter().copied()).collect();
        let values = self.evaluate(terms, |t| given.get(&t).copied());
        let needed = self.justify(terms, &values)?;
        let rest = self.evaluate(terms, |t| {
            given.get(&t).copied().filter(|_| needed.contains(&self.position[&t]))
        });
        let at = |values: &Values, t: Term| values[self.position[&t]];
        if self.required.iter().any(|&r| at(&rest, r) != Some(Value::Bool(true))) {
            return None;
        }

        // The predicates that are open now, and the inputs on which they depend.
        let mut fixed = vec![];
        let mut parts: Vec<(Vec<usize>, FxHashSet<Term>)> = vec![];
        let mut undecided: BTreeSet<usize> = BTreeSet::new();
        for (i, &p) in self.predicates.iter().enumerate() {
            if let Some(Value::Bool(value)) = at(&rest, p) {
                fixed.push((i, value));
                continue;
            }
            let below = self.undecided(terms, &rest, p);
            let free = below.iter().map(|&n| self.order[n]);
            let mut part = (vec![i], free.filter(|t| given.contains_key(t)).collect());
            undecided.extend(below);
            parts.retain_mut(|(predicates, inputs)| {
                let separate = inputs.is_disjoint(&part.1);
                if !separate {
                    part.0.append(predicates);
                    part.1.extend(inputs.drain());
                }
                separate
            });
            parts.push(part);
        }

        // The values of each group in this model and in earlier ones.
        let mut rows: Vec<BTreeSet<Vec<bool>>> = vec![BTreeSet::new(); parts.len()];
        let mut mixed = rest;
        for model in self.models.iter().chain([&model]) {
            let given: FxHashMap<Term, Value> =
                self.inputs.iter().copied().zip(model.iter().copied()).collect();
            for &n in &undecided {
                mixed[n] = self.node(terms, self.order[n], &mixed, |t| given.get(&t).copied());
            }
            for ((predicates, _), rows) in parts.iter_mut().zip(&mut rows) {
                predicates.sort_unstable();
                let row: Option<Vec<bool>> = predicates
                    .iter()
                    .map(|&i| match at(&mixed, self.predicates[i]) {
                        Some(Value::Bool(b)) => Some(b),
                        _ => None,
                    })
                    .collect();
                rows.insert(row?);
            }
        }
        let mut groups = vec![];
        for ((predicates, _), rows) in parts.into_iter().zip(rows) {
            if rows.len() > 1 {
                groups.push(Group { predicates, rows });
            } else {
                fixed.extend(predicates.into_iter().zip(rows.into_iter().flatten()));
            }
        }
        self.fruitless = if groups.is_empty() { self.fruitless + 1 } else { 0 };
        if self.models.len() < self.limits.remembered_models {
            self.models.push(model);
        }
        Some(Cube { fixed, groups })
    }

    fn node(
        &self,
        terms: &Terms,
        t: Term,
        values: &Values,
        input: impl Fn(Term) -> Option<Value>,
    ) -> Option<Value> {
        let value = |t: Term| values[self.position[&t]];
        match self.definitions.get(&t) {
            Some(&definition) => value(definition),
            None => terms.evaluate_node(t, &value, &input),
        }
    }

    fn evaluate(&self, terms: &Terms, input: impl Fn(Term) -> Option<Value>) -> Values {
        let mut values = vec![None; self.order.len()];
        for (i, &t) in self.order.iter().enumerate() {
            values[i] = self.node(terms, t, &values, &input);
        }
        values
    }

    /// The terms on which a term directly depends, including the definition of an instance.
    fn below(&self, terms: &Terms, t: Term) -> Vec<Term> {
        match self.definitions.get(&t) {
            Some(&definition) => vec![definition],
            None => terms.children(t),
        }
    }

    /// Terms whose values make the required ones true, whatever values the others have.
    fn justify(&self, terms: &Terms, values: &Values) -> Option<FxHashSet<usize>> {
        let value = |t: &Term| values[self.position[t]];
        let mut needed: FxHashSet<usize> = FxHashSet::default();
        let mut stack = self.required.clone();
        while let Some(t) = stack.pop() {
            if !needed.insert(self.position[&t]) {
                continue;
            }
            // One deciding operand suffices; one that is needed anyway is preferred.
            let decides = |all: &[Term], by: bool| {
                let mut deciding = all.iter().filter(|t| value(t) == Some(Value::Bool(by)));
                let first = deciding.clone().next()?;
                Some(*deciding.find(|t| needed.contains(&self.position[t])).unwrap_or(first))
            };
            match (terms.node(t), value(&t)?) {
                (Node::And(all), Value::Bool(false)) => stack.push(decides(all, false)?),
                (Node::Or(all), Value::Bool(true)) => stack.push(decides(all, true)?),
                (&Node::Ite(c, a, b), _) => {
                    stack.push(if value(&c)? == Value::Bool(true) { a } else { b });
                    stack.push(c);
                }
                _ => stack.extend(self.below(terms, t)),
            }
        }
        Some(needed)
    }

    /// Positions of the unknown terms of which `t` consists.
    fn undecided(&self, terms: &Terms, values: &Values, t: Term) -> Vec<usize> {
        let mut seen = FxHashSet::from_iter([self.position[&t]]);
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            for child in self.below(terms, t) {
                let position = self.position[&child];
                if values[position].is_none() && seen.insert(position) {
                    stack.push(child);
                }
            }
        }
        seen.into_iter().collect()
    }
}
