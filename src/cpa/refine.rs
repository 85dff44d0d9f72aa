//! Refinement: predicates from interpolants (Sect. II-C of the paper).

use crate::budget::Budget;
use crate::cfa::Location;
use crate::predicate::precision::Scope;
use crate::predicate::{Precision, Vocabulary};
use crate::smt::{Term, Terms};

use super::Problem;
use super::cegar::CpaError;

/// Adds the atoms of the interpolants at the locations along a path to the precision.  Returns the
/// positions (of nodes after blocks) whose precision has grown, in order.
///
/// `interpolants[i]` is over instances and belongs to the node after block i; `locations` likewise.
pub fn refine(
    terms: &mut Terms,
    vocabulary: &mut Vocabulary,
    precision: &mut Precision,
    problem: &Problem,
    (locations, interpolants): (&[Location], &[Term]),
    scope: Scope,
    budget: &Budget,
) -> Result<Vec<usize>, CpaError> {
    let mut grown = vec![];
    for (i, (&location, &interpolant)) in locations.iter().zip(interpolants).enumerate() {
        budget.check().map_err(|e| CpaError::Unknown(e.into()))?;
        let place = place(problem, location, scope);
        let mut new = false;
        for predicate in terms.predicates(interpolant) {
            if let Some(p) = vocabulary.add(terms, predicate)? {
                new |= precision.add(place, p);
            }
        }
        if new {
            grown.push(i);
        }
    }
    Ok(grown)
}

/// What a location counts as in the precision.
pub fn place(problem: &Problem, location: Location, scope: Scope) -> Option<u32> {
    match scope {
        Scope::Global => None,
        Scope::Location => Some(location.0),
        Scope::Function => Some(problem.frame(location)),
    }
}
