//! A cache of updates that were computed before, possibly in other runs.

use std::fmt::Write;

use super::query::Query;
use super::update::{Sides, Update};
use crate::predicate::Abstraction;
use hardbop_bp::proof::certificate::fingerprint;
use hardbop_smt::smtlib::script;
use hardbop_smt::{Term, Terms};

/// Stores updates under the hash of their inputs; where, is up to the implementation.  Cached
/// updates are trusted: whoever can write to the cache can make hardbop give any answer.
pub trait Cache {
    /// The update stored under the key, if it is still there.
    fn get(&self, key: &str) -> Option<Update>;
    /// Stores an update; an implementation may ignore it.
    fn put(&self, key: &str, update: &Update);
}

/// Must change whenever the computation of updates changes.
const VERSION: u32 = 1;

/// The SHA-256 hash, in hexadecimal, of everything on which an update depends.
pub fn key(terms: &Terms, query: Query, sides: Sides, abstraction: Abstraction) -> String {
    let mut all: Vec<Term> = query.conjuncts.to_vec();
    all.extend(query.literals);
    let mut text = script(terms, &all);
    let conjuncts = query.conjuncts.len();
    let _ = write!(text, "; {VERSION} {abstraction:?} {conjuncts} {sides:?}");
    fingerprint(&text)
}
