//! Predicate abstraction (Beyer et al., "Software Model Checking via Large-Block Encoding",
//! Sect. II-B): predicates, precisions, and the abstraction of a block's successors.
//!
//! An abstract state is a Boolean function of predicates, kept as a BDD over a [`Vocabulary`].

pub mod abstraction;
pub mod block;
pub mod cube;
pub mod effort;
pub mod formula;
pub mod precision;
pub mod state;
pub mod vocabulary;

pub use abstraction::{Abstraction, Abstractor};
pub use block::BlockFormula;
pub use effort::{AbstractionError, Effort};
pub use precision::{Precision, Scope};
pub use state::State;
pub use vocabulary::{PredicateId, Vocabulary};
