//! States without choices.
//!
//! A state is a conjunction: of its guard's conjuncts, and that each variable has its value.  A
//! choice that is the value of a variable is that variable; one that the guard determines is
//! replaced.  Conjuncts that then have choices in common are a part, and ∃ is for each part alone:
//! BDDs in small tables eliminate them, and where these get full the choices of that part stay.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use super::eliminate::Eliminator;
use crate::base::budget::{Budget, Exhausted};
use crate::boolean::engine::order::Item;
use crate::boolean::language::program::VarId;
use crate::boolean::proof::formula::{FALSE, Literal, TRUE};
use crate::boolean::proof::invariant::{Atom, CircuitBuilder};
use crate::solve::logic::{Aig, Input, Lit, aig::Node, aig::Substitution, shape};

/// ∃ choices: `guard`, and each variable has its value.
pub struct Relation<'a> {
    pub guard: Lit,
    /// Current variables, with their values over entry values and choices.
    pub values: &'a [(VarId, Lit)],
    /// The inputs that are entry values.  All others are choices.
    pub entry: &'a BTreeMap<Input, VarId>,
}

/// What the inputs of the graph stand for.
pub struct Names<'a> {
    entry: &'a BTreeMap<Input, VarId>,
    /// Choices that are the current value of a variable, or its negation.
    current: FxHashMap<Input, (VarId, bool)>,
}

/// Of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conjunct {
    Holds(Lit),
    Value(VarId, Lit),
}

/// Conjuncts that have no choices in common with others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Part {
    pub conjuncts: Vec<Conjunct>,
    has_choices: bool,
    /// Choices of the conjuncts that are current values.
    current: BTreeMap<Input, (VarId, bool)>,
}

impl Relation<'_> {
    /// As a formula of `circuit`: without choices where that stays small, else with them.
    ///
    /// # Errors
    /// What ended the budget.
    pub fn formula(
        &self,
        aig: &mut Aig,
        circuit: &mut CircuitBuilder,
        eliminator: &mut Eliminator,
    ) -> Result<Literal, Exhausted> {
        let rounds = eliminator.limits.evidence.substitutions;
        self.by_parts(aig, circuit, rounds, eliminator.budget, |aig, circuit, names, part| {
            match eliminator.sketch(aig, circuit, names, part)? {
                Some(formula) => Ok(formula),
                None => Ok(part.with_choices(aig, circuit, names)),
            }
        })
    }

    /// As a formula of `circuit` that may be negated, hence without choices.
    ///
    /// # Errors
    /// What ended the budget.
    pub fn exact(
        &self,
        aig: &mut Aig,
        circuit: &mut CircuitBuilder,
        eliminator: &mut Eliminator,
    ) -> Result<Literal, Exhausted> {
        let rounds = eliminator.limits.evidence.substitutions;
        self.by_parts(aig, circuit, rounds, eliminator.budget, |aig, circuit, names, part| {
            eliminator.exact(aig, circuit, names, part)
        })
    }

    /// The conjunction of all parts, those with choices as `with` says.
    pub(super) fn by_parts(
        &self,
        aig: &mut Aig,
        circuit: &mut CircuitBuilder,
        rounds: usize,
        budget: &Budget,
        mut with: impl FnMut(&mut Aig, &mut CircuitBuilder, &Names, &Part) -> Result<Literal, Exhausted>,
    ) -> Result<Literal, Exhausted> {
        let mut all = TRUE;
        let Some((guard, values)) = self.simplified(aig, rounds, budget)? else { return Ok(FALSE) };
        let mut names = Names { entry: self.entry, current: FxHashMap::default() };
        let mut conjuncts: Vec<Conjunct> = guard.into_iter().map(Conjunct::Holds).collect();
        for (v, value) in values {
            match aig.as_input(value).filter(|&i| names.is_choice(i)) {
                Some(choice) => _ = names.current.insert(choice, (v, value.is_negated())),
                None => conjuncts.push(Conjunct::Value(v, value)),
            }
        }
        for part in parts(aig, &names, conjuncts, budget)? {
            let formula = match part.has_choices {
                true => with(aig, circuit, &names, &part)?,
                false => part.with_choices(aig, circuit, &names),
            };
            all = circuit.and(all, formula);
        }
        Ok(all)
    }

    /// Conjuncts of the guard, and values, once choices that the guard determines are replaced;
    /// `None` where it is false.
    #[expect(clippy::type_complexity, reason = "only here")]
    fn simplified(
        &self,
        aig: &mut Aig,
        rounds: usize,
        budget: &Budget,
    ) -> Result<Option<(Vec<Lit>, Vec<(VarId, Lit)>)>, Exhausted> {
        let mut roots: Vec<Lit> = self.values.iter().map(|v| v.1).chain([self.guard]).collect();
        for round in 0.. {
            budget.check()?;
            let Some((&guard, values)) = roots.split_last() else { break };
            let Some(conjuncts) = shape::conjuncts(aig, [guard]) else { return Ok(None) };
            let map = self.determined(aig, &conjuncts);
            if map.is_empty() || round == rounds {
                let values = self.values.iter().zip(values).map(|(&(v, _), &l)| (v, l));
                return Ok(Some((conjuncts, values.collect())));
            }
            let mut substitution = Substitution::new();
            map.into_iter().for_each(|(choice, l)| substitution.replace(aig, choice, l));
            roots = aig.substitute(&roots, &mut substitution);
        }
        Ok(None)
    }

    /// Choices that are constant, or another input.
    fn determined(&self, aig: &Aig, conjuncts: &[Lit]) -> BTreeMap<Input, Lit> {
        let choice = |l: Lit| aig.as_input(l).filter(|i| !self.entry.contains_key(i));
        let constant = |&l: &Lit| Some((choice(l)?, Lit::TRUE.xor_sign(l.is_negated())));
        let map: BTreeMap<Input, Lit> = conjuncts.iter().filter_map(constant).collect();
        if !map.is_empty() {
            return map;
        }
        let equal = |&l: &Lit| {
            let (a, b) = shape::as_iff(aig, l)?;
            let (a, b) = if choice(a).is_some() { (a, b) } else { (b, a) };
            aig.as_input(b)?;
            Some((choice(a)?, b.xor_sign(a.is_negated())))
        };
        conjuncts.iter().find_map(equal).into_iter().collect()
    }
}

impl Names<'_> {
    /// An input that is neither an entry value nor a current one.
    pub fn is_choice(&self, input: Input) -> bool {
        !self.entry.contains_key(&input) && !self.current.contains_key(&input)
    }

    /// What is ordered for an input, and whether it is its negation.
    pub fn item(&self, input: Input) -> (Item, bool) {
        match self.current.get(&input) {
            Some(&(v, negated)) => (Item::Variable(v.0), negated),
            None => (Item::Input(input), false),
        }
    }

    /// What stands for an item; gates have nothing.
    pub fn atom(&self, item: Item) -> Option<Atom> {
        match item {
            Item::Variable(v) => Some(Atom::Current(VarId(v))),
            Item::Input(input) => Some(match self.entry.get(&input) {
                Some(&v) => Atom::Entry(v),
                None => Atom::Choice(input.0),
            }),
            Item::Gate(_) => None,
        }
    }

    fn literal(&self, circuit: &mut CircuitBuilder, input: Input) -> Literal {
        let (item, negated) = self.item(input);
        let atom = self.atom(item).unwrap_or(Atom::Choice(input.0));
        circuit.atom(atom) ^ u32::from(negated)
    }
}

impl Conjunct {
    /// What has to hold, or the value.
    pub fn lit(self) -> Lit {
        match self {
            Self::Holds(l) | Self::Value(_, l) => l,
        }
    }
}

impl Part {
    fn with_choices(&self, aig: &Aig, circuit: &mut CircuitBuilder, names: &Names) -> Literal {
        let mut known: FxHashMap<usize, Literal> = FxHashMap::from_iter([(0, FALSE)]);
        for node in aig.cone(self.conjuncts.iter().map(|c| c.lit())) {
            let formula = match aig.node(node) {
                Node::False => FALSE,
                Node::Input(input) => names.literal(circuit, input),
                Node::And(a, b) => circuit.and(signed(&known, a), signed(&known, b)),
            };
            known.insert(node, formula);
        }
        let mut all = TRUE;
        for conjunct in &self.conjuncts {
            let mut holds = signed(&known, conjunct.lit());
            if let &Conjunct::Value(v, _) = conjunct {
                let now = circuit.atom(Atom::Current(v));
                holds = circuit.iff(now, holds);
            }
            all = circuit.and(all, holds);
        }
        all
    }
}

/// Takes a conjunction apart.
fn parts(
    aig: &Aig,
    names: &Names,
    conjuncts: Vec<Conjunct>,
    budget: &Budget,
) -> Result<Vec<Part>, Exhausted> {
    let mut together: UnionFind<usize> = UnionFind::new(conjuncts.len());
    let mut supports: Vec<Vec<Input>> = Vec::with_capacity(conjuncts.len());
    let mut first: FxHashMap<Input, usize> = FxHashMap::default();
    for (n, conjunct) in conjuncts.iter().enumerate() {
        budget.check()?;
        let support = aig.support([conjunct.lit()]);
        for &choice in support.iter().filter(|&&i| names.is_choice(i)) {
            together.union(*first.entry(choice).or_insert(n), n);
        }
        supports.push(support);
    }
    // By the number of one of them, which is the same from run to run.
    let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
    for (n, (&conjunct, support)) in conjuncts.iter().zip(&supports).enumerate() {
        let part = parts.entry(together.find(n)).or_default();
        part.conjuncts.push(conjunct);
        part.has_choices |= support.iter().any(|&i| names.is_choice(i));
        let current = support.iter().filter_map(|i| Some((*i, *names.current.get(i)?)));
        part.current.extend(current);
    }
    Ok(parts.into_values().collect())
}

fn signed(known: &FxHashMap<usize, Literal>, lit: Lit) -> Literal {
    known[&lit.node()] ^ u32::from(lit.is_negated())
}
