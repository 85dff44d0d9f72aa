//! States without choices: ∃ is eliminated by BDDs.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::factors::formula;
use crate::bdd::{Bdd, Manager, Size, Stop};
use crate::bp::program::VarId;
use crate::budget::{Budget, Exhausted, SolverFailure};
use crate::logic::{Aig, Input, Lit, aig::Node};
use crate::verdict::formula::{FALSE, Literal};
use crate::verdict::invariant::{Atom, CircuitBuilder};

/// Choices beyond which they stay: what has more is rarely small without them.
const CHOICES: usize = 2_000;

/// ∃ choices: `guard`, and each variable has its value.
pub struct Relation<'a> {
    pub guard: Lit,
    /// Current variables, with their values over entry values and choices.
    pub values: &'a [(VarId, Lit)],
    /// The inputs that are entry values.  All others are choices.
    pub entry: &'a BTreeMap<Input, VarId>,
}

impl Relation<'_> {
    /// As a formula of `circuit`: without choices where that stays small, else with them.
    pub fn formula(
        &self,
        aig: &Aig,
        circuit: &mut CircuitBuilder,
        budget: &Budget,
    ) -> Result<Literal, Exhausted> {
        if self.choices(aig) > CHOICES {
            return Ok(self.with_choices(aig, circuit));
        }
        match self.eliminated(aig, circuit, Size::steps(budget)[0], budget) {
            Ok(formula) => Ok(formula),
            Err(Stop::Full) => Ok(self.with_choices(aig, circuit)),
            Err(Stop::Exhausted(reason)) => Err(reason),
        }
    }

    /// As a formula of `circuit` that may be negated, hence without choices.
    ///
    /// # Errors
    /// What ended the budget, or that the largest table is full.
    pub fn exact(
        &self,
        aig: &Aig,
        circuit: &mut CircuitBuilder,
        budget: &Budget,
    ) -> Result<Literal, Exhausted> {
        for size in Size::steps(budget) {
            match self.eliminated(aig, circuit, size, budget) {
                Ok(formula) => return Ok(formula),
                Err(Stop::Full) => {}
                Err(Stop::Exhausted(reason)) => return Err(reason),
            }
        }
        Err(SolverFailure::Table.into())
    }

    fn choices(&self, aig: &Aig) -> usize {
        let support = aig.support(self.values.iter().map(|v| v.1).chain([self.guard]));
        support.iter().filter(|i| !self.entry.contains_key(i)).count()
    }

    fn with_choices(&self, aig: &Aig, circuit: &mut CircuitBuilder) -> Literal {
        let mut known: FxHashMap<usize, Literal> = FxHashMap::from_iter([(0, FALSE)]);
        let roots = || self.values.iter().map(|v| v.1).chain([self.guard]);
        for node in aig.cone(roots()) {
            let formula = match aig.node(node) {
                Node::False => FALSE,
                Node::Input(input) => circuit.atom(match self.entry.get(&input) {
                    Some(&v) => Atom::Entry(v),
                    None => Atom::Choice(input.0),
                }),
                Node::And(a, b) => circuit.and(signed(&known, a), signed(&known, b)),
            };
            known.insert(node, formula);
        }
        let mut all = signed(&known, self.guard);
        for &(v, value) in self.values {
            let now = circuit.atom(Atom::Current(v));
            let same = circuit.iff(now, signed(&known, value));
            all = circuit.and(all, same);
        }
        all
    }

    fn eliminated(
        &self,
        aig: &Aig,
        circuit: &mut CircuitBuilder,
        size: Size,
        budget: &Budget,
    ) -> Result<Literal, Stop> {
        if self.choices(aig) == 0 {
            return Ok(self.with_choices(aig, circuit));
        }
        let order = self.order(aig);
        let number: FxHashMap<Atom, u32> =
            order.iter().enumerate().map(|(i, &atom)| (atom, i as u32)).collect();
        let mut m = Manager::new(order.len(), size, budget)?;
        let mut known: FxHashMap<usize, Bdd> = FxHashMap::from_iter([(0, m.constant(false))]);
        for node in aig.cone(self.values.iter().map(|v| v.1).chain([self.guard])) {
            let bdd = match aig.node(node) {
                Node::False => m.constant(false),
                Node::Input(input) => m.variable(number[&self.atom(input)]),
                Node::And(a, b) => {
                    let (a, b) = (literal(&mut m, &known, a)?, literal(&mut m, &known, b)?);
                    m.and(&a, &b)?
                }
            };
            known.insert(node, bdd);
        }
        let mut all = literal(&mut m, &known, self.guard)?;
        for &(v, value) in self.values {
            let value = literal(&mut m, &known, value)?;
            let now = m.variable(number[&Atom::Current(v)]);
            let same = m.iff(&now, &value)?;
            all = m.and(&all, &same)?;
        }
        let choices = order.iter().zip(0..).filter(|(a, _)| matches!(a, Atom::Choice(_)));
        let cube = m.cube(choices.map(|(_, i)| i))?;
        let all = m.exists(&all, &cube)?;
        Ok(formula(circuit, &order, &all))
    }

    fn atom(&self, input: Input) -> Atom {
        self.entry.get(&input).map_or(Atom::Choice(input.0), |&v| Atom::Entry(v))
    }

    /// Inputs as a depth-first walk meets them; each variable after what its value depends on.
    fn order(&self, aig: &Aig) -> Vec<Atom> {
        let mut seen: FxHashSet<Input> = FxHashSet::default();
        let mut order = vec![];
        let mut visit = |root: Lit, order: &mut Vec<Atom>| {
            for node in aig.cone([root]) {
                if let Node::Input(input) = aig.node(node)
                    && seen.insert(input)
                {
                    order.push(self.atom(input));
                }
            }
        };
        for &(v, value) in self.values {
            visit(value, &mut order);
            order.push(Atom::Current(v));
        }
        visit(self.guard, &mut order);
        order
    }
}

fn signed(known: &FxHashMap<usize, Literal>, lit: Lit) -> Literal {
    known[&lit.node()] ^ u32::from(lit.is_negated())
}

fn literal(m: &mut Manager, known: &FxHashMap<usize, Bdd>, lit: Lit) -> Result<Bdd, Stop> {
    let bdd = &known[&lit.node()];
    if lit.is_negated() { m.not(bdd) } else { Ok(bdd.clone()) }
}
