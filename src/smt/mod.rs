//! Satisfiability modulo theories: hash-consed terms, solvers over them, and interpolation.
//!
//! [`Terms`] holds every formula of a run.  Nothing here knows of programs.

pub mod blast;
pub mod circuit;
pub mod solver;
pub mod term;

pub use self::solver::{Answer, SmtError, SmtSolver, Unknown};
pub use self::term::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms, UnaryOp, Value};

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

/// The solvers that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverKind {
    /// Our own: bit-blasting and CaDiCaL.
    #[default]
    Blast,
}

impl SolverKind {
    /// An empty solver.
    pub fn solver(self) -> Result<Box<dyn SmtSolver>, SmtError> {
        Ok(Box::new(circuit::BlastSolver::new()))
    }
}

pub mod interpolate {
    //! Stub until the real one comes.
    use super::*;
    use crate::budget::Budget;
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
    pub enum Strategy { #[default] Auto }
    pub enum Interpolation { Found { interpolants: Vec<Term>, by: &'static str }, Satisfiable, Unknown(Unknown) }
    pub fn sequence(_: &mut Terms, _: &[Term], _: Strategy, _: &Budget) -> Result<Interpolation, SmtError> { Ok(Interpolation::Satisfiable) }
}
pub mod atoms {
    use super::*;
    pub fn atoms(_: &mut Terms, t: Term) -> Vec<Term> { vec![t] }
}
