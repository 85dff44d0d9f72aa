//! The interface between blocks and predicate abstraction.

use hardbop_smt::{Symbol, Term};

/// A block as predicate abstraction sees it.
#[derive(Debug, Clone, Copy)]
pub struct BlockFormula<'a> {
    /// Blocks with equal numbers have equal formulas.
    pub number: usize,
    /// The conjuncts of the block's formula, over instances; instance 0 is the value before the
    /// block.
    pub conjuncts: &'a [Term],
    /// The leading conjuncts, read as total definitions of instances, in order; the other conjuncts
    /// are the path condition.
    pub definitions: &'a [(Term, Term)],
    /// The values after the block of the variables that it may change, sorted by variable.
    pub post: &'a [(Symbol, Term)],
}
