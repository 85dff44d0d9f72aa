//! The abstract reachability tree (Beyer et al., "Software Model Checking via Large-Block
//! Encoding", Sect. II-C).
//!
//! A node n = (l, φ) consists of a location between blocks and an abstract state.  The children of
//! a node are the abstract successors after the blocks that leave its location: with predicate
//! abstraction φ' = SP^π(φ) for the precision π = Π(l') of the location after the block (Sect.
//! II-B), with IMPACT *true*, until a refinement makes it stronger.  A node is *covered* if its
//! state implies that of another node at its location; then it, and what descends from it, is not
//! expanded.  A tree without goals is complete when all nodes that are not covered have been
//! expanded; then the disjunctions of the states at each location are an
//! [invariant](crate::proof::Invariant).  Since edges are large blocks, a path of the tree stands
//! for many paths of the program (Sect. III-B).
//!
//! [`ReachabilityTree`] is the [abstract model](crate::cegar::AbstractModel) for the loop, and
//! [`Reached`] is the part explored so far: Algorithm 1 of Beyer, Wendler: "Algorithms for Software
//! Model Checking: Predicate Abstraction vs. IMPACT" (FMCAD 2012), in which an [`Analysis`] decides
//! how states are represented and compared, and what a refinement does.  [`Predicates`] adds
//! predicates and explores the tree anew from the first node whose location has new ones (lazy
//! abstraction); [`Labels`] strengthens the states of the path in place (IMPACT).  Before any of
//! this, states are enumerated one by one if there are few ([`enumeration`]).

mod analysis;
mod cuts;
mod dot;
pub mod enumeration;
mod forced;
mod labels;
mod nodes;
mod predicates;
pub mod reachability;
mod reached;
mod rows;
mod suffix;
mod waitlist;

pub use analysis::Analysis;
pub use dot::{Outline, Outlined};
pub use labels::Labels;
pub use predicates::Predicates;
pub use reachability::ReachabilityTree;
pub use reached::Reached;
