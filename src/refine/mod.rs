//! Predicate abstraction and its refinement, for whatever program comes as control-flow automata.
//!
//! The method is that of Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via Large-Block
//! Encoding" (FMCAD 2009).  Rooms, from the ground up:
//!
//! - [`limits`]: how long one way is tried before another;
//! - [`interpolate`]: Craig interpolants of an infeasible sequence of formulas (Sect. II-C);
//! - [`predicate`]: precisions, Cartesian and Boolean predicate abstraction φ^π, the operator SP^π (Sect. II-B);
//! - [`block`]: automata divided into large blocks (Sect. III-A), formulas of paths SP_σ (Sect. II-A) and executions in them;
//! - [`select`]: predicates that the program text suggests, instead of interpolants;
//! - [`cegar`]: the loop, and what an abstraction has to be for it;
//! - [`tree`]: the abstract reachability tree (Sect. II-C);
//! - [`model`]: Boolean programs, whose procedures are functions of the program.

pub mod block;
pub mod cegar;
pub mod interpolate;
pub mod limits;
pub mod model;
pub mod predicate;
pub mod select;
pub mod tree;
