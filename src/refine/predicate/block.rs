//! Blocks as predicate abstraction sees them.

use crate::solve::smt::{Symbol, Term};

/// A block as the abstraction sees it.
#[derive(Debug, Clone, Copy)]
pub struct BlockFormula<'a> {
    /// Blocks with equal numbers have equal formulas.
    pub number: usize,
    /// Over instances; instance 0 is the value before the block.
    pub conjuncts: &'a [Term],
    /// The first conjuncts, as total definitions of instances, in order; the others are the path
    /// condition.
    pub definitions: &'a [(Term, Term)],
    /// Values after the block of the variables that it may change, by variable.
    pub post: &'a [(Symbol, Term)],
}
