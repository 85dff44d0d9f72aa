//! The candidates at a location: what the text suggests, and relations that loops often preserve.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::arrays::Arrays;
use crate::affine::Affine;
use crate::block::problem::Problem;
use crate::limits;
use crate::select::candidates::Candidates;
use hardbop_cfa::{Location, Operation};
use hardbop_smt::{Comparison, Node, Sort, Symbol, Term, Terms};

/// Classes of variables that meet in which no two are compared any more.
const CROWD: usize = 16;
/// Constants with which a variable is compared.
const CONSTANTS: usize = 48;

/// Copies by which a variable of an atom is replaced.
const COPIES: usize = 4;
/// Conditions under which a candidate may hold.
const GUARDS: usize = 16;

/// The sources of candidates.
pub struct Sources {
    text: Candidates,
    arrays: Arrays,
    affine: Affine,
    copies: FxHashMap<Symbol, BTreeSet<Symbol>>,
}

impl Sources {
    pub fn new(terms: &mut Terms, problem: &Problem, limits: limits::Limits) -> Self {
        let operations = problem.automaton.edges.iter().map(|e| &e.operation);
        let text = Candidates::new(terms, operations.clone());
        let mut copies: FxHashMap<Symbol, BTreeSet<Symbol>> = FxHashMap::default();
        for (to, value) in operations.clone().flat_map(Operation::changes) {
            if let Some(&Node::Variable(from)) = value.map(|t| terms.node(t)) {
                copies.entry(from).or_default().insert(to);
                copies.entry(to).or_default().insert(from);
            }
        }
        let arrays = Arrays::new(terms, operations);
        let affine = Affine::new(terms, problem, limits.affine);
        Self { text, arrays, affine, copies }
    }

    /// The candidates about these variables at a location, in no particular order.
    pub fn at(&self, terms: &mut Terms, location: Location, live: &[Symbol]) -> Vec<Term> {
        let mut found: IndexSet<Term, FxBuildHasher> = IndexSet::default();
        let few: Vec<Symbol> = live.iter().copied().filter(|&s| !self.arrays.contains(s)).collect();
        found.extend(self.affine.relations(terms, location, &few));
        let guards = self.guards(terms, &few);
        found.extend(self.arrays.candidates(terms, live, &self.text, &guards));
        for &s in &few {
            for atom in self.text.of(terms, s, CONSTANTS) {
                for atom in self.about(terms, atom, live) {
                    found.extend([atom, terms.not(atom)]);
                }
            }
            let Sort::Bits(width) = terms.symbol_sort(s) else { continue };
            if width == 1 {
                continue;
            }
            let x = terms.variable(s);
            let mut constants = self.text.values(s);
            constants.sort_unstable();
            for c in constants.into_iter().take(CONSTANTS).chain([0]) {
                let c = terms.bits(width, c);
                orders(terms, x, c, &mut found);
            }
            let alike = few.iter().copied();
            let alike: Vec<Symbol> = alike
                .filter(|&o| terms.symbol_sort(o) == Sort::Bits(width) && self.text.meet(s, o))
                .collect();
            let is_crowd = alike.len() > CROWD;
            let others: Vec<Symbol> = alike.into_iter().filter(|&o| o > s).collect();
            for other in others.into_iter().filter(|_| !is_crowd) {
                let y = terms.variable(other);
                orders(terms, x, y, &mut found);
            }
        }
        found.into_iter().filter(|&t| terms.value(t).is_none()).collect()
    }
}

impl Sources {
    /// An atom as it is about live variables: each other one is replaced by one that it is a copy
    /// of, or that is a copy of it.
    fn about(&self, terms: &mut Terms, atom: Term, live: &[Symbol]) -> Vec<Term> {
        let mut atoms = vec![atom];
        for leaf in terms.support(atom) {
            let Node::Variable(s) = *terms.node(leaf) else { return vec![] };
            if live.binary_search(&s).is_ok() {
                continue;
            }
            let copies = self.copies.get(&s).into_iter().flatten();
            let copies = copies.copied().filter(|c| live.binary_search(c).is_ok());
            let copies: Vec<Symbol> = copies.take(COPIES).collect();
            let mut replaced = vec![];
            for &atom in &atoms {
                for &copy in &copies {
                    let copy = terms.variable(copy);
                    replaced.push(terms.substitute(atom, |_, t| (t == leaf).then_some(copy)));
                }
            }
            replaced.truncate(COPIES);
            atoms = replaced;
        }
        atoms
    }

    /// Comparisons of one variable with a number, and their negations.
    fn guards(&self, terms: &mut Terms, live: &[Symbol]) -> Vec<Term> {
        let mut found = vec![];
        for &s in live {
            for atom in self.text.of(terms, s, CONSTANTS) {
                let is_one = terms.support(atom).len() == 1;
                if is_one && matches!(terms.node(atom), Node::Equal(..)) && found.len() < GUARDS {
                    found.extend([atom, terms.not(atom)]);
                }
            }
        }
        found
    }
}

/// All orders in which two values may be.
fn orders(terms: &mut Terms, x: Term, y: Term, found: &mut IndexSet<Term, FxBuildHasher>) {
    found.insert(terms.equal(x, y));
    for order in [Comparison::SLt, Comparison::SLe, Comparison::ULt, Comparison::ULe] {
        found.extend([terms.compare(order, x, y), terms.compare(order, y, x)]);
    }
}
