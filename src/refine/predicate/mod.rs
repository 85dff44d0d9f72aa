//! Predicate abstraction (Beyer et al., "Software Model Checking via Large-Block Encoding",
//! Sect. II-B): predicates, precisions, and the abstraction of a block's successors.
//!
//! An abstract state is a Boolean function of predicates, kept as a BDD over a [`Vocabulary`].

pub mod abstraction;
pub mod cube;
pub mod formula;
pub mod precision;
pub mod vocabulary;

pub use abstraction::{Abstraction, Abstractor, BlockFormula};
pub use precision::{Precision, Scope};
pub use vocabulary::{PredicateId, Vocabulary};

/// An abstract state: a set of data states, as a function of predicates.
pub type State = crate::solve::bdd::Bdd;
