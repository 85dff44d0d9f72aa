//! What a refinement does to the tree.

use super::nodes::NodeId;
use super::reached::Reached;
use crate::program::cfa::Location;
use crate::refine::cegar::error::RefineError;
use crate::refine::cegar::model::{Context, Refutation};
use crate::refine::select::view::Selection;
use crate::solve::smt::{Term, Terms};

/// Decides what happens to the tree once one of its paths has been refuted.
///
/// Predicate abstraction refines the precision and explores anew; IMPACT would instead strengthen the states along the
/// path in place (Beyer, Wendler: "Algorithms for Software Model Checking: Predicate Abstraction vs. IMPACT", FMCAD
/// 2012, Sect. III).  Each strategy implements this trait; neither the loop nor the exploration depends on which one it
/// is.
pub trait RefinementStrategy {
    /// Changes the reached states so that they no longer have the path, which is given as blocks with the node after
    /// each.  `false`: the refutation says nothing new.
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    fn refine(
        &self,
        reached: &mut Reached,
        context: &mut Context,
        path: &[(usize, NodeId)],
        refutation: Refutation,
    ) -> Result<bool, RefineError>;
}

/// Lazy predicate abstraction (Sect. II-C of "Software Model Checking via Large-Block Encoding"): adds predicates at
/// the locations of the path, and explores the tree anew from the first node whose location has new ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct PredicateRefinement;

impl RefinementStrategy for PredicateRefinement {
    fn refine(
        &self,
        reached: &mut Reached,
        context: &mut Context,
        path: &[(usize, NodeId)],
        refutation: Refutation,
    ) -> Result<bool, RefineError> {
        let selection = match refutation {
            Refutation::Predicates(selection) => selection,
            Refutation::Interpolants(interpolants) => {
                // No predicates are tracked at the goal, the last location.
                let inner = path[..path.len() - 1].iter();
                let locations: Vec<Location> =
                    inner.map(|&(_, n)| reached.tree.node(n).location).collect();
                atoms(context.terms, reached, &locations, &interpolants)
            }
        };
        reached.track(context.terms, selection)?;
        let Some(pivot) = stale(reached, path) else { return Ok(false) };
        reached.explore_again(pivot)?;
        Ok(true)
    }
}

/// The atoms of interpolants, as predicates at the locations along a path.  Interpolant i is over instances, and
/// belongs to location i.
fn atoms(
    terms: &mut Terms,
    reached: &Reached,
    locations: &[Location],
    interpolants: &[Term],
) -> Selection {
    let mut found = vec![];
    for (&location, &interpolant) in locations.iter().zip(interpolants) {
        let place = reached.place(location);
        found.extend(terms.predicates(interpolant).into_iter().map(|p| (place, p)));
    }
    found
}

/// The first node of a path whose location has got predicates since the node was made.
fn stale(reached: &Reached, path: &[(usize, NodeId)]) -> Option<NodeId> {
    let mut nodes = path.iter().map(|&(_, n)| n);
    nodes.find(|&n| {
        let node = reached.tree.node(n);
        reached.precision_at(node.location).len() > node.precision
    })
}
