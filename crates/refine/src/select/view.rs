//! The view that an abstraction has of a path, between its blocks.

use hardbop_smt::{Symbol, Term, Terms};

/// Predicates with the places in the precision where they will be tracked.
pub type Selection = Vec<(Option<u32>, Term)>;

/// The view of the abstraction at the cuts of a path; a cut has the number of the block before it.
///
/// Predicates are formulas over variables of the program; the path may have copies of these.
pub trait View {
    /// The place of the cut in the precision.
    fn place(&self, cut: usize) -> Option<u32>;
    /// Are the path's blocks and variables those of the program, not copies?
    fn is_of_program(&self) -> bool {
        false
    }
    /// The predicates that are tracked there.
    fn tracked(&self, cut: usize) -> Vec<Term>;
    /// The live variables that predicates there may mention, in order.
    fn live(&self, cut: usize) -> Vec<Symbol>;
    /// The variable of the program that a variable of the path is, or is a copy of.
    fn original(&self, symbol: Symbol) -> Symbol {
        symbol
    }
    /// A predicate over the path's variables; `None` if it mentions a variable that is not visible
    /// there.
    fn local(&self, _terms: &mut Terms, _cut: usize, predicate: Term) -> Option<Term> {
        Some(predicate)
    }
    /// A predicate of the next cut as a formula over the variables at this cut, if the abstraction
    /// decides both cuts together.
    fn foreseen(&self, _terms: &mut Terms, _cut: usize, _local: Term) -> Option<Term> {
        None
    }
    /// Variables that keep their values from the end of one block to the beginning of another,
    /// regardless of the cuts in between.
    fn kept(&self) -> Vec<(usize, usize, Vec<Symbol>)> {
        vec![]
    }
}
