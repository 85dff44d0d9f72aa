//! Incremental SAT over an and-inverter graph.
//!
//! A [`CircuitSolver`] belongs to one graph (the caller always passes the same one), and encodes each node at most
//! once, when it is first needed.  Invariant: the clauses say only what nodes mean and what was asserted; a query uses
//! assumptions, or clauses guarded by an activation literal.

use std::time::Instant;

use super::backend::Solver;
use super::solver::{Effort, SatLit, SatResult, SatSolver};
use crate::cnf::{ClauseSink, Encoder};
use crate::{Aig, Input, Lit, shape};
use hardbop_base::budget::Budget;

impl<S: SatSolver> ClauseSink for S {
    fn fresh(&mut self) -> SatLit {
        self.new_variable()
    }

    fn clause(&mut self, lits: &[SatLit]) {
        self.add_clause(lits);
    }
}

/// A SAT solver that takes literals of a graph.
#[derive(Debug)]
pub struct CircuitSolver<S = Solver> {
    solver: S,
    encoder: Encoder,
    effort: Effort,
}

impl<S: SatSolver> CircuitSolver<S> {
    /// Wraps an empty solver.
    pub fn new(solver: S) -> Self {
        Self { solver, encoder: Encoder::new(), effort: Effort::default() }
    }

    /// The effort of its SAT calls so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The effort of its SAT calls since the last time it was taken.
    pub fn take_effort(&mut self) -> Effort {
        std::mem::take(&mut self.effort)
    }

    /// The SAT literal of a literal of the graph; encodes those nodes of its cone that are new.
    pub fn literal(&mut self, aig: &Aig, lit: Lit) -> SatLit {
        self.encoder.literal(aig, lit, &mut self.solver)
    }

    /// Whether a literal of the graph has a SAT literal.
    pub fn encodes(&self, lit: Lit) -> bool {
        self.encoder.known(lit).is_some()
    }

    /// A fresh literal with no meaning, to guard clauses that hold only while it is assumed.
    pub fn activation(&mut self) -> SatLit {
        self.solver.new_variable()
    }

    /// Asserts `lit` permanently.
    pub fn assert(&mut self, aig: &Aig, lit: Lit) {
        match shape::conjuncts(aig, [lit]) {
            None => self.solver.add_clause(&[]),
            Some(parts) => {
                for part in parts {
                    self.assert_clause(aig, None, [part]);
                }
            }
        }
    }

    /// Asserts permanently that one of `lits` holds, if `guard` is given only under the guard.
    pub fn assert_clause(
        &mut self,
        aig: &Aig,
        guard: Option<SatLit>,
        lits: impl IntoIterator<Item = Lit>,
    ) {
        // The conjuncts of the negation are the literals of the clause.
        let Some(negated) = shape::conjuncts(aig, lits.into_iter().map(|l| !l)) else { return };
        let mut clause: Vec<SatLit> = guard.iter().map(|g| -g).collect();
        for l in negated {
            clause.push(-self.literal(aig, l));
        }
        self.solver.add_clause(&clause);
    }

    /// Adds a clause of raw SAT literals, for example to retire an activation literal.
    pub fn add_clause(&mut self, clause: &[SatLit]) {
        self.solver.add_clause(clause);
    }

    /// Is the formula satisfiable together with the assumptions?
    pub fn solve(&mut self, aig: &Aig, assumptions: &[Lit], budget: &Budget) -> SatResult {
        let assumptions: Vec<SatLit> = assumptions.iter().map(|&l| self.literal(aig, l)).collect();
        self.solve_with(&assumptions, None, budget)
    }

    /// The same, with assumptions that are already SAT literals, and a bound on conflicts.
    pub fn solve_with(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult {
        let start = Instant::now();
        let result = self.solver.solve(assumptions, conflicts, budget);
        self.effort += Effort { calls: 1, duration: start.elapsed() };
        result
    }

    /// The value of an input in the last model; false if it does not matter.  Must be read before anything is added.
    pub fn value(&self, aig: &Aig, input: Input) -> bool {
        self.encoder.input(aig, input).and_then(|v| self.solver.value(v)).unwrap_or(false)
    }

    /// The value of a SAT literal in the last model; false if it does not matter.
    pub fn model(&self, lit: SatLit) -> bool {
        self.solver.value(lit).unwrap_or(false)
    }

    /// Is this assumption part of the reason why the last call answered `Unsat`?
    pub fn failed(&self, assumption: Lit) -> bool {
        self.encoder.known(assumption).is_some_and(|l| self.solver.failed(l))
    }
}
