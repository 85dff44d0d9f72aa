//! Invariants from candidates, in the manner of Houdini (Flanagan, Leino: "Houdini, an Annotation
//! Assistant for ESC/Java", FME 2001): of the conjunctions of candidates at each location where
//! blocks end, the strongest that all blocks preserve.
//!
//! No path is looked at, so it does not matter how often loops go round, nor how many ways lead
//! through their bodies.  What disjunctions alone can say is beyond it.

mod arrays;
mod candidates;
mod ends;
mod gates;
mod needed;
mod strongest;

pub use strongest::houdini;
