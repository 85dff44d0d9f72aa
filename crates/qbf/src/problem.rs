//! A private, compact copy of one query, on which the solver works.
//!
//! The copy has its own graph, so cofactors and simplified variants do not burden the caller's graph.  Invariants:
//! `premise` contains only conjuncts over universals; the caller's query is valid iff the copy is; and a counterexample
//! to the copy, completed by `fixed`, is one to the query.

use rustc_hash::FxHashMap;

use super::limits::Limits;
use super::matching;
use super::query::ForallExists;
use hardbop_logic::{Aig, Input, Lit, Node, Substitution, shape};

/// A conjunction was found to be plainly false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Falsified {
    /// So the query is valid.
    Premise,
    /// So the query is valid only if the premise is unsatisfiable.
    Conclusion,
}

/// The copy.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    pub limits: Limits,
    pub aig: Aig,
    /// For each input, the caller's input that it represents.
    pub origin: Vec<Input>,
    /// For each input: is it existential?
    pub existential: Vec<bool>,
    /// Conjuncts over universals.
    pub premise: Vec<Lit>,
    /// Conjuncts.
    pub conclusion: Vec<Lit>,
    /// Pairs of literals that must be equal.
    pub equalities: Vec<(Lit, Lit)>,
    /// Guesses at existentials as functions of universals; correctness does not depend on them.
    pub hints: Vec<(Input, Lit)>,
    /// Values of universals (the caller's inputs) that simplification removed.
    pub fixed: Vec<(Input, bool)>,
}

impl Problem {
    /// Copies the part of the graph on which the query depends.
    pub fn new(aig: &Aig, query: &ForallExists, limits: Limits) -> Self {
        let mut existential = vec![false; aig.input_count()];
        for y in &query.existentials {
            existential[y.0 as usize] = true;
        }
        let whole = Self {
            limits,
            aig: Aig::new(),
            origin: (0..aig.input_count() as u32).map(Input).collect(),
            existential,
            premise: query.premise.clone(),
            conclusion: query.conclusion.clone(),
            equalities: query.equalities.clone(),
            hints: Vec::new(),
            fixed: Vec::new(),
        };
        let mut copy = whole.copy_from(aig);
        copy.hints = matching::guess(&copy);
        copy
    }

    /// Removes nodes and inputs that are no longer needed.
    pub fn compact(&mut self) {
        let aig = std::mem::take(&mut self.aig);
        *self = self.copy_from(&aig);
    }

    /// All literals on which the problem depends.
    pub fn roots(&self) -> impl Iterator<Item = Lit> + '_ {
        let pairs = self.equalities.iter().flat_map(|&(l, r)| [l, r]);
        self.premise.iter().copied().chain(self.conclusion.iter().copied()).chain(pairs)
    }

    /// A copy of `self`, whose literals are in `source`, with its own graph.
    fn copy_from(&self, source: &Aig) -> Self {
        let mut aig = Aig::new();
        let mut image: FxHashMap<usize, Lit> = FxHashMap::default();
        image.insert(0, Lit::FALSE);
        let of = |image: &FxHashMap<usize, Lit>, l: Lit| image[&l.node()].xor_sign(l.is_negated());
        let mut origin = Vec::new();
        let mut existential = Vec::new();
        // Hints for existentials that no longer occur are dropped.
        let needed = self.support_marks(source);
        let hints: Vec<(Input, Lit)> =
            self.hints.iter().copied().filter(|(y, _)| needed[y.0 as usize]).collect();
        for n in source.cone(self.roots().chain(hints.iter().map(|&(_, l)| l))) {
            let lit = match source.node(n) {
                Node::False => Lit::FALSE,
                Node::Input(i) => {
                    origin.push(self.origin[i.0 as usize]);
                    existential.push(self.existential[i.0 as usize]);
                    aig.new_input_lit()
                }
                Node::And(a, b) => {
                    let (a, b) = (of(&image, a), of(&image, b));
                    aig.and(a, b)
                }
            };
            image.insert(n, lit);
        }
        let all = |lits: &[Lit]| lits.iter().map(|&l| of(&image, l)).collect();
        Self {
            limits: self.limits,
            premise: all(&self.premise),
            conclusion: all(&self.conclusion),
            equalities: self
                .equalities
                .iter()
                .map(|&(l, r)| (of(&image, l), of(&image, r)))
                .collect(),
            hints: hints
                .iter()
                .filter_map(|&(y, l)| {
                    let y = aig.as_input(of(&image, source.input(y)))?;
                    Some((y, of(&image, l)))
                })
                .collect(),
            fixed: self.fixed.clone(),
            aig,
            origin,
            existential,
        }
    }

    /// For each input: does the problem depend on it?  `source` has the problem's literals.
    fn support_marks(&self, source: &Aig) -> Vec<bool> {
        let mut needed = vec![false; self.origin.len()];
        if !self.hints.is_empty() {
            for i in source.support(self.roots()) {
                needed[i.0 as usize] = true;
            }
        }
        needed
    }

    /// Is this a (possibly negated) existential input?
    pub fn as_existential(&self, lit: Lit) -> Option<Input> {
        self.aig.as_input(lit).filter(|i| self.existential[i.0 as usize])
    }

    /// For each node of the graph: does it depend on an existential?
    pub fn dependent_nodes(&self) -> Vec<bool> {
        let mut dependent = vec![false; self.aig.len()];
        for n in 0..self.aig.len() {
            dependent[n] = match self.aig.node(n) {
                Node::False => false,
                Node::Input(i) => self.existential[i.0 as usize],
                Node::And(a, b) => dependent[a.node()] || dependent[b.node()],
            };
        }
        dependent
    }

    /// The existentials on which `roots` depend, in order.
    pub fn existential_support(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<Input> {
        let mut support = self.aig.support(roots);
        support.retain(|i| self.existential[i.0 as usize]);
        support
    }

    /// Splits premise and conclusion into conjuncts, and turns equalities with a constant side into conjuncts.
    pub fn flatten(&mut self) -> Result<(), Falsified> {
        self.premise =
            shape::conjuncts(&self.aig, self.premise.drain(..)).ok_or(Falsified::Premise)?;
        let mut open = Vec::with_capacity(self.equalities.len());
        for (l, r) in self.equalities.drain(..) {
            if l == !r {
                return Err(Falsified::Conclusion);
            }
            if l.is_constant() {
                self.conclusion.push(r.xor_sign(l == Lit::FALSE));
            } else if r.is_constant() {
                self.conclusion.push(l.xor_sign(r == Lit::FALSE));
            } else if l != r {
                open.push((l, r));
            }
        }
        self.equalities = open;
        self.conclusion =
            shape::conjuncts(&self.aig, self.conclusion.drain(..)).ok_or(Falsified::Conclusion)?;
        Ok(())
    }

    /// Makes every remaining equality a conjunct.
    pub fn close_equalities(&mut self) -> Result<(), Falsified> {
        for (l, r) in std::mem::take(&mut self.equalities) {
            let equal = self.aig.iff(l, r);
            self.conclusion.push(equal);
        }
        self.flatten()
    }

    /// Applies a substitution to conclusion, equalities and hints.
    pub fn rewrite_conclusion(&mut self, map: &mut Substitution) {
        for (_, l) in &mut self.hints {
            *l = self.aig.substitute_one(*l, map);
        }
        for l in &mut self.conclusion {
            *l = self.aig.substitute_one(*l, map);
        }
        for (l, r) in &mut self.equalities {
            *l = self.aig.substitute_one(*l, map);
            *r = self.aig.substitute_one(*r, map);
        }
    }

    /// A counterexample in the caller's inputs; if an input is listed twice, the later value counts.
    pub fn counterexample(&self, mut value: impl FnMut(Input) -> bool) -> Vec<(Input, bool)> {
        let mut out = Vec::new();
        for (i, (&origin, &existential)) in self.origin.iter().zip(&self.existential).enumerate() {
            if !existential {
                out.push((origin, value(Input(i as u32))));
            }
        }
        // Comes last, since a fixed input may still be in the graph.
        out.extend(&self.fixed);
        out
    }
}
