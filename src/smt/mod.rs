//! Satisfiability modulo theories: hash-consed terms, solvers over them, and interpolation.
//!
//! [`Terms`] holds every formula of a run.  Nothing here knows of programs.

pub mod term;

pub use self::term::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms, UnaryOp, Value};
pub mod blast;

impl Terms {
    /// The conjuncts of a conjunction; of anything else itself.
    pub fn conjuncts(&self, t: Term) -> Vec<Term> {
        match self.node(t) {
            Node::And(all) => all.to_vec(),
            Node::Bool(true) => vec![],
            _ => vec![t],
        }
    }

    /// The disjuncts of a disjunction; of anything else itself.
    pub fn disjuncts(&self, t: Term) -> Vec<Term> {
        match self.node(t) {
            Node::Or(all) => all.to_vec(),
            Node::Bool(false) => vec![],
            _ => vec![t],
        }
    }
}
