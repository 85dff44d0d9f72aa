//! The predicates that are tracked, and how procedures exchange them.
//!
//! A predicate over globals is tracked everywhere, as a global of the Boolean program.  One that
//! mentions locals is tracked in their function.  Among the latter, those that mention only what a
//! function is given (its *formal predicates*) are parameters, and those that mention only what a
//! caller knows afterwards are returned (Ball, Majumdar, Millstein, Rajamani: "Automatic Predicate
//! Abstraction of C Programs", PLDI 2001, Sect. 4.5: E_f and E_r).  An entry value `old(x)` is a
//! variable, so a returned predicate may relate what a function leaves behind to what it was given.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::frame::{Home, Skeleton};
use hardbop_smt::{Node, Term, Terms};

type Set = IndexSet<Term, FxBuildHasher>;

/// The tracked predicates by scope, each list in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Predicates {
    pub globals: Set,
    /// Local predicates, by function.
    pub locals: Vec<Set>,
}

/// The value of a local predicate at the entry of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    Constant(bool),
    /// The value of a global predicate, or its negation.
    Global(usize, bool),
    /// The value of a formal predicate, or its negation.
    Formal(usize, bool),
    Unknown,
}

/// The predicates of a function that its callers and callees exchange.
#[derive(Debug, Clone, Default)]
pub struct Interface {
    /// Formal predicates, over globals and formals at the entry.
    pub formals: Set,
    /// The initial value of each local predicate.
    pub initial: Vec<Initial>,
    /// The local predicates that are returned.
    pub returns: Vec<usize>,
}

impl Predicates {
    /// The empty set of predicates, for a program with so many functions.
    pub fn new(functions: usize) -> Self {
        Self { globals: Set::default(), locals: vec![Set::default(); functions] }
    }

    /// Tracks a formula in its scope; is it new?  Formulas over locals of several functions are not
    /// tracked.
    pub fn add(&mut self, terms: &Terms, skeleton: &Skeleton, formula: Term) -> bool {
        let predicate = match *terms.node(formula) {
            Node::Bool(_) => return false,
            Node::Not(inner) => inner,
            _ => formula,
        };
        match skeleton.home(terms, predicate) {
            Some(Home::Everywhere) => self.globals.insert(predicate),
            Some(Home::Function(f)) => self.locals[f].insert(predicate),
            None => false,
        }
    }

    /// The predicates with a value in a function: its local ones, then the global ones.
    pub fn of(&self, function: usize) -> impl Iterator<Item = Term> + '_ {
        self.locals[function].iter().chain(&self.globals).copied()
    }

    /// All predicates: the global ones, then the local ones by function.
    pub fn all(&self) -> impl Iterator<Item = Term> + '_ {
        self.globals.iter().chain(self.locals.iter().flatten()).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.globals.len() + self.locals.iter().map(IndexSet::len).sum::<usize>()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The predicates that the function's callers pass to it, and those that it returns to them.
    pub fn interface(&self, terms: &mut Terms, skeleton: &Skeleton, function: usize) -> Interface {
        let mut interface = Interface::default();
        for (i, &predicate) in self.locals[function].iter().enumerate() {
            if skeleton.is_returned(terms, function, predicate) {
                interface.returns.push(i);
            }
            let before = terms.substitute(predicate, |terms, leaf| match *terms.node(leaf) {
                Node::Variable(s) => skeleton.new_of(s).map(|s| terms.variable(s)),
                _ => None,
            });
            let (positive, sign) = match *terms.node(before) {
                Node::Not(inner) => (inner, false),
                _ => (before, true),
            };
            let initial = if let Node::Bool(value) = *terms.node(before) {
                Initial::Constant(value)
            } else if let Some(global) = self.globals.get_index_of(&positive) {
                Initial::Global(global, sign)
            } else if skeleton.is_given(terms, function, positive) {
                Initial::Formal(interface.formals.insert_full(positive).0, sign)
            } else {
                Initial::Unknown
            };
            interface.initial.push(initial);
        }
        interface
    }
}
