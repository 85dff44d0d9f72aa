//! Eliminates ∃ with BDDs, choice by choice, and with cubes if the BDDs get too large.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::cubes;
use super::factors::formula;
use super::quantify::{Conjunct, Names, Part};
use crate::engine::limits::{self, Limits};
use crate::engine::order::{Dependencies, Item};
use crate::proof::formula::{Literal, TRUE};
use crate::proof::invariant::{Atom, CircuitBuilder};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::bdd::{self, Bdd, Manager, Size, Stop};
use hardbop_logic::sat::Backend;
use hardbop_logic::{Aig, Input, Lit};

/// Stack for the operations, which recurse from variable to variable.
pub const STACK: usize = 32 << 20;

/// Eliminates choices, with tables that are reused.
pub struct Eliminator<'b> {
    pub budget: &'b Budget,
    backend: Backend,
    pub limits: &'b Limits,
    /// The attempts, from small to large tables.
    attempts: [Attempts; 2],
    /// Results of parts already tried: path edges share what their paths have in common.
    known: FxHashMap<Part, Option<Literal>>,
}

/// Attempts in a table of one size, which is reused.
struct Attempts {
    size: Size,
    /// Whether to use the better order (FORCE).
    force: bool,
    table: Option<Table>,
    /// Failures still allowed.
    patience: u32,
}

struct Table {
    manager: Manager,
    variables: usize,
}

/// A function, and the variables that it may depend on.
struct Factor {
    bdd: Bdd,
    support: BTreeSet<u32>,
}

impl<'b> Eliminator<'b> {
    pub fn new(backend: Backend, limits: &'b Limits, budget: &'b Budget) -> Self {
        let attempts = |size, force, patience| Attempts { size, force, table: None, patience };
        let &limits::Evidence { sketches, small_tables, .. } = &limits.evidence;
        let attempts =
            [attempts(Size::SKETCH, false, sketches), attempts(Size::SMALL, true, small_tables)];
        Self { budget, backend, limits, attempts, known: FxHashMap::default() }
    }

    /// ∃ choices: a part; `circuit` must always be the same.  `None` if the attempts fail, or
    /// failed too often.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn sketch(
        &mut self,
        aig: &Aig,
        circuit: &mut CircuitBuilder,
        names: &Names,
        part: &Part,
    ) -> Result<Option<Literal>, Exhausted> {
        if let Some(&known) = self.known.get(part) {
            return Ok(known);
        }
        let mut found = None;
        for attempts in self.attempts.iter_mut().filter(|a| a.patience > 0) {
            found = attempts.eliminated((aig, names, part), circuit, self.limits, self.budget)?;
            if found.is_some() {
                break;
            }
            attempts.patience -= 1;
        }
        self.known.insert(part.clone(), found);
        Ok(found)
    }

    /// ∃ choices: a part without current values, in the same circuit.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn exact(
        &mut self,
        aig: &mut Aig,
        circuit: &mut CircuitBuilder,
        names: &Names,
        part: &Part,
    ) -> Result<Literal, Exhausted> {
        if let Some(&Some(known)) = self.known.get(part) {
            return Ok(known);
        }
        let found = self.by_all_means(aig, circuit, names, part)?;
        self.known.insert(part.clone(), Some(found));
        Ok(found)
    }

    /// Tries BDDs and cubes in turn, with increasing effort.
    fn by_all_means(
        &mut self,
        aig: &mut Aig,
        circuit: &mut CircuitBuilder,
        names: &Names,
        part: &Part,
    ) -> Result<Literal, Exhausted> {
        for attempts in &mut self.attempts {
            let found =
                attempts.eliminated((aig, names, part), circuit, self.limits, self.budget)?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let few = self.limits.evidence.cubes;
        let mut cubes = cubes::Cubes::new(aig, part, self.backend);
        if let Some(found) = cubes.enumerate(aig, circuit, names, few, self.budget)? {
            return Ok(found);
        }
        if let Some(&size) = Size::steps(self.budget).get(1) {
            let mut large = Attempts { size, force: true, table: None, patience: 1 };
            let found = large.eliminated((aig, names, part), circuit, self.limits, self.budget)?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        loop {
            if let Some(found) = cubes.enumerate(aig, circuit, names, usize::MAX, self.budget)? {
                return Ok(found);
            }
        }
    }
}

impl Attempts {
    /// Makes one attempt; `None` if the table gets full, which is then discarded.
    fn eliminated(
        &mut self,
        (aig, names, part): (&Aig, &Names, &Part),
        circuit: &mut CircuitBuilder,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Option<Literal>, Exhausted> {
        let order = order(aig, (names, part), self.force, limits, budget)?;
        if order.len() > limits.evidence.variables {
            return Ok(None);
        }
        match self.formula((aig, names, part), &order, circuit, budget) {
            Ok(formula) => Ok(Some(formula)),
            Err(Stop::Full) => Ok(None),
            Err(Stop::Exhausted(reason)) => Err(reason),
        }
    }

    fn formula(
        &mut self,
        (aig, names, part): (&Aig, &Names, &Part),
        order: &[Item],
        circuit: &mut CircuitBuilder,
        budget: &Budget,
    ) -> Result<Literal, Stop> {
        let Table { mut manager, variables } = match self.table.take() {
            Some(table) if table.variables >= order.len() => table,
            _ => {
                let variables = order.len().next_power_of_two().max(256);
                Table { manager: Manager::new(variables, self.size, budget)?, variables }
            }
        };
        let factors = factors(&mut manager, aig, names, part, order)?;
        let atom = |&item: &Item| names.atom(item).unwrap_or(Atom::Choice(0));
        let atoms: Vec<Atom> = order.iter().map(atom).collect();
        let mut all = TRUE;
        for factor in &factors {
            let factor = formula(circuit, &atoms, &factor.bdd);
            all = circuit.and(all, factor);
        }
        drop(factors);
        self.table = Some(Table { manager, variables });
        Ok(all)
    }
}

/// The items for which BDD variables stand, in order.
fn order(
    aig: &Aig,
    (names, part): (&Names, &Part),
    force: bool,
    limits: &Limits,
    budget: &Budget,
) -> Result<Vec<Item>, Exhausted> {
    let mut dependencies = Dependencies::new(aig, |input| Some(names.item(input).0));
    for &conjunct in &part.conjuncts {
        match conjunct {
            Conjunct::Holds(l) => dependencies.function(None, l),
            Conjunct::Value(v, l) => dependencies.output(Item::Variable(v.0), l),
        }
    }
    if !force {
        return Ok(dependencies.items());
    }
    let mut sorted = dependencies.items();
    sorted.sort_unstable();
    dependencies.force(sorted, limits.evidence.order_moves, &limits.order, budget)
}

/// The part without choices, as a conjunction.  Bucket elimination (Dechter, "Bucket elimination: a
/// unifying framework for reasoning", 1999), from the last variable to the first.
fn factors(
    m: &mut Manager,
    aig: &Aig,
    names: &Names,
    part: &Part,
    order: &[Item],
) -> Result<Vec<Factor>, Stop> {
    let number: FxHashMap<Item, u32> = order.iter().copied().zip(0..).collect();
    let input = |m: &mut Manager, input: Input| {
        let (item, negated) = names.item(input);
        let variable = m.variable(number[&item]);
        if negated { m.not(&variable) } else { Ok(variable) }
    };
    let roots: Vec<Lit> = part.conjuncts.iter().map(|c| c.lit()).collect();
    let all = m.constant(true);
    let functions = bdd::functions(m, aig, &roots, &all, input)?;
    let mut factors = vec![];
    for (&conjunct, mut bdd) in part.conjuncts.iter().zip(functions) {
        let inputs = aig.support([conjunct.lit()]).into_iter();
        let mut support: BTreeSet<u32> = inputs.map(|i| number[&names.item(i).0]).collect();
        if let Conjunct::Value(v, _) = conjunct {
            let now = number[&Item::Variable(v.0)];
            support.insert(now);
            bdd = m.iff(&m.variable(now), &bdd)?;
        }
        factors.push(Factor { bdd, support });
    }
    for &item in order.iter().rev() {
        if !matches!(item, Item::Input(i) if names.is_choice(i)) {
            continue;
        }
        let choice = number[&item];
        let bucket = |f: &mut Factor| f.support.contains(&choice);
        let mut bucket: Vec<Factor> = factors.extract_if(.., bucket).collect();
        let Some(last) = bucket.pop() else { continue };
        let (mut rest, mut support) = (m.constant(true), last.support);
        for factor in &bucket {
            rest = m.and(&rest, &factor.bdd)?;
            support.extend(&factor.support);
        }
        let cube = m.variable(choice);
        let bdd = m.and_exists(&rest, &last.bdd, &cube)?;
        support.remove(&choice);
        factors.push(Factor { bdd, support });
    }
    Ok(factors)
}
