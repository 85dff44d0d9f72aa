//! Precisions: which predicates are tracked where (Sect. II-B of "Software Model Checking via
//! Large-Block Encoding": Π maps each location to a set of predicates).

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::vocabulary::PredicateId;

/// The scope in which a predicate is tracked once it has been found somewhere.
///
/// ```
/// use hardbop_refine::cegar::AnalysisOptions;
/// use hardbop_refine::predicate::Scope;
///
/// let options: AnalysisOptions = serde_json::from_str(r#"{"scope": "global"}"#)?;
/// assert_eq!(options.scope, Scope::Global);
/// assert_eq!(AnalysisOptions::default().scope, Scope::Location); // the smallest precision
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In the activation of the function where it was found.
    Function,
    /// At the location where it was found.
    #[default]
    Location,
}

/// Sets of predicates by place; the [`Scope`] decides what a place is.
#[derive(Debug, Clone, Default)]
pub struct Precision {
    everywhere: BTreeSet<PredicateId>,
    at: FxHashMap<u32, BTreeSet<PredicateId>>,
}

impl Precision {
    /// Tracks a predicate at a place, or everywhere (`None`); is it new there?
    pub fn add(&mut self, place: Option<u32>, predicate: PredicateId) -> bool {
        if self.everywhere.contains(&predicate) {
            return false;
        }
        match place {
            None => self.everywhere.insert(predicate),
            Some(place) => self.at.entry(place).or_default().insert(predicate),
        }
    }

    /// The predicates tracked at a place, in order.
    pub fn get(&self, place: u32) -> Vec<PredicateId> {
        match self.at.get(&place) {
            None => self.everywhere.iter().copied().collect(),
            Some(here) => self.everywhere.union(here).copied().collect(),
        }
    }

    /// All predicates, each with the places where it is tracked by itself, in order; `None` is
    /// everywhere.
    pub fn all(&self) -> Vec<(PredicateId, Option<u32>)> {
        let everywhere = self.everywhere.iter().map(|&p| (p, None));
        let places =
            self.at.iter().flat_map(|(&at, here)| here.iter().map(move |&p| (p, Some(at))));
        let mut all: Vec<_> = everywhere.chain(places).collect();
        all.sort_unstable();
        all
    }

    /// The number of predicates at each place that has any of its own.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.at.values().map(|here| self.everywhere.union(here).count())
    }
}
