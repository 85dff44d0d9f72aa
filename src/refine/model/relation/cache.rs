//! Updates that have been computed before, also in other runs.

use std::fmt::Write;

use super::query::Query;
use super::update::{Sides, Update};
use crate::boolean::proof::certificate::fingerprint;
use crate::refine::predicate::Abstraction;
use crate::solve::smt::smtlib::script;
use crate::solve::smt::{Term, Terms};

/// Keeps updates by what they follow from; where, its maker knows.  Anything that can write to it can make
/// hardbop say anything.
pub trait Cache {
    /// What was put there under the key, if it is still there.
    fn get(&self, key: &str) -> Option<Update>;
    /// Keeps an update, or does not.
    fn put(&self, key: &str, update: &Update);
}

/// Changes whenever updates come out differently.
const VERSION: u32 = 1;

/// SHA-256, in hexadecimal, of everything that an update follows from.
pub fn key(terms: &Terms, query: Query, sides: Sides, abstraction: Abstraction) -> String {
    let mut all: Vec<Term> = query.conjuncts.to_vec();
    all.extend(query.literals);
    let mut text = script(terms, &all);
    let conjuncts = query.conjuncts.len();
    let _ = write!(text, "; {VERSION} {abstraction:?} {conjuncts} {sides:?}");
    fingerprint(&text)
}
