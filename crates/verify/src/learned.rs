//! The findings of a run that are of use for the next one: predicates, each with the function in
//! which it counts.
//!
//! A location has no name that another version of the program knows; a function has.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use hardbop_cfa::{Automaton, Location, Program};
use hardbop_refine::block::problem::Problem;
use hardbop_refine::select::view::Selection;
use hardbop_refine::tree::Analysis;
use hardbop_smt::Term;

/// A predicate, and the function in which it counts; everywhere, where none is named.
pub type Scoped = (Option<String>, Term);

/// The findings of an earlier run, of this program or of one like it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learned {
    /// Formulas over the variables of the automaton.
    pub predicates: Vec<Scoped>,
    /// The work that a run without them has taken: they get no more to show what they are good for.
    pub work: u64,
    /// Whether that was a run that came to no verdict.
    pub is_open: bool,
}

/// The predicates of an analysis with the functions in which it tracks them, in order.
pub(super) fn learned<A: Analysis>(
    analysis: &A,
    problem: &Problem,
    program: &Program,
) -> Vec<Scoped> {
    let name = |at| function(program, &problem.automaton, problem.frame(at));
    let places = targets(problem).filter_map(|at| Some((analysis.place(problem, at)?, name(at))));
    let names: FxHashMap<u32, &str> = places.collect();
    let mut seen = FxHashSet::default();
    let mut all = vec![];
    for (place, predicate) in analysis.tracked() {
        let scope = match place.map(|place| names.get(&place)) {
            None => None,
            Some(Some(&name)) => Some(name.to_owned()),
            // No block leads there, so nothing is tracked there.
            Some(None) => continue,
        };
        if seen.insert((scope.clone(), predicate)) {
            all.push((scope, predicate));
        }
    }
    all
}

/// The places where predicates are to be tracked: at all locations of the functions in which they
/// count.  Those of a function that is gone may be about something that is now in another one.
pub(super) fn placed<A: Analysis>(
    analysis: &A,
    problem: &Problem,
    program: &Program,
    predicates: &[Scoped],
) -> Selection {
    let mut places: BTreeMap<&str, BTreeSet<Option<u32>>> = BTreeMap::new();
    if predicates.iter().any(|(scope, _)| scope.is_some()) {
        for at in targets(problem) {
            let name = function(program, &problem.automaton, problem.frame(at));
            places.entry(name).or_default().insert(analysis.place(problem, at));
        }
    }
    let everywhere = BTreeSet::from([None]);
    let mut all = vec![];
    for (scope, predicate) in predicates {
        let scope = scope.as_ref().and_then(|name| places.get(name.as_str()));
        all.extend(scope.unwrap_or(&everywhere).iter().map(|&place| (place, *predicate)));
    }
    all
}

/// The locations to which blocks lead.
fn targets(problem: &Problem) -> impl Iterator<Item = Location> + '_ {
    problem.summary.blocks.iter().map(|block| block.target)
}

/// The function of an activation.
fn function<'a>(program: &'a Program, automaton: &Automaton, frame: u32) -> &'a str {
    let frame = automaton.frames.get(frame as usize);
    frame.and_then(|f| program.functions.get(f.function)).map_or("", |f| &f.name)
}
