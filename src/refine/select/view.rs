//! What an abstraction sees between the blocks of a path.

use crate::solve::smt::{Symbol, Term, Terms};

/// Predicates with the places in the precision where they are to be tracked.
pub type Selection = Vec<(Option<u32>, Term)>;

/// What the abstraction sees at the cuts of a path, by number of the block before the cut.
///
/// Predicates are formulas over variables of the program; the path may have copies of these.
pub trait View {
    /// The place in the precision.
    fn place(&self, cut: usize) -> Option<u32>;
    /// The predicates that are tracked there.
    fn tracked(&self, cut: usize) -> Vec<Term>;
    /// The variables whose values predicates there may tell, in order.
    fn live(&self, cut: usize) -> Vec<Symbol>;
    /// The variable of the program that a variable of the path is or copies.
    fn original(&self, symbol: Symbol) -> Symbol {
        symbol
    }
    /// A predicate as the path has it; `None` where it speaks of what is not seen there.
    fn local(&self, _terms: &mut Terms, _cut: usize, predicate: Term) -> Option<Term> {
        Some(predicate)
    }
    /// What the next cut sees is told together with what this one sees, as these formulas over the variables
    /// here.
    fn foreseen(&self, _terms: &mut Terms, _cut: usize, _local: Term) -> Option<Term> {
        None
    }
    /// Variables that keep their values from the end of one block to the beginning of another,
    /// whatever is cut between.
    fn kept(&self) -> Vec<(usize, usize, Vec<Symbol>)> {
        vec![]
    }
}
