//! All predicates of a run, and abstract states over them.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::state::State;
use hardbop_base::budget::Budget;
use hardbop_logic::bdd::{Manager, Size, Stop};
use hardbop_smt::{Node, Term, Terms};

/// A predicate: its number in the [`Vocabulary`], which is also its BDD variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

/// The predicates, in the order in which they were found, and the manager of BDDs over them.
pub struct Vocabulary {
    predicates: IndexSet<Term, FxBuildHasher>,
    manager: Manager,
    formulas: FxHashMap<State, Term>,
}

impl Vocabulary {
    /// A vocabulary without predicates.
    ///
    /// # Errors
    /// If there is no memory for a table of BDD nodes.
    pub fn new(budget: &Budget) -> Result<Self, Stop> {
        let manager = Manager::new(0, Size::LARGE, budget)?;
        Ok(Self { predicates: IndexSet::default(), manager, formulas: FxHashMap::default() })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// The table of BDD nodes.
    pub fn manager(&mut self) -> &mut Manager {
        &mut self.manager
    }

    /// Adds a predicate over program variables; `p` and `not p` are the same predicate.  `None` for
    /// a constant.
    ///
    /// # Errors
    /// If the table of BDD nodes is full.
    pub fn add(&mut self, terms: &Terms, term: Term) -> Result<Option<PredicateId>, Stop> {
        let term = match *terms.node(term) {
            Node::Bool(_) => return Ok(None),
            Node::Not(inner) => inner,
            _ => term,
        };
        let (index, new) = self.predicates.insert_full(term);
        if new {
            self.manager.add_variables(1)?;
        }
        Ok(Some(PredicateId(index as u32)))
    }

    /// The predicate as a formula over program variables.
    pub fn term(&self, predicate: PredicateId) -> Term {
        self.predicates[predicate.0 as usize]
    }

    /// All predicates.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.predicates.iter().copied()
    }

    /// A state as a formula over program variables.
    pub fn formula(&mut self, terms: &mut Terms, state: &State) -> Term {
        // The recursion is at most as deep as there are predicates.
        if state.is_true() || state.is_false() {
            return terms.bool(state.is_true());
        }
        if let Some(&known) = self.formulas.get(state) {
            return known;
        }
        let (top, high, low) = state.branch().expect("not a constant");
        let (high, low) = (self.formula(terms, &high), self.formula(terms, &low));
        let condition = self.term(PredicateId(top));
        let formula = terms.ite(condition, high, low);
        self.formulas.insert(state.clone(), formula);
        formula
    }
}
