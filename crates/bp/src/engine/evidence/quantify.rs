//! States with their choices eliminated.
//!
//! A state is a conjunction: its guard's conjuncts, and that each variable has its value.  A choice
//! that is the value of a variable becomes that variable; one that the guard determines is
//! replaced.  Conjuncts that still share choices form a part, and ∃ applies to each part alone:
//! BDDs in small tables eliminate it; if these get full, the part's choices stay.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use super::eliminate::Eliminator;
use crate::engine::order::Item;
use crate::language::program::VarId;
use crate::proof::formula::{FALSE, Literal, TRUE};
use crate::proof::invariant::{Atom, CircuitBuilder};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit, Substitution, aig::Node, shape};

/// ∃ choices: `guard` holds, and each variable has its value.
pub struct Relation<'a> {
    pub guard: Lit,
    /// Current variables, with their values over entry values and choices.
    pub values: &'a [(VarId, Lit)],
    /// The inputs that are entry values.  All others are choices.
    pub entry: &'a BTreeMap<Input, VarId>,
}

/// The meanings of the inputs of the graph.
pub struct Names<'a> {
    entry: &'a BTreeMap<Input, VarId>,
    /// Choices that equal the current value of a variable or, if true, its negation.
    current: FxHashMap<Input, (VarId, bool)>,
}

/// A literal that holds, or the value of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conjunct {
    Holds(Lit),
    Value(VarId, Lit),
}

/// Conjuncts that share choices with each other, and with no others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Part {
    pub conjuncts: Vec<Conjunct>,
    has_choices: bool,
    /// Inputs of the conjuncts that are current values.
    current: BTreeMap<Input, (VarId, bool)>,
}

impl Relation<'_> {
    /// A formula of `circuit`: without choices if that stays small, else with them.
    ///
    /// # Errors
    /// If the budget is exhausted.
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

    /// A formula of `circuit` that may be negated, hence without choices.
    ///
    /// # Errors
    /// If the budget is exhausted.
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

    /// The conjunction of all parts; `with` makes the formulas of those with choices.
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

    /// Conjuncts of the guard, and the values, after replacing choices that the guard determines;
    /// `None` if the guard is false.
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

    /// Choices that the conjuncts make constant, or equal to another input.
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
    /// Whether the input is neither an entry value nor a current one.
    pub fn is_choice(&self, input: Input) -> bool {
        !self.entry.contains_key(&input) && !self.current.contains_key(&input)
    }

    /// The item that stands for an input in orders, and whether it is the negation.
    pub fn item(&self, input: Input) -> (Item, bool) {
        match self.current.get(&input) {
            Some(&(v, negated)) => (Item::Variable(v.0), negated),
            None => (Item::Input(input), false),
        }
    }

    /// The atom of an item; gates have none.
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
    /// The literal that holds, or the value.
    pub fn lit(self) -> Lit {
        match self {
            Self::Holds(l) | Self::Value(_, l) => l,
        }
    }
}

impl Part {
    fn with_choices(&self, aig: &Aig, circuit: &mut CircuitBuilder, names: &Names) -> Literal {
        let lits: Vec<Lit> = self.conjuncts.iter().map(|c| c.lit()).collect();
        let lits = translated(aig, circuit, &lits, |circuit, i| names.literal(circuit, i));
        let mut all = TRUE;
        for (conjunct, mut holds) in self.conjuncts.iter().zip(lits) {
            if let &Conjunct::Value(v, _) = conjunct {
                let now = circuit.atom(Atom::Current(v));
                holds = circuit.iff(now, holds);
            }
            all = circuit.and(all, holds);
        }
        all
    }
}

/// Groups conjuncts that share choices.
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
    // Keyed by the number of one conjunct, which does not vary between runs.
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

/// Literals of the graph in a circuit; `input` says what the inputs are.
pub fn translated(
    aig: &Aig,
    circuit: &mut CircuitBuilder,
    lits: &[Lit],
    mut input: impl FnMut(&mut CircuitBuilder, Input) -> Literal,
) -> Vec<Literal> {
    let mut known: FxHashMap<usize, Literal> = FxHashMap::from_iter([(0, FALSE)]);
    for node in aig.cone(lits.iter().copied()) {
        let formula = match aig.node(node) {
            Node::False => FALSE,
            Node::Input(i) => input(circuit, i),
            Node::And(a, b) => circuit.and(signed(&known, a), signed(&known, b)),
        };
        known.insert(node, formula);
    }
    lits.iter().map(|&l| signed(&known, l)).collect()
}

fn signed(known: &FxHashMap<usize, Literal>, lit: Lit) -> Literal {
    known[&lit.node()] ^ u32::from(lit.is_negated())
}
