//! Refinement: predicates from interpolants (Sect. II-C of the paper).

use crate::program::cfa::Location;
use crate::refine::predicate::precision::Scope;
use crate::solve::smt::{Term, Terms};

use super::Problem;
use super::select::Selection;

/// The atoms of interpolants, as predicates at the locations along a path.
///
/// `interpolants[i]` is over instances and belongs to the location after block i; `locations`
/// likewise.
pub fn selection(
    terms: &mut Terms,
    problem: &Problem,
    (locations, interpolants): (&[Location], &[Term]),
    scope: Scope,
) -> Selection {
    let mut found = vec![];
    for (&location, &interpolant) in locations.iter().zip(interpolants) {
        let place = place(problem, location, scope);
        found.extend(terms.predicates(interpolant).into_iter().map(|p| (place, p)));
    }
    found
}

/// What a location counts as in the precision.
pub fn place(problem: &Problem, location: Location, scope: Scope) -> Option<u32> {
    match scope {
        Scope::Global => None,
        Scope::Location => Some(location.0),
        Scope::Function => Some(problem.frame(location)),
    }
}
