//! Which predicates are tracked, and what procedures tell each other of them.
//!
//! A predicate over globals is tracked everywhere; it is a global of the Boolean program.  One that speaks
//! of locals is tracked in its function.  Those among them that speak only of what a function is given
//! (its *formal predicates*) are parameters; those that speak only of what a caller knows afterwards
//! are returned (Ball, Majumdar, Millstein, Rajamani: "Automatic Predicate Abstraction of C Programs", PLDI 2001,
//! Sect. 4.5: E_f and E_r).  An entry value `old(x)` is a variable, so that a returned predicate may relate
//! what a function leaves to what it was given.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::frame::{Home, Skeleton};
use crate::solve::smt::{Node, Term, Terms};

type Set = IndexSet<Term, FxBuildHasher>;

/// Predicates by where they are tracked, each in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Predicates {
    pub globals: Set,
    /// By function.
    pub locals: Vec<Set>,
}

/// What a local predicate is at the entry of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    Constant(bool),
    /// The value of a global predicate, or its negation.
    Global(usize, bool),
    /// The value of a formal predicate, or its negation.
    Formal(usize, bool),
    Unknown,
}

/// What callers and callees tell each other of a function's predicates.
#[derive(Debug, Clone, Default)]
pub struct Interface {
    /// Formal predicates, over globals and formals at the entry.
    pub formals: Set,
    /// By local predicate.
    pub initial: Vec<Initial>,
    /// Local predicates that are returned.
    pub returns: Vec<usize>,
}

impl Predicates {
    /// None, for a program of so many functions.
    pub fn new(functions: usize) -> Self {
        Self { globals: Set::default(), locals: vec![Set::default(); functions] }
    }

    /// Tracks a formula where it means something; is it new?  Not one that speaks of locals of several functions.
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

    /// Those that have a value in a function: its own ones, then the global ones.
    pub fn of(&self, function: usize) -> impl Iterator<Item = Term> + '_ {
        self.locals[function].iter().chain(&self.globals).copied()
    }

    /// All of them.
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

    /// What the function's callers have to give, and what they get.
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
