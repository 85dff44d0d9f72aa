//! The observer of a check: progress, the predicates to begin with, and names.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::learned::Learned;
use super::phase::Phase;
use hardbop_c::lower::Assumption;
use hardbop_cfa::Place;
use hardbop_refine::cegar::statistics::Progress;
use hardbop_refine::model::relation::cache::Cache;
use hardbop_refine::model::text::names::{Naming, SmtLib};
use hardbop_smt::{Symbol, Term, Terms};

/// Observes a check, and contributes what the checker does not know: predicates, names, a cache.
pub trait Watcher {
    /// The run begins something else.
    fn phase(&mut self, _phase: Phase) {}
    /// The run has come so far.
    fn progress(&mut self, _progress: Progress) {}
    /// No execution reaches another error of the program than these, under these assumptions; what earlier calls say holds, too.
    fn open(&mut self, _errors: &BTreeSet<Place>, _assumptions: &[Assumption]) {}
    /// The predicates that are tracked from the start, besides those of the options: formulas over
    /// the variables of the automaton, all of which the store knows by now.
    fn predicates(&mut self, _terms: &mut Terms) -> Vec<Term> {
        vec![]
    }
    /// The findings of an earlier run, where there are some: the tree begins with them, and where
    /// that leads to nothing, begins anew without them.
    fn learned(&mut self, _terms: &mut Terms) -> Option<Learned> {
        None
    }
    /// The text of the Boolean program of a round, from 1.
    fn round(&mut self, _number: u64, _text: &str) {}
    /// The names of predicates in Boolean programs: SMT-LIB text, unless there is something better.
    /// `pointers` are the variables that hold some, `addresses` the names of the objects there.
    fn naming(
        &mut self,
        _pointers: &FxHashSet<Symbol>,
        _addresses: &FxHashMap<u64, String>,
    ) -> Box<dyn Naming> {
        Box::new(SmtLib)
    }
    /// The cache that keeps abstractions of blocks from one run to the next.
    fn cache(&mut self) -> Option<Rc<dyn Cache>> {
        None
    }
}

impl Watcher for () {}
