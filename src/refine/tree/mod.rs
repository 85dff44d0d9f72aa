//! The abstract reachability tree (Beyer et al., "Software Model Checking via Large-Block Encoding", Sect. II-C).
//!
//! A node n = (l, φ) is a location between blocks and an abstract state.  The children of a node are the abstract
//! successors after the blocks that leave its location, φ' = SP^π(φ) for the precision π = Π(l') of the location
//! (Sect. II-B); a node whose state implies that of another one at its location is *covered* and has no children.  A
//! tree without goals in which all others have been expanded is complete: the disjunctions of the states at
//! each location are an [`Invariant`].  Since edges are large blocks, a path of the tree stands for many of the program
//! (Sect. III-B).
//!
//! [`ReachabilityTree`] is the [abstract model](crate::refine::cegar::AbstractModel) for the loop, [`Reached`] what has
//! been explored of it, depth first.  A [`RefinementStrategy`] says what a refinement does: new predicates, and the tree
//! is explored anew from the first node whose location has got one (lazy abstraction).  Before that the states are
//! enumerated one by one ([`enumeration`]), where there are few.

mod cuts;
mod dot;
pub mod enumeration;
pub mod invariant;
pub mod nodes;
pub mod reachability;
pub mod reached;
pub mod refinement;

pub use invariant::{Invariant, InvariantError};
pub use reachability::ReachabilityTree;
pub use reached::Reached;
pub use refinement::{PredicateRefinement, RefinementStrategy};
