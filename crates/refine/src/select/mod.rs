//! Predicates of the program text: [`Candidates`] are those that the text suggests, and a
//! [`Selector`] finds out which of them, tracked where, make an infeasible path infeasible in the
//! abstraction as well.

pub mod candidates;
mod cells;
pub mod selector;
pub mod view;

pub use candidates::Candidates;
pub use selector::{AbstractPath, Selector};
pub use view::{Selection, View};
