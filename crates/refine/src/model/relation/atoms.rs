//! Abstract transition relations from the atoms of a block.
//!
//! A block is a Boolean combination of atoms over the values before it and over inputs, once
//! definitions are substituted and conditions are moved out of numbers: `ite(c, 3, x) == 4` becomes
//! `!c & x == 4`.  The valuations that atoms can have together, independent of the block, factor
//! into groups that share no variable, and these are small: `n` comparisons of one variable with
//! constants have n + 1 valuations.  The rest is done by BDDs.  The result is the same as that of
//! an enumeration of all models, which is needed only if a number has too many cases.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::query::{Query, Relations};
use crate::predicate::abstraction::AbstractionError;
use hardbop_base::budget::Budget;
use hardbop_logic::bdd::{Bdd, Stop};
use hardbop_smt::{Node, Sort, Term, Terms, Unknown};

/// The result of a computation under a trial budget; `None` if only the trial budget has run out.
///
/// # Errors
/// If the budget of the run runs out or a solver fails.
pub(super) fn within<T>(
    found: Result<T, AbstractionError>,
    budget: &Budget,
) -> Result<Option<T>, AbstractionError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(AbstractionError::Unknown(Unknown::Exhausted(_))) if budget.check().is_ok() => Ok(None),
        Err(AbstractionError::Full) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Why there is no relation.
pub(super) enum Failure {
    /// The relation is too large: enumeration may do better.
    Large,
    Error(AbstractionError),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Full => Self::Large,
            Stop::Exhausted(e) => Self::Error(AbstractionError::Unknown(e.into())),
        }
    }
}

impl From<AbstractionError> for Failure {
    fn from(e: AbstractionError) -> Self {
        Self::Error(e)
    }
}

/// The possible values of a number, each under a condition; exactly one condition holds.
type Cases = Rc<Vec<(Bdd, Term)>>;

/// A term as a BDD, or as cases of BDDs.
#[derive(Clone)]
enum Meaning {
    Condition(Bdd),
    Number(Cases),
}

struct Circuit<'a> {
    relations: &'a mut Relations,
    terms: &'a mut Terms,
    /// The term that each variable of the BDDs represents, over instances without definitions;
    /// literals come first.
    variables: Vec<Term>,
    atoms: IndexMap<Term, u32, FxBuildHasher>,
    meanings: FxHashMap<Term, Meaning>,
    /// The amount of work at which it gives up.
    end: u64,
    budget: &'a Budget,
}

/// Computes [`Relations::models`].
pub(super) fn models(
    relations: &mut Relations,
    terms: &mut Terms,
    query: Query,
    asked: &[usize],
    budget: &Budget,
) -> Result<Bdd, Failure> {
    let end = budget.work().saturating_add(relations.limits.work);
    let variables = query.literals.to_vec();
    let (atoms, meanings) = (IndexMap::default(), FxHashMap::default());
    let mut circuit = Circuit { relations, terms, variables, atoms, meanings, end, budget };
    circuit.reserve()?;
    // A literal that is itself an atom is represented by its own variable.
    let defined: Vec<Term> = query.definitions.iter().map(|&(i, _)| i).collect();
    for &i in asked {
        let literal = query.literals[i];
        if circuit.is_base(literal, &defined) {
            circuit.atoms.entry(literal).or_insert(i as u32);
        }
    }
    let path = query.conjuncts.get(query.definitions.len()..).unwrap_or_default();
    let mut needed: Vec<Term> = path.to_vec();
    needed.extend(asked.iter().map(|&i| query.literals[i]));
    circuit.definitions(query.definitions, &needed)?;
    let mut relation = circuit.relations.vocabulary.manager().constant(true);
    for &conjunct in path {
        let condition = circuit.condition(conjunct)?;
        relation = circuit.and(&relation, &condition)?;
    }
    let mut functions = vec![];
    for &i in asked {
        let function = circuit.condition(query.literals[i])?;
        functions.push((i as u32, function));
    }
    for facts in circuit.facts()? {
        relation = circuit.and(&relation, &facts)?;
    }
    for (v, function) in functions {
        let manager = circuit.relations.vocabulary.manager();
        let variable = manager.variable(v);
        if function != variable {
            let equal = manager.iff(&variable, &function)?;
            relation = circuit.and(&relation, &equal)?;
        }
    }
    let others: Vec<u32> =
        circuit.atoms.values().copied().filter(|v| !asked.contains(&(*v as usize))).collect();
    let manager = circuit.relations.vocabulary.manager();
    let others = manager.cube(others)?;
    Ok(manager.exists(&relation, &others)?)
}

impl Circuit<'_> {
    fn reserve(&mut self) -> Result<(), Failure> {
        Ok(self.relations.reserve(self.terms, self.variables.len())?)
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Failure> {
        if self.budget.work() > self.end {
            return Err(Failure::Large);
        }
        Ok(self.relations.vocabulary.manager().and(a, b)?)
    }

    fn or(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Failure> {
        Ok(self.relations.vocabulary.manager().or(a, b)?)
    }

    fn not(&mut self, a: &Bdd) -> Result<Bdd, Failure> {
        Ok(self.relations.vocabulary.manager().not(a)?)
    }

    /// Is it an atom without `ite`s, over leaves that have no definition?
    fn is_base(&self, literal: Term, defined: &[Term]) -> bool {
        let is_atom = match *self.terms.node(literal) {
            Node::Equal(a, _) => self.terms.sort(a) != Sort::Bool,
            Node::Compare(..) => true,
            _ => false,
        };
        is_atom
            && self
                .terms
                .postorder(&[literal], |_| false)
                .into_iter()
                .all(|t| !matches!(self.terms.node(t), Node::Ite(..)) && !defined.contains(&t))
    }

    /// Computes the definitions that these terms need.
    fn definitions(&mut self, all: &[(Term, Term)], roots: &[Term]) -> Result<(), Failure> {
        let mut needed: rustc_hash::FxHashSet<Term> =
            self.terms.support_of(roots).into_iter().collect();
        let mut used = vec![];
        for &(instance, value) in all.iter().rev() {
            if needed.contains(&instance) {
                needed.extend(self.terms.support(value));
                used.push((instance, value));
            }
        }
        // Each definition comes after those that it uses.
        for (instance, value) in used.into_iter().rev() {
            let meaning = self.meaning(value)?;
            self.meanings.insert(instance, meaning);
        }
        Ok(())
    }

    fn condition(&mut self, term: Term) -> Result<Bdd, Failure> {
        match self.meaning(term)? {
            Meaning::Condition(f) => Ok(f),
            Meaning::Number(_) => Err(Failure::Large),
        }
    }

    fn meaning(&mut self, term: Term) -> Result<Meaning, Failure> {
        let order = self.terms.postorder(&[term], |t| self.meanings.contains_key(&t));
        for t in order {
            if !self.meanings.contains_key(&t) {
                let meaning = match self.terms.sort(t) {
                    Sort::Bool => Meaning::Condition(self.boolean(t)?),
                    Sort::Bits(_) => Meaning::Number(self.number(t)?),
                    Sort::Int => return Err(Failure::Large),
                };
                self.meanings.insert(t, meaning);
            }
        }
        self.meanings.get(&term).cloned().ok_or(Failure::Large)
    }

    /// The meaning of a Boolean subterm that has already been visited.
    fn known(&self, term: Term) -> Result<Bdd, Failure> {
        match self.meanings.get(&term) {
            Some(Meaning::Condition(f)) => Ok(f.clone()),
            _ => Err(Failure::Large),
        }
    }

    fn cases(&self, term: Term) -> Result<Cases, Failure> {
        match self.meanings.get(&term) {
            Some(Meaning::Number(cases)) => Ok(cases.clone()),
            _ => Err(Failure::Large),
        }
    }

    fn boolean(&mut self, t: Term) -> Result<Bdd, Failure> {
        match self.terms.node(t).clone() {
            Node::Bool(value) => Ok(self.relations.vocabulary.manager().constant(value)),
            Node::Variable(_) | Node::Instance(..) => self.atom(t),
            Node::Not(a) => {
                let a = self.known(a)?;
                self.not(&a)
            }
            Node::And(all) => {
                let mut result = self.relations.vocabulary.manager().constant(true);
                for a in all.iter() {
                    let a = self.known(*a)?;
                    result = self.and(&result, &a)?;
                }
                Ok(result)
            }
            Node::Or(all) => {
                let mut result = self.relations.vocabulary.manager().constant(false);
                for a in all.iter() {
                    let a = self.known(*a)?;
                    result = self.or(&result, &a)?;
                }
                Ok(result)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.known(c)?, self.known(a)?, self.known(b)?);
                let yes = self.and(&c, &a)?;
                let no = self.relations.vocabulary.manager().minus(&b, &c)?;
                self.or(&yes, &no)
            }
            Node::Equal(a, b) if self.terms.sort(a) == Sort::Bool => {
                let (a, b) = (self.known(a)?, self.known(b)?);
                Ok(self.relations.vocabulary.manager().iff(&a, &b)?)
            }
            Node::Equal(a, b) | Node::Compare(_, a, b) => self.comparison(t, a, b),
            _ => Err(Failure::Large),
        }
    }

    /// An atom, by the cases of its operands.
    fn comparison(&mut self, t: Term, a: Term, b: Term) -> Result<Bdd, Failure> {
        let (left, right) = (self.cases(a)?, self.cases(b)?);
        let mut result = self.relations.vocabulary.manager().constant(false);
        for (g, x) in left.iter() {
            for (h, y) in right.iter() {
                let both = self.and(g, h)?;
                if both.is_false() {
                    continue;
                }
                let case = match *self.terms.node(t) {
                    Node::Compare(op, ..) => self.terms.compare(op, *x, *y),
                    _ => self.terms.equal(*x, *y),
                };
                let holds = self.formula(case)?;
                let holds = self.and(&both, &holds)?;
                result = self.or(&result, &holds)?;
            }
        }
        Ok(result)
    }

    /// A comparison of cases, which simplification may have turned into something else.
    fn formula(&mut self, t: Term) -> Result<Bdd, Failure> {
        match *self.terms.node(t) {
            Node::Bool(value) => Ok(self.relations.vocabulary.manager().constant(value)),
            Node::Not(a) => {
                let a = self.formula_below(a)?;
                self.not(&a)
            }
            _ => self.formula_below(t),
        }
    }

    fn formula_below(&mut self, t: Term) -> Result<Bdd, Failure> {
        match *self.terms.node(t) {
            Node::Equal(a, _) if self.terms.sort(a) != Sort::Bool => self.atom(t),
            Node::Compare(..) => self.atom(t),
            // A combination of smaller formulas over leaves.
            _ => self.condition(t),
        }
    }

    /// A variable for an atom.
    fn atom(&mut self, t: Term) -> Result<Bdd, Failure> {
        let variable = match self.atoms.get(&t) {
            Some(&known) => known,
            None => {
                let new = self.variables.len() as u32;
                self.variables.push(t);
                self.atoms.insert(t, new);
                self.reserve()?;
                new
            }
        };
        Ok(self.relations.vocabulary.manager().variable(variable))
    }

    fn number(&mut self, t: Term) -> Result<Cases, Failure> {
        let always = self.relations.vocabulary.manager().constant(true);
        let node = self.terms.node(t).clone();
        if node.is_leaf() || node.is_constant() {
            return Ok(Rc::new(vec![(always, t)]));
        }
        let mut found: IndexMap<Term, Bdd, FxBuildHasher> = IndexMap::default();
        if let Node::Ite(c, a, b) = node {
            let yes = self.known(c)?;
            let no = self.not(&yes)?;
            for (guard, branch) in [(yes, a), (no, b)] {
                for (g, value) in self.cases(branch)?.iter() {
                    let both = self.and(&guard, g)?;
                    self.case(&mut found, both, *value)?;
                }
            }
        } else {
            // All combinations of the operands' cases.
            let operands = self.terms.children(t);
            let mut rows: Vec<(Bdd, Vec<Term>)> = vec![(always, vec![])];
            for &operand in &operands {
                let cases = self.cases(operand)?;
                let mut next = vec![];
                for (guard, values) in &rows {
                    for (g, value) in cases.iter() {
                        let both = self.and(guard, g)?;
                        if !both.is_false() {
                            let mut values = values.clone();
                            values.push(*value);
                            next.push((both, values));
                        }
                    }
                }
                rows = next;
                if rows.len() > self.relations.limits.cases {
                    return Err(Failure::Large);
                }
            }
            for (guard, values) in rows {
                let of = |child: Term| {
                    let position = operands.iter().position(|&o| o == child);
                    position.map_or(child, |i| values[i])
                };
                let value = self.terms.rebuild(t, of);
                self.case(&mut found, guard, value)?;
            }
        }
        if found.len() > self.relations.limits.cases {
            return Err(Failure::Large);
        }
        Ok(Rc::new(found.into_iter().map(|(value, guard)| (guard, value)).collect()))
    }

    fn case(
        &mut self,
        found: &mut IndexMap<Term, Bdd, FxBuildHasher>,
        guard: Bdd,
        value: Term,
    ) -> Result<(), Failure> {
        if guard.is_false() {
            return Ok(());
        }
        let all = match found.get(&value) {
            Some(other) => self.or(other, &guard)?,
            None => guard,
        };
        found.insert(value, all);
        Ok(())
    }

    /// The valuations that atoms can have together: one fact for each group that shares no variable
    /// with others.
    fn facts(&mut self) -> Result<Vec<Bdd>, Failure> {
        let mut groups: Vec<(Vec<usize>, Vec<Term>)> = vec![];
        let atoms: Vec<(Term, u32)> = self.atoms.iter().map(|(&t, &v)| (t, v)).collect();
        for (atom, variable) in atoms {
            let mut leaves = self.terms.support(atom);
            let mut members = vec![variable as usize];
            groups.retain_mut(|(others, theirs)| {
                let apart = theirs.iter().all(|l| !leaves.contains(l));
                if !apart {
                    members.append(others);
                    leaves.append(theirs);
                }
                apart
            });
            leaves.sort_unstable();
            leaves.dedup();
            groups.push((members, leaves));
        }
        let mut facts = vec![];
        for (mut members, _) in groups {
            members.sort_unstable();
            // A Boolean leaf can have either value.
            if let [one] = members[..]
                && self.terms.node(self.variables[one]).is_leaf()
            {
                continue;
            }
            let literals = self.variables.clone();
            let query = Query { conjuncts: &[], definitions: &[], literals: &literals };
            let trial = self.budget.trial(self.relations.limits.group_work);
            let found = self.relations.enumerate(self.terms, query, &members, &trial);
            facts.push(within(found, self.budget)?.ok_or(Failure::Large)?);
        }
        Ok(facts)
    }
}
