//! Interpolation-based forced covering (Beyer, Wendler: "Algorithms for Software Model Checking:
//! Predicate Abstraction vs. IMPACT", FMCAD 2012, Sect. II, "IMPACT with Forced Covering").

use rustc_hash::FxHashSet;

use super::labels::{Labels, strengthen};
use super::nodes::{NodeId, Tree};
use super::reached::Reached;
use crate::block::path;
use crate::cegar::error::RefineError;
use crate::cegar::model::Context;
use crate::interpolate::Interpolation;
use crate::proof::invariant::at;
use hardbop_smt::{SmtAnswer, Term, Unknown};

/// Tries to strengthen a node, about to be expanded, such that an older node e at its location
/// covers it.
///
/// If the state of e holds after the path from their nearest common ancestor, it becomes part of
/// the node's state, and the states on that path are strengthened by interpolants.  All such e are
/// tried, the newest first: its common ancestor tends to be the nearest.
pub(super) fn cover(
    reached: &mut Reached<Labels>,
    context: &mut Context,
    n: NodeId,
) -> Result<bool, RefineError> {
    let mut refused = FxHashSet::default();
    for other in reached.candidates(n).into_iter().rev() {
        // An attempt that fails may still have changed the tree.
        if reached.tree.node(other).removed || reached.is_covered(other) {
            continue;
        }
        let common = nearest_common_ancestor(&reached.tree, n, other);
        let state = reached.tree.node(other).state;
        if refused.contains(&(common, state)) {
            continue;
        }
        let Some(states) = try_by(reached, context, (n, common), state)? else {
            refused.insert((common, state));
            continue;
        };
        strengthen(reached, context, &states)?;
        let tree = &reached.tree;
        if !tree.node(n).removed
            && !reached.is_covered(n)
            && !tree.node(other).removed
            && !reached.is_covered(other)
        {
            reached.cover(context, n, other)?;
        }
        if reached.tree.node(n).removed || reached.is_covered(n) {
            reached.analysis.covers += 1;
            return Ok(true);
        }
    }
    Ok(false)
}

/// The formulas by which the nodes on the path from an ancestor to a node are to be strengthened
/// such that the wanted state holds there; `None`: it does not.
fn try_by(
    reached: &mut Reached<Labels>,
    context: &mut Context,
    (n, common): (NodeId, NodeId),
    wanted: Term,
) -> Result<Option<Vec<(NodeId, Term)>>, RefineError> {
    reached.analysis.attempts += 1;
    let Reached { tree, problem, analysis, .. } = reached;
    let Context { terms, budget, .. } = context;
    let path = tree.path_from(n, Some(common));
    let blocks: Vec<usize> = path.iter().map(|&(block, _)| block).collect();
    let formula = path::formula(terms, problem, &blocks);
    let there = formula.after(terms, blocks.len() - 1, wanted);
    let elsewhere = terms.not(there);
    let before = at(terms, tree.node(common).state, &[]);

    let mut solver = analysis.new_solver()?;
    for &c in [before, elsewhere].iter().chain(formula.blocks.iter().flatten()) {
        solver.assert(terms, c)?;
    }
    match solver.check(terms, &[], budget)? {
        SmtAnswer::Unsat => {}
        SmtAnswer::Sat | SmtAnswer::Unknown(Unknown::Incomplete(_)) => return Ok(None),
        SmtAnswer::Unknown(reason) => return Err(reason.into()),
    }
    let mut parts: Vec<Term> = formula.blocks.iter().map(|b| terms.and(b)).collect();
    parts[0] = terms.and(&[before, parts[0]]);
    parts.push(elsewhere);
    let engine = analysis.forced.as_mut().expect("there is one for forced covering");
    let interpolants = match engine.interpolate(terms, &parts, budget)? {
        Interpolation::Interpolants(all) => all,
        Interpolation::Sat | Interpolation::Unknown(Unknown::Incomplete(_)) => return Ok(None),
        Interpolation::Unknown(reason) => return Err(reason.into()),
    };
    let mut states = vec![];
    for (&(_, node), interpolant) in path.iter().zip(interpolants) {
        let state = if node == n { wanted } else { terms.to_variables(interpolant) };
        states.push((node, state));
    }
    Ok(Some(states))
}

/// The last node on the paths from the root to both; it may be one of them.
fn nearest_common_ancestor<S>(tree: &Tree<S>, a: NodeId, b: NodeId) -> NodeId {
    let [a, b] = [a, b].map(|n| tree.ancestors(n).collect::<Vec<_>>());
    let common = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y);
    common.last().map(|(&x, _)| x).expect("the root is common")
}
