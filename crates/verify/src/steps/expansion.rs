//! One automaton of a program with calls, and deeper ones where recursion is not followed far
//! enough.

use crate::limits::RouteLimits;
use crate::reduction::{Reduction, Size};
use hardbop_base::budget::Budget;
use hardbop_cfa::constant::propagate;
use hardbop_cfa::expand::{ExpandError, ExpansionLimits, expand};
use hardbop_cfa::prune::prune;
use hardbop_cfa::share::share;
use hardbop_cfa::slice::slice;
use hardbop_cfa::{Automaton, Goal, Location, Program};
use hardbop_smt::Terms;

/// The program's automata as one, without what cannot matter; `reduction` gets the sizes.
///
/// # Errors
/// It gets too large, or the budget ends.
pub fn automaton(
    terms: &mut Terms,
    program: &Program,
    limits: &ExpansionLimits,
    budget: &Budget,
    reduction: &mut Reduction,
) -> Result<Automaton, ExpandError> {
    let automaton = prune(expand(terms, program, limits, budget)?);
    reduction.expanded = Size::of_automaton(terms, &automaton);
    let automaton = propagate(terms, automaton, &limits.limits.constants, budget)?;
    let automaton = slice(terms, automaton);
    let automaton = share(terms, program, automaton);
    reduction.sliced = Size::of_automaton(terms, &automaton);
    Ok(automaton)
}

/// The automaton that follows the calls deeper that lead to these goals of the last one, unless it
/// gets too large.
pub(super) fn deeper(
    terms: &mut Terms,
    (program, last): (&Program, &Automaton),
    (limits, most): (&mut ExpansionLimits, &RouteLimits),
    goals: &[Location],
    (budget, reduction): (&Budget, &mut Reduction),
) -> Option<Automaton> {
    for goal in goals {
        let call = last.edges.iter().find(|e| e.target == *goal).expect("it was reached");
        let mut chain = last.calls(call.frame);
        chain.push(call.place);
        let Some(&Goal::Depth(_, callee)) = last.goal(*goal) else { return None };
        let depth = last.activations(call.frame, callee);
        // What doubles with each level anyway is followed one level at a time.
        let more = if program.recursive_calls(callee) > 1 { 1 } else { depth };
        if depth + more > most.deepest_calls {
            return None;
        }
        limits.deeper.insert(chain, depth + more);
    }
    limits.limits.expansion.edges = most.deeper_edges;
    automaton(terms, program, limits, budget, reduction).ok()
}
